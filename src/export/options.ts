import type { OmissionReason } from "../model/export-facts.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Policy } from "../model/objects.ts";
import type { FetchedPictures } from "../model/shown-picture.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Split } from "./text.ts";

export interface ExportOptions {
  readonly snapshot: Snapshot;
  readonly kinds: readonly ResourceKind[];
  /** Sections to write; default: {@link defaultSections}. */
  readonly sections?: readonly string[];
  /** Policy of each section; default additive. */
  readonly policies?: { readonly [section: string]: Policy };
  /** Sections with `unset: default`: values of new objects are left out, and watched nevertheless. Sections without defaults do not get it. */
  readonly unset?: boolean;
  /** Also writes the values of new objects. */
  readonly complete?: boolean;
  /** Subscribers of each channel, and similar fields that files usually leave out. */
  readonly subscribers?: boolean;
  /** Archived channels and deactivated groups too. */
  readonly inactive?: boolean;
  /** Which command writes it; default: export. */
  readonly foundBy?: "init" | "export";
  /** The results for the pictures of sections; left out: nobody fetched them, which the file says. */
  readonly pictures?: FetchedPictures;
  /** A comment on each setting of the singletons, for people who see them for the first time. */
  readonly explain?: boolean;
  readonly split?: Split;
  /** Path or URL of the JSON Schema, for editors. */
  readonly schema?: string;
  /** Name of the main file; default realm.yaml. */
  readonly file?: string;
}

/** A part of the realm that the file does not contain, and why. */
export interface Omission {
  readonly section: string;
  /** Of the object. */
  readonly name: string;
  /** Absent for the whole object. */
  readonly field?: string;
  readonly reason: OmissionReason;
}

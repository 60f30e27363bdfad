import type { ResourceKind } from "../model/kind.ts";
import type { Policy } from "../model/objects.ts";
import type { FetchedPictures, OmissionReason } from "../model/shown-picture.ts";
import type { Snapshot } from "../model/snapshot.ts";

/** `kind`: a file for each section; `folder`: also one for the channels of each folder. */
export type Split = "none" | "kind" | "folder";

export interface ExportOptions {
  readonly snapshot: Snapshot;
  readonly kinds: readonly ResourceKind[];
  /** The sections to write; default: {@link defaultSections}. */
  readonly sections?: readonly string[];
  /** Policy of each section; default additive. */
  readonly policies?: { readonly [section: string]: Policy };
  /** Sections with `unset: default`: values of new objects are left out, and watched nevertheless. Sections without defaults do not get it. */
  readonly unset?: boolean;
  /** Whether the values of new objects are written, too. */
  readonly complete?: boolean;
  /** Whether to write the subscribers of each channel, and similar fields that files usually leave out. */
  readonly subscribers?: boolean;
  /** Whether to write archived channels and deactivated groups, too. */
  readonly inactive?: boolean;
  /** The command that writes the file; default: export. */
  readonly foundBy?: "init" | "export";
  /** The results for the pictures of sections; absent if nobody fetched them, which the file then says. */
  readonly pictures?: FetchedPictures;
  /** Whether each setting of a singleton has a comment, for people who see it for the first time. */
  readonly explain?: boolean;
  readonly split?: Split;
  /** The path or URL of the JSON Schema, for editors. */
  readonly schema?: string;
  /** The name of the main file; default: realm.yaml. */
  readonly file?: string;
}

/** A part of the realm that the file does not contain, and why. */
export interface Omission {
  readonly section: string;
  /** The name of the object. */
  readonly name: string;
  /** The field; absent for the whole object. */
  readonly field?: string;
  readonly reason: OmissionReason;
}

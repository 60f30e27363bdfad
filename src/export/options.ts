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
  /** Sections that say `unset: default`: what every new object has is left out, and watched nevertheless. Those without defaults do not. */
  readonly unset?: boolean;
  /** What every new object has anyway is written, too. */
  readonly complete?: boolean;
  /** Who is subscribed to each channel, and the like: fields that files are silent about as a rule. */
  readonly subscribers?: boolean;
  /** Archived channels and deactivated groups too. */
  readonly inactive?: boolean;
  /** Which command writes it; default: export. */
  readonly foundBy?: "init" | "export";
  /** What became of the pictures that sections have; left out: nobody fetched them, which the file says. */
  readonly pictures?: FetchedPictures;
  /** A comment on each setting of the sections that are there once, for who sees them for the first time. */
  readonly explain?: boolean;
  readonly split?: Split;
  /** Path or URL of the JSON Schema, for editors. */
  readonly schema?: string;
  /** Name of the main file; default realm.yaml. */
  readonly file?: string;
}

/** Something of the realm that the file does not say, and why. */
export interface Omission {
  readonly section: string;
  /** Of the object. */
  readonly name: string;
  /** Absent for the whole object. */
  readonly field?: string;
  readonly reason: OmissionReason;
}

import type { NotJson } from "../not-json.ts";
import type { FormCause } from "./server.ts";
import type { Quoted, Word } from "./values.ts";

/** Errors in snapshots, and of exports. */
export interface SnapshotFacts {
  readonly "snapshot/syntax": { readonly reason: NotJson };
  /** No file can express the reading, whatever is left out of it. @property reason the first remaining error */
  readonly "export/not-possible": { readonly reason: Quoted };
  /** The exported file would be too large to be read again. */
  readonly "export/too-large": {
    /** Absent if the limit is that of all files together. */
    readonly file?: Word;
    readonly bytes: number;
    readonly most_bytes: number;
    readonly has_subscribers: boolean;
    readonly is_split: boolean;
  };
  readonly "snapshot/format": Record<never, never>;
  readonly "snapshot/version": { readonly found: Quoted; readonly reads: number; readonly is_newer: boolean };
  /** @property part absent for the snapshot as a whole */
  readonly "snapshot/field": { readonly part?: Word; readonly cause: FormCause };
}

import type { NotJson } from "../not-json.ts";
import type { FormCause } from "./server.ts";
import type { Quoted, Word } from "./values.ts";

/** Files of snapshots. */
export interface SnapshotFacts {
  readonly "snapshot/syntax": { readonly reason: NotJson };
  /** No file says what was read, whatever is left out of it. @property reason the first error that is left */
  readonly "export/not-possible": { readonly reason: Quoted };
  /** What an export would write could not be read again. */
  readonly "export/too-large": {
    /** Absent: all files together. */
    readonly file?: Word;
    readonly bytes: number;
    readonly most_bytes: number;
    readonly has_subscribers: boolean;
    readonly is_split: boolean;
  };
  readonly "snapshot/format": Record<never, never>;
  readonly "snapshot/version": { readonly found: Quoted; readonly reads: number; readonly is_newer: boolean };
  /** @property part absent: the snapshot as a whole */
  readonly "snapshot/field": { readonly part?: Word; readonly cause: FormCause };
}

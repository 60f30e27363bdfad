import type { FormFlaw } from "./server.ts";
import type { Quoted, Word } from "./values.ts";

/** Files of snapshots. */
export interface SnapshotFacts {
  readonly "snapshot/syntax": { readonly reason: Word };
  readonly "snapshot/format": Record<never, never>;
  readonly "snapshot/version": { readonly found: Quoted; readonly reads: number; readonly is_newer: boolean };
  /** @property part absent: the snapshot as a whole */
  readonly "snapshot/field": { readonly part?: Word; readonly flaw: FormFlaw };
}

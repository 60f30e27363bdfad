import type { ZulipReader } from "../model/api.ts";
import { readSnapshotFile } from "../zulip/snapshot-file.ts";
import { valueOrFailure } from "./checked.ts";
import type { Io } from "./io.ts";
import { readInput } from "./read-input.ts";

/** Reads from a file what `realmctl snapshot` wrote, instead of from the server. */
export function snapshotReader(io: Io, file: string): ZulipReader {
  return {
    snapshot: async () => valueOrFailure(readSnapshotFile(await readInput(io, file, "snapshot"), file)),
  };
}

import type { ZulipReader } from "../model/api.ts";
import { readSnapshotFile } from "../zulip/snapshot-file.ts";
import { valueOrFailure } from "./checked.ts";
import { withSession } from "./connect.ts";
import type { ConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { readInput } from "./read-input.ts";

/** Reads a file that `realmctl snapshot` wrote, instead of the server. */
export function snapshotReader(io: Io, file: string): ZulipReader {
  return {
    snapshot: async () => valueOrFailure(readSnapshotFile(await readInput(io, file, "snapshot"), file)),
  };
}

/** Calls a function with the reader of the organization: the snapshot that `--snapshot` names, or the server. */
export function withReader<T>(
  io: Io,
  flags: ConnectionFlags & { readonly snapshot?: string },
  work: (reader: ZulipReader) => Promise<T>,
): Promise<T> {
  if (flags.snapshot !== undefined) return work(snapshotReader(io, flags.snapshot));
  return withSession(io, flags, ({ reader }) => work(reader));
}

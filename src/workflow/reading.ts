import { type OpenedConfig, openConfig } from "../config/read-config.ts";
import { kinds as allKinds } from "../kinds/registry.ts";
import type { SnapshotRequest, ZulipReader } from "../model/api.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, Failure } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { mayRequest, requestOf } from "../plan/requests.ts";
import type { LoadOptions } from "../source/load.ts";

/** The reading of an organization before it is compared with its file. */
export interface FirstReading {
  readonly snapshot: Snapshot;
  /** The parts that the reading had to include. */
  readonly reads: SnapshotRequest;
  /** The configuration that the reading is for, if it is known already. */
  readonly desired: Checked<Desired> | undefined;
}

/** The reading that the configuration needs: its content decides what to ask for. Most configurations need nothing more, and show it at once. */
export async function firstReading(
  config: OpenedConfig,
  reader: ZulipReader,
  known: readonly ResourceKind[],
): Promise<Checked<FirstReading>> {
  const offline = mayRequest(known, config.texts) ? config.decode() : undefined;
  const asked = requestOf(offline?.ok ? offline.value : undefined, known);
  let first: Pick<FirstReading, "snapshot" | "reads">;
  try {
    first = await readingOf(reader, asked);
  } catch (error) {
    // The errors of the file are known without a server, and are more than half of the answer.
    const alone = error instanceof Failure ? (offline ?? config.decode()) : undefined;
    if (alone?.ok === false) return alone;
    throw error;
  }
  const { snapshot, reads } = first;
  const realm = new Realm(snapshot);
  // An error that the file shows alone may be another one against the realm, and does not prevent the comparison of its other sections.
  const desired = offline?.ok === true ? undefined : config.decode(realm);
  const wanted = desired ?? offline;
  // Only the realm shows which of the file's channels are private: if their subscribers matter, a second reading is needed.
  const more = requestOf(wanted?.ok ? wanted.value : undefined, known, realm);
  const needsInvites = more.invites && !snapshot.account.is_bot;
  if ((!more.subscribers || reads.subscribers) && (!needsInvites || reads.invites))
    return { ok: true, value: { snapshot, reads, desired }, warnings: [] };
  const all = { subscribers: more.subscribers || reads.subscribers, invites: needsInvites || reads.invites };
  return { ok: true, value: { snapshot: await reader.snapshot(all), reads: all, desired: undefined }, warnings: [] };
}

/** A bot does not see invitations: then the plan says so of that section, and has the rest. */
async function readingOf(
  reader: ZulipReader,
  reads: SnapshotRequest,
): Promise<Pick<FirstReading, "snapshot" | "reads">> {
  try {
    return { snapshot: await reader.snapshot(reads), reads };
  } catch (error) {
    const isBot = error instanceof Failure && error.diagnostics[0]?.code === "zulip/bots-see-no-invites";
    if (!isBot) throw error;
    const less = { ...reads, invites: false };
    return { snapshot: await reader.snapshot(less), reads: less };
  }
}

/** A reader that reads something more, as far as the account sees it. */
export const readerWith = (reader: ZulipReader, reads: Partial<SnapshotRequest>): ZulipReader => ({
  async snapshot(request, signal) {
    const wanted = { ...request, ...reads };
    if (request.invites || !wanted.invites) return reader.snapshot(wanted, signal);
    // A bot does not see invitations, and the plan itself does not need them.
    return (await readingOf(reader, wanted)).snapshot;
  },
});

/**
 * The current organization, with everything that is needed to compare it with these files. Errors of the files are returned only if it cannot be
 * read.
 * @throws Failure if it cannot be read, and the files have no errors
 */
export async function snapshotFor(
  options: LoadOptions & { readonly reader: ZulipReader; readonly kinds?: readonly ResourceKind[] },
): Promise<Checked<Snapshot>> {
  const known = options.kinds ?? allKinds;
  const found = await firstReading(await openConfig({ ...options, kinds: known }), options.reader, known);
  return found.ok ? { ...found, value: found.value.snapshot } : found;
}

/** Reads for questions about access: always with subscribers, since they decide who reads what. The file decides what else is read. */
export const readerForQuestions = (reader: ZulipReader): ZulipReader => ({
  snapshot: (request, signal) => reader.snapshot({ ...request, subscribers: true }, signal),
});

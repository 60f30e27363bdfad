import { resolve, sep } from "node:path";
import { readRegular } from "../disk/read.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { error as diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { unreadable } from "../model/unreadable.ts";
import { type StoredSnapshot, stalePlan } from "../report/action/pages.ts";
import type { Artifact } from "./github.ts";
import { hasHidden, readSnapshotArtifact, SNAPSHOT_FILE } from "./hidden-snapshot.ts";
import type { Job } from "./job.ts";
import { unzipFile } from "./zip.ts";
import { valueOrFailure, withZulip } from "./zulip.ts";

/** The maximum unpacked size, five times that of a realm of 10,000 channels and 50,000 people. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The source of the realm's live state. */
export interface RealmSource {
  readonly reader: ZulipReader;
  /** Facts about a stored snapshot; undefined if the server itself is read. */
  readonly stored?: StoredSnapshot;
}

/**
 * Runs work on the realm that the inputs name: a snapshot of the default branch's job, a file, or the server.
 * @throws Failure if there is no such snapshot
 */
export async function withRealm<T>(job: Job, work: (source: RealmSource) => Promise<T>): Promise<T> {
  const { snapshot } = job.inputs;
  if (snapshot === undefined) return withZulip(job, ({ reader }) => work({ reader }));
  const text = snapshot === "artifact" ? await trustedArtifact(job) : await ownFile(job, snapshot);
  const { read, digest } = readSnapshotArtifact(text, snapshot === "artifact" ? SNAPSHOT_FILE : snapshot);
  const value = valueOrFailure(read);
  const ageHours = (job.clock.now() - Date.parse(value.taken_at)) / 3_600_000;
  return work({
    reader: job.conceal.reader({ snapshot: async (): Promise<Snapshot> => value }),
    stored: { digest, takenAt: value.taken_at, ageHours, hidden: hasHidden(value) },
  });
}

/** The newest artifact of a run on this repository's default branch. Others do not count: every pull request can upload an artifact of any name. */
async function trustedArtifact(job: Job): Promise<string> {
  const { defaultBranch } = job.event;
  const name = job.inputs.snapshotArtifact;
  const github = job.github();
  const found = await github.artifacts(name);
  const trusted = await newestTrusted(job, found);
  if (trusted === undefined)
    throw new Failure(
      EXIT.errors,
      diagnostic("snapshot/no-artifact", {
        artifact: name,
        are_others: found.length > 0,
        ...defined({ branch: defaultBranch }),
      }),
    );
  if (trusted.sizeBytes > MOST_BYTES)
    throw new Failure(
      EXIT.errors,
      diagnostic("snapshot/too-large", { artifact: name, most_mebibytes: MOST_BYTES / 2 ** 20 }),
    );
  return unzipFile(await github.downloadArtifact(trusted.id), SNAPSHOT_FILE, MOST_BYTES);
}

/** A file that an earlier step wrote; a file in the checkout could be a pull request's link to anything. */
async function ownFile({ workspace }: Job, file: string): Promise<string> {
  const path = resolve(workspace, file);
  try {
    return await readRegular(path, {
      mostBytes: MOST_BYTES,
      ...defined({ below: path.startsWith(workspace + sep) ? workspace : undefined }),
    });
  } catch (error) {
    throw new Failure(EXIT.errors, diagnostic("snapshot/cannot-read", { file, why: unreadable(error) }));
  }
}

/** What a reviewer has to know first: an old snapshot may differ from the organization of today. */
export function staleNote(stored: RealmSource["stored"], mostHours: number): string | undefined {
  return stored === undefined || stored.ageHours <= mostHours ? undefined : stalePlan(mostHours);
}

/** The maximum number of artifacts that are checked; each costs a request. */
const MOST_TRIED = 20;

/**
 * The newest artifact of that name that a run on this repository's default branch uploaded. Every pull request can upload an artifact of any name,
 * and people who cannot push to the default branch may still push a tag with its name. So the run's repository is compared by its number, and its
 * commit must be in the history of that branch.
 */
export async function newestTrusted(
  { event, github }: Pick<Job, "event" | "github">,
  found: readonly Artifact[],
): Promise<Artifact | undefined> {
  const { repositoryId, defaultBranch } = event;
  if (repositoryId === undefined || defaultBranch === undefined) return undefined;
  const likely = found.filter(
    ({ headBranch, headRepositoryId }) => headRepositoryId === repositoryId && headBranch === defaultBranch,
  );
  const checked = new Map<string, boolean>();
  for (const artifact of likely.slice(0, MOST_TRIED)) {
    const known = checked.get(artifact.headSha) ?? (await github().contains(defaultBranch, artifact.headSha));
    checked.set(artifact.headSha, known);
    if (known) return artifact;
  }
  return undefined;
}

import type { Artifact } from "./github.ts";
import type { Job } from "./job.ts";

/** Each costs a request. */
const MOST_TRIED = 20;

/**
 * The newest artifact of that name that a run of the default branch of this repository uploaded. Every pull request can upload one of
 * any name, and who may not push to the default branch may still push a tag that is called like it: so the run's repository counts by
 * its number, and its commit has to be one of that branch.
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

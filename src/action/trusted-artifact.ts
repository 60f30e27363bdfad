import type { Artifact } from "./github.ts";
import type { Job } from "./job.ts";

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

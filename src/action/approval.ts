import { EXIT, error, Failure } from "../model/diagnostic.ts";

/** A person's review of a pull request. */
export interface Review {
  readonly reviewer: string;
  /** The state in GitHub's spelling: APPROVED, CHANGES_REQUESTED, DISMISSED, COMMENTED. */
  readonly state: string;
  readonly commit: string;
  /** The time of the review (ISO 8601). */
  readonly at: string;
  /** Whether GitHub counts their approval: owner, member or collaborator. */
  readonly counts: boolean;
}

/**
 * When the merged commit was approved last. Only the last review of each reviewer counts: somebody who requests changes after approving, or whose
 * approval was dismissed, no longer approves.
 * @returns ISO 8601; undefined if nobody approves that commit
 */
export function approvedAt(reviews: readonly Review[], commit: string): string | undefined {
  const last = new Map<string, Review>();
  for (const review of [...reviews].sort((a, b) => (a.at < b.at ? -1 : 1)))
    if (review.counts && review.state !== "COMMENTED" && review.state !== "PENDING") last.set(review.reviewer, review);
  return [...last.values()]
    .filter((review) => review.state === "APPROVED" && review.commit === commit)
    .map(({ at }) => at)
    .sort()
    .at(-1);
}

export function notApproved(pull: number, isPlannedLater: boolean): Failure {
  return new Failure(EXIT.refusedByGuard, error("reviewed/not-approved", { pull, is_planned_later: isPlannedLater }));
}

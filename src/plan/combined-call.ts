import type { DraftCall } from "../model/draft-call.ts";

/** The purpose, expectations, dependencies and effects of several calls that become one, and the rights that it needs. */
export function combinedCall(
  drafts: readonly DraftCall[],
): Required<Pick<DraftCall, "for" | "expects" | "needs" | "softNeeds" | "provides" | "creates" | "uses" | "reads">> {
  return {
    for: drafts.flatMap((draft) => draft.for),
    expects: drafts.flatMap(({ expects = [] }) => expects),
    needs: drafts.flatMap(({ needs = [] }) => needs),
    softNeeds: drafts.flatMap(({ softNeeds = [] }) => softNeeds),
    provides: drafts.flatMap(({ provides = [] }) => provides),
    creates: drafts.flatMap(({ creates = [] }) => creates),
    uses: [...new Set(drafts.flatMap(({ uses = [] }) => uses))],
    reads: [...new Set(drafts.flatMap(({ reads = [] }) => reads))],
  };
}

import type { DraftCall } from "../../model/draft-call.ts";
import { type Change, fieldIn, objectChanges } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { allUnchanged, removedAndAdded } from "../requests.ts";

/** Who may add emoji: a setting of the organization from which no role is exempt. */
export const ADDING_RIGHT = "can_add_custom_emoji_group";

/** To replace a picture, the emoji is removed and added again (zulip-api.md §12.4). */
export const emojiCalls = (changes: readonly Change[], context: PlanContext): readonly DraftCall[] =>
  objectChanges(changes).flatMap((change) => ownCalls(change, context));

const ownCalls = removedAndAdded({
  add: ({ name, fields }) => ({
    operation: "upload-custom-emoji",
    uses: [ADDING_RIGHT],
    path: { emoji_name: name },
    params: { file: fieldIn(fields, "image")?.after ?? null },
    rank: 55,
  }),
  remove: (change, context) => ({
    operation: "deactivate-custom-emoji",
    path: { emoji_name: change.name },
    // Somebody may have uploaded another picture in the meantime.
    expects: allUnchanged(change, context),
    rank: 54,
  }),
});

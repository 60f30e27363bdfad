import { removed } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { type Change, type ObjectChange, objectChanges, type Param } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";

const RANK = { remove: 54, add: 55 } as const;

/** To replace a picture, the emoji is removed and added again (zulip-api.md §12.4). */
export function emojiCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).flatMap((change) => ownCalls(change, context));
}

function ownCalls(change: ObjectChange, context: PlanContext): readonly DraftCall[] {
  switch (change.action) {
    case "create":
      return [uploadCall(change)];
    case "update":
      return [removeCall(change, context), uploadCall(change)];
    case "remove":
      return [removeCall(change, context)];
  }
}

/** Two for an emoji that gets another picture. */
export function leastEmojiCalls(changes: readonly Change[]): number {
  return changes.length + changes.filter(({ action }) => action === "update").length;
}

/** Who may add emoji: a setting of the organization from which no role is exempt. */
export const ADDING_RIGHT = "can_add_custom_emoji_group";

function uploadCall({ action, address, name, fields }: Change): DraftCall {
  const file: Param = fields.find(({ field }) => field === "image")?.after ?? null;
  return {
    operation: "upload-custom-emoji",
    uses: [ADDING_RIGHT],
    path: { emoji_name: name },
    params: { file },
    for: [{ address, fields: fields.map(({ field }) => field) }],
    ...(action === "create"
      ? { expects: [{ address, field: "exists", value: false }] }
      : { needs: [removed(address)] }),
    creates: [address],
    rank: RANK.add,
  };
}

function removeCall({ address, name, fields }: Change, context: PlanContext): DraftCall {
  const before = Object.entries(context.pair(address)?.live?.fields ?? {});
  return {
    operation: "deactivate-custom-emoji",
    path: { emoji_name: name },
    params: {},
    for: [{ address, fields: fields.map(({ field }) => field) }],
    // Somebody may have uploaded another picture in the meantime.
    expects: before.map(([field, value]) => ({ address, field, value })),
    provides: [removed(address)],
    rank: RANK.remove,
  };
}

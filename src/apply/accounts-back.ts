import type { Named } from "../model/facts.ts";
import type { Call, Change, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { textsIn } from "../model/texts.ts";

/**
 * Accounts that a plan reactivated and that the remaining changes would remove again: from groups, permissions or channels that they were in before,
 * and that no reading shows for a deactivated account (zulip-api.md §17.4).
 */
export function accountsBack(
  { calls, changes }: Pick<Plan, "calls" | "changes">,
  remaining: readonly Change[],
  snapshot: Snapshot,
): readonly Named[] {
  const returning = calls.filter(({ operation }) => operation === REACTIVATION);
  if (returning.length === 0) return [];
  const realm = new Realm(snapshot);
  const leaving = new Set(remaining.flatMap(({ fields }) => fields.flatMap(takenOut)));
  const isLeaving = (name: string | undefined): boolean => name !== undefined && leaving.has(name);
  const back = new Set(returning.filter((call) => isLeaving(nameIn(call, realm))).map(addressOf));
  return changes.filter(({ address }) => back.has(address)).map(({ address, name }) => ({ address, name }));
}

const REACTIVATION = "reactivate-user";

const addressOf = ({ for: [purpose] }: Call): string | undefined => purpose?.address;

function nameIn({ path: { user_id } }: Call, realm: Realm): string | undefined {
  return typeof user_id === "number" && realm.user(user_id) !== undefined ? realm.userName(user_id) : undefined;
}

function takenOut({ before, after }: Change["fields"][number]): readonly string[] {
  const kept = new Set(textsIn(after));
  return textsIn(before).filter((text) => !kept.has(text));
}

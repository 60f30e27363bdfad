import { BOT, DEFAULT_CHANNEL, ORGANIZATION, SETTINGS } from "../access/scope.ts";
import { defined } from "../model/defined.ts";
import { SINGLETON } from "../model/kind.ts";
import type { Change } from "../model/plan.ts";

/**
 * What the server changes together with an object, and what has no change of its own in the plan: bots that go with their owner, and what an archived channel
 * was for the organization. From the facts of which risks speak. Without ids, and
 * without the invitations of people who leave: the facts have only their number.
 */
export function takenAlong(change: Change): readonly Change[] {
  return change.risks.flatMap(({ fact, at = change.at }): readonly Change[] => {
    const base = { fields: [], risks: [], ...defined({ at }) };
    if (fact.kind === "account-deactivated")
      return fact.bots.map(({ address, name }) => ({ ...base, action: "remove", kind: BOT, address, name }));
    if (fact.kind !== "archived") return [];
    const name = change.was ?? change.name;
    const wasDefault = {
      ...base,
      action: "remove",
      kind: DEFAULT_CHANNEL,
      address: `${DEFAULT_CHANNEL}:${name}`,
      name,
    } as const;
    const fields = fact.cleared.map((field) => ({ field, before: name, after: null }));
    const pointed = {
      ...base,
      action: "update",
      kind: SETTINGS,
      address: ORGANIZATION,
      name: SINGLETON,
      fields,
    } as const;
    return [...(fact.ends_default === true ? [wasDefault] : []), ...(fields.length > 0 ? [pointed] : [])];
  });
}

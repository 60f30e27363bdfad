import { botOfLeavingPerson } from "../../access/scope.ts";
import { defined } from "../../model/defined.ts";
import { type Dependency, exists, inactive, written } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { indexed } from "../../model/indexed.ts";
import type { Json } from "../../model/json.ts";
import type { Pair } from "../../model/objects.ts";
import { type Call, type Change, type FieldChange, fieldIn, objectChanges, serverId } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { isRole, losesRights, ROLE, type RoleWord } from "../../model/roles.ts";
import { becomesOwner, needsTwoOwners, ownersThroughout, roleBefore } from "./check.ts";

/**
 * Among requests that nothing else orders, those that take rights away come first and those that give rights come late. The safe order is worked out
 * from all requests (docs/internals/decisions/0014-nothing-is-open-in-between.md).
 */
const RANK = { loses: -10, gains: 140 } as const;

/**
 * A role and activity are two requests. A reactivated account has its new role already; before a deactivation, the account loses the rights that it
 * is to lose, and gains none.
 */
export function personCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const people = objectChanges(changes);
  const oneStays = ownersThroughout(people, context) > 0;
  const newOwners = people.flatMap((change) => (becomesOwner(change, context) ? ownership(change) : []));
  return people.flatMap((change) => {
    const { address, fields } = change;
    const role = fieldIn(fields, "role");
    const activity = fieldIn(fields, "deactivated");
    const leaves = activity?.after === true;
    // There is an owner at every moment, and as many as the policy requires, if the plan leaves as many and that opens nothing in between.
    const succeeded = roleBefore(change, context) === "owner" ? newOwners : [];
    const [needed, wished] = oneStays ? [[], succeeded] : [succeeded, []];
    const waits = needsTwoOwners(change, context) && ownersThroughout(people, context) < 2;
    const calls: DraftCall[] = [];
    if (role !== undefined) {
      const loses = losesRights(role);
      calls.push({
        operation: "update-user",
        path: { user_id: serverId(change) },
        params: { role: ROLE[roleOf(role.after)] },
        ...common(change, role),
        needs: [...(loses ? (waits ? newOwners : needed) : []), ...(leaves && !loses ? [inactive(address)] : [])],
        softNeeds: loses ? wished : [],
        provides: [written(address)],
        rank: loses ? RANK.loses : RANK.gains,
      });
    }
    if (activity !== undefined)
      calls.push({
        operation: leaves ? "deactivate-user" : "reactivate-user",
        path: { user_id: serverId(change) },
        params: {},
        ...common(change, activity),
        needs: leaves
          ? [...needed, ...(losesRights(role) ? [written(address)] : [])]
          : calls.length === 0
            ? []
            : [written(address)],
        softNeeds: leaves ? wished : [],
        provides: [leaves ? inactive(address) : exists(address)],
        rank: leaves ? RANK.loses : RANK.gains,
        // Their bots are deactivated with them (zulip-api.md §17.4), and need no separate request.
        ...defined({
          mergeTarget: leaves ? { address, params: [] } : undefined,
          riders: leaves ? botsLeaving(change, context) : undefined,
        }),
      });
    return calls;
  });
}

/** One request for a role, one for a deactivation or reactivation. */
export function leastPersonCalls(changes: readonly Change[]): number {
  return changes.reduce((sum, { fields }) => sum + fields.length, 0);
}

function common(change: Change, { field, before }: FieldChange): Pick<DraftCall, "for" | "expects"> {
  const { address } = change;
  return {
    for: [{ address, fields: [field] }],
    expects: [{ address, id: serverId(change), field, value: before }],
  };
}

function roleOf(value: Json): RoleWord {
  if (!isRole(value)) throw new RangeError(`no role ${JSON.stringify(value)}`);
  return value;
}

const changedById = indexed<Pair>(({ change }) => (change?.id === undefined ? [] : [String(change.id)]));

/** Bots that are deactivated with their owner and that the plan does not mention: each can be deactivated earlier by a separate request. */
function botsLeaving(change: Change, context: PlanContext): readonly DraftCall[] {
  const bots = context.pairs("bots");
  return context.realm
    .botsOf(serverId(change))
    .filter(({ user_id, is_active }) => is_active && changedById(bots, String(user_id)).length === 0)
    .map(({ user_id }) => ({
      operation: "deactivate-bot",
      path: { bot_id: user_id },
      params: {},
      for: [{ address: change.address, fields: ["deactivated"] }],
      expects: [{ address: change.address, id: serverId(change), field: "deactivated", value: false }],
      provides: [inactive(botOfLeavingPerson(user_id))],
    }));
}

/** The bot that a request deactivates before its owner. */
export function botEndedAhead({
  operation,
  path,
}: Call): { readonly section: string; readonly id: number } | undefined {
  const { bot_id: id } = path;
  return operation === "deactivate-bot" && typeof id === "number" ? { section: "bots", id } : undefined;
}

/** Whether a bot that is deactivated before its owner is inactive: the request is a part of the owner's change, and is done before it. */
export function showsBotLeaving(
  { field }: FieldChange,
  _: Json,
  by: { readonly call?: Call; readonly realm: Realm },
): boolean {
  const id = by.call?.operation === "deactivate-bot" ? by.call.path.bot_id : undefined;
  return field === "deactivated" && typeof id === "number" && by.realm.user(id)?.is_active === false;
}

const ownership = ({ address }: Change): readonly Dependency[] => [written(address), exists(address)];

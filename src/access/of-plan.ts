import { type Named, namedOf } from "../model/facts.ts";
import { once, oncePer } from "../model/lazy.ts";
import type { Address, Change } from "../model/plan.ts";
import type { PlanContext, PlannedChanges } from "../model/plan-context.ts";
import { type GroupValue, Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import { AccessDifference } from "./difference.ts";
import { projectedState } from "./projected.ts";
import { namedAfter } from "./renamed.ts";
import { isAccountKind } from "./scope.ts";
import { type AccessState, INCOMING_WEBHOOK, stateOf } from "./state.ts";

/** Who may do what before a plan and after it, both with the names that the plan gives. */
export interface PlanAccess {
  readonly before: AccessState;
  readonly after: AccessState;
  readonly difference: AccessDifference;
  readonly changes: ReadonlyMap<Address, Change>;
}

/** The access states of a plan in the making, computed once. */
export const accessIn = oncePer((context: PlannedChanges): PlanAccess => {
  const before = stateOf(context.realm);
  const after = once(() => projectedState(before, context.changes, context.realm));
  const difference = once(() => new AccessDifference(before, after()));
  return {
    before,
    // Computed when it is used: some kinds only ask who holds a right now.
    get after() {
      return after();
    },
    get difference() {
      return difference();
    },
    changes: new Map(context.changes.map((change) => [change.address, change])),
  };
});

/** Objects by their names in the plan, as what is said about them. */
export const objectsNamed = (
  { changes }: PlanAccess,
  names: readonly string[],
  addressOf: (name: string) => Address,
): readonly Named[] => names.map((name) => namedOf(changes.get(addressOf(name)) ?? { address: addressOf(name), name }));

export interface States {
  readonly realm: Realm;
  readonly before: AccessState;
  readonly after: AccessState;
  readonly difference: AccessDifference;
}

/** Like {@link statesOf}, with the bots that the plan creates: their owners act through them. */
export function statesWithBots(changes: readonly Change[], read: Realm): States {
  const made = withNewBots(changes, read);
  const states = statesOf(made.changes, made.realm);
  states.after.facts = { ...states.after.facts, newBots: made.bots };
  return states;
}

/** The access states before and after a finished plan, both with the names that the plan gives. */
export function statesOf(changes: readonly Change[], read: Realm): States {
  const realm = namedAfter(read, changes);
  const before = stateOf(realm);
  const after = projectedState(before, changes, realm);
  return { realm, before, after, difference: new AccessDifference(before, after) };
}

/**
 * Whether the account has the right that a setting of the organization gives before the plan or after it: the planner sends the requests that use it
 * at that time (src/plan/own-rights.ts). Servers without the setting have other rules.
 */
export function maySometime(setting: string, context: PlanContext): boolean {
  if (context.realm.setting(setting) === undefined) return true;
  const { before, after } = accessIn(context);
  return [before, after].some((state) => organizationNamesAccount(setting, state, context));
}

/**
 * Whether a setting of one object names the account before the plan, or once the plan changed who is in which group. The setting itself is the one
 * from before: only who has the right may change it.
 */
export function maySometimeBy(value: GroupValue | undefined, context: PlanContext): boolean {
  const { before, after } = accessIn(context);
  return namesAccount(value, before, context) || namesAccount(value, after, context);
}

/** Whether the value of a setting names the account that the plan is made for, directly or through its groups. */
export function namesAccount(
  value: GroupValue | undefined,
  state: AccessState,
  context: Pick<PlanContext, "snapshot">,
): boolean {
  return state.peopleIn(value).has(context.snapshot.account.user_id);
}

/**
 * Whether a setting of the organization (`can_create_public_channel_group`, …) names the account that the plan is made for. False if the setting is
 * unknown.
 */
export function organizationNamesAccount(
  setting: string,
  state: AccessState,
  context: Pick<PlanContext, "snapshot">,
): boolean {
  return namesAccount(state.organization.get(setting), state, context);
}

/**
 * The realm with the bots that a plan creates, as inactive accounts, and the plan as if it reactivated them. So they are accounts like all others in
 * questions about rights. A new bot is a member, and belongs to the account that creates it, if the plan does not say otherwise.
 */
export function withNewBots(
  changes: readonly Change[],
  realm: Realm,
): { readonly changes: readonly Change[]; readonly realm: Realm; readonly bots: ReadonlyMap<Address, number> } {
  const made = changes.filter(({ kind, action }) => action === "create" && isAccountKind(kind));
  if (made.length === 0) return { changes, realm, bots: new Map() };
  const ids = new Map(made.map((change, index) => [change, -1 - index]));
  const users = made.map((change) => ({
    user_id: ids.get(change) ?? 0,
    email: change.address,
    delivery_email: null,
    full_name: change.name,
    role: ROLE.member,
    is_active: false,
    is_bot: true,
    bot_type: isWebhook(change) ? INCOMING_WEBHOOK : null,
    // Nobody has owned it before, so nobody has seen its key: realmctl removes it from the answer.
    bot_owner_id: null,
  }));
  const { snapshot } = realm;
  const maker = realm.userName(snapshot.account.user_id);
  return {
    realm: new Realm({ ...snapshot, users: [...snapshot.users, ...users] }),
    changes: changes.map((change) => {
      const id = ids.get(change);
      if (id === undefined) return change;
      const { kind, address, name, fields, risks } = change;
      const comes = { field: "deactivated", before: true, after: false };
      const owned = fields.some(({ field }) => field === "owner")
        ? []
        : [{ field: "owner", before: null, after: maker }];
      return { kind, address, name, risks, action: "update", id, fields: [...fields, ...owned, comes] };
    }),
    bots: new Map(made.map((change) => [change.address, ids.get(change) ?? 0])),
  };
}

const isWebhook = ({ fields }: Change): boolean =>
  fields.some(({ field, after }) => field === "type" && after === "incoming_webhook");

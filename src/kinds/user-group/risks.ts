import type { Shifted } from "../../access/difference.ts";
import { groupsIn } from "../../access/joining.ts";
import { accessIn, namesAccount, objectsNamed, organizationNamesAccount } from "../../access/of-plan.ts";
import { administeredIn, openedIn } from "../../access/opened-channels.ts";
import { ADMINISTER, decidesReading, ENTRY_FIELDS, MANAGE_ALL } from "../../access/rules.ts";
import { channelAddress, isGroup, ORGANIZATION } from "../../access/scope.ts";
import type { AccessState } from "../../access/state.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import { oncePer } from "../../model/lazy.ts";
import { isRightName } from "../../model/permission-settings.ts";
import { type Change, fieldIn, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue } from "../../model/realm.ts";
import { openedToInvited } from "../invited-into.ts";
import { mayJoinInto, membershipFacts, shiftRisks, sizesOf } from "../may-join-into.ts";

type Add = (kind: FoundRisk["kind"], fact: RiskFact, field: string) => void;

/**
 * The changes that a reviewer must see first: who joins or leaves, what they can then read, who gains which right, and which groups are deactivated.
 */
export function groupRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const found: FoundRisk[] = [];
  const object = namedOf(change);
  const add: Add = (kind, fact, field) => found.push({ kind, fact, field });
  if (sets(change.fields, "deactivated", true)) add("removes", { kind: "deactivated", object }, "deactivated");
  if (change.action === "create" || change.action === "remove") return found;
  if (sets(change.fields, "deactivated", false)) add("widens", { kind: "reactivated", object }, "deactivated");
  membershipRisks(change, context, add);
  joiningRisks(change, context, add);
  found.push(...openedToInvited(change, context));
  throughGroupRisks(change, context, add);
  for (const { field } of change.fields) {
    if (!isRightName(field)) continue;
    const { difference, after } = accessIn(context);
    const pair = difference.pairOf(after.group(change.name));
    if (pair === undefined) continue;
    const right = { kind: "right", object, setting: field, at_most: false } as const;
    const sizes = sizesOf(difference.usable(pair, field), context);
    found.push(...shiftRisks(sizes, (shift, people) => ({ ...right, shift, people }), field));
  }
  const cause = ["can_manage_group", "members", "subgroups"].find(
    (field) => fieldIn(change.fields, field) !== undefined,
  );
  if (cause !== undefined && letsGo(change, context)) {
    const { user_id, full_name } = context.snapshot.account;
    add("lockout", { kind: "account-locked-out", object, account: { user_id, full_name }, from: "managing" }, cause);
  }
  return found;
}

/** Whether the account gives up the right to manage the group: by the setting, or by leaving the groups that the setting names. */
function letsGo(change: Change, context: PlanContext): boolean {
  const { before, after } = accessIn(context);
  const field = fieldIn(change.fields, "can_manage_group");
  const live = context.pair(change.address)?.live?.fields.can_manage_group ?? null;
  const manages = (on: AccessState, value: Json): boolean =>
    organizationNamesAccount(MANAGE_ALL, on, context) || namesAccount(asGroupValue(value), on, context);
  return manages(before, field?.before ?? live) && !manages(after, field?.after ?? live);
}

function membershipRisks(change: Change, context: PlanContext, add: Add): void {
  const field = membersIn(change);
  if (field === undefined || change.id === undefined) return;
  const object = namedOf(change);
  const access = accessIn(context);
  for (const shift of ["gained", "lost"] as const)
    for (const fact of [...membershipFacts(object, shift, access), ...botsReading(change, shift, context)])
      add(shift === "gained" ? "widens" : "narrows", fact, field.field);
}

/** Channels that somebody reads by the key of a bot that comes into the group or leaves it: bots are not in the number of its members. */
function botsReading({ name }: Change, shift: keyof Shifted, context: PlanContext): readonly RiskFact[] {
  const access = accessIn(context);
  const { after, changes, difference } = access;
  const state = shift === "gained" ? after : access.before;
  const { bots, owners } = state.accounts;
  const ids = [...difference.members(name)[shift].and(bots)].flatMap((bot) => owners.get(bot) ?? []);
  if (ids.length === 0) return [];
  const people = after.population.of(ids);
  const opened = openedIn(difference)[shift === "gained" ? "after" : "before"].of(state.groupsAround([name]));
  return objectsNamed(access, opened, channelAddress).flatMap((object): readonly RiskFact[] => {
    // Its own change says it.
    if (changes.get(object.address)?.fields.some(({ field }) => decidesReading(field)) === true) return [];
    const pair = difference.pairOf(after.channel(object.name));
    const shifted = pair && difference.reading(pair);
    if (shifted === undefined || shifted[shift].and(people).size === 0) return [];
    return [{ kind: "readers", object, shift, people: sizesOf(shifted, context)[shift], at_most: false }];
  });
}

/**
 * Rights of which nobody knows what they allow, and the bill: who gets them through the group is said by the group's own change, since no other line of the
 * plan does.
 */
function throughGroupRisks(change: Change, context: PlanContext, add: Add): void {
  const field = membersIn(change);
  if (field === undefined) return;
  for (const { fact, by } of shiftsThroughGroups(context))
    if (by === change.address) add(fact.shift === "gained" ? "widens" : "narrows", fact, field.field);
}

const membersIn = ({ fields }: Change) => fields.find(({ field }) => field === "members" || field === "subgroups");

/** Who has a right on another object, or no longer. */
interface Through {
  readonly fact: Extract<RiskFact, { readonly kind: "right" | "organization-right" }>;
  /** The first group of the plan that is a cause. */
  readonly by: Change["address"];
}

const BILLING = { scope: "organization", right: "workplace_users_group" } as const;

/** The settings that keep their values while the groups that they name change; computed once for a plan. */
const shiftsThroughGroups = oncePer((context: PlanContext) => {
  const access = accessIn(context);
  const { difference, after, changes } = access;
  const causes = context.changes.flatMap((change) =>
    isGroup(change) && membersIn(change) !== undefined
      ? [{ by: change.address, around: after.groupsAround([change.name]) }]
      : [],
  );
  return [...after.facts.otherRights, BILLING].flatMap(({ scope, right }) =>
    [...difference.pairs([scope])].flatMap((pair) => {
      const { was, is } = pair;
      const groups = groupsIn((is === "organization" ? after.organization : is.settings).get(right));
      const cause = causes.find(({ around }) => groups.some((group) => around.has(group)));
      if (was === undefined || cause === undefined) return [];
      const address = is === "organization" ? ORGANIZATION : (`${is.kind}:${is.name}` as const);
      if (fieldIn(changes.get(address)?.fields, right) !== undefined) return [];
      const sizes = sizesOf(difference.usable(pair, right), context);
      const [object] = is === "organization" ? [] : objectsNamed(access, [is.name], () => address);
      return (["gained", "lost"] as const).flatMap((shift): readonly Through[] => {
        const people = sizes[shift];
        if (people === 0 || (shift === "lost" && right !== BILLING.right)) return [];
        const what = { setting: right, shift, people };
        if (object === undefined) return [{ by: cause.by, fact: { kind: "organization-right", ...what } }];
        return [{ by: cause.by, fact: { kind: "right", object, ...what, at_most: false } }];
      });
    }),
  );
});

/** People who may add themselves to the group, and can then read what its members can read, and administer what they administer. */
function joiningRisks(change: Change, context: PlanContext, add: Add): void {
  const field = [...ENTRY_FIELDS, "members", "subgroups", "deactivated"].find(
    (each) => fieldIn(change.fields, each) !== undefined,
  );
  if (field === undefined) return;
  const access = accessIn(context);
  const { difference } = access;
  const ahead = difference.ways.ahead([change.name]);
  const facts = [
    mayJoinInto(change, openedIn(difference).after.of(ahead), context),
    mayJoinInto(change, administeredIn(difference).after.of(ahead), context, ADMINISTER),
  ];
  for (const fact of facts) if (fact !== undefined) add("widens", fact, field);
}

import type { Newcomer, Shifted } from "../access/difference.ts";
import type { Stepped } from "../access/joining.ts";
import { accessIn, objectsNamed, type PlanAccess } from "../access/of-plan.ts";
import { movedIn } from "../access/opened-channels.ts";
import type { People } from "../access/people.ts";
import { READ } from "../access/rules.ts";
import { channelAddress, groupAddress, isAccountKind, isGroup } from "../access/scope.ts";
import { isPrivate } from "../access/state.ts";
import { defined } from "../model/defined.ts";
import type { FoundRisk } from "../model/facets.ts";
import { type Named, namedOf, type RiskFact } from "../model/facts.ts";
import { addTo, oncePer } from "../model/lazy.ts";
import { type Change, fieldIn } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";

type MayJoinInto = Extract<RiskFact, { readonly kind: "may-join-into" }>;

/**
 * Who can come to read private channels, or to administer channels, by joining groups and could not before, because of a change of a channel, of a group or of
 * the organization.
 * @param names the channels that it may be
 */
export function mayJoinInto(
  change: Change,
  names: Iterable<string>,
  context: PlanContext,
  right: Stepped = READ,
): RiskFact | undefined {
  const access = accessIn(context);
  const { after, difference } = access;
  const object = namedOf(change);
  const groups = new Set<string>();
  let people = after.population.nobody;
  const newcomers = new Set<Newcomer>();
  const channels = [...names].filter((name) => {
    const joining = difference.joining(name, object, right);
    const last = difference.ways.groupsOf(name, joining.gained, right);
    for (const group of isGroup(change) && last.includes(change.name) ? [change.name] : last) groups.add(group);
    people = people.or(joining.gained);
    for (const newcomer of joining.newcomers) newcomers.add(newcomer);
    return joining.gained.size + joining.newcomers.length > 0;
  });
  if (channels.length === 0) return undefined;
  return {
    kind: right === READ ? "may-join-into" : "may-administer",
    object,
    people: people.size,
    ...defined({ newcomers: newcomers.size === 0 ? undefined : [...newcomers] }),
    groups: groups.size === 0 && isGroup(change) ? [object] : objectsNamed(access, [...groups], groupAddress),
    channels: objectsNamed(access, channels, channelAddress),
  };
}

/** The same because of a change of an account: its role, or that it is in use again. The owner of a bot comes in with the bot's key. */
export function accountMayJoinInto(change: Change, context: PlanContext): FoundRisk[] {
  const access = accessIn(context);
  const { after, difference } = access;
  const { id, fields } = change;
  // What a bot opens to its new owner is said of that.
  if (id === undefined || fieldIn(fields, "owner") !== undefined) return [];
  const person = after.account(id)?.owner ?? id;
  const channels = (joinedBy(access, context).get(person) ?? []).filter((name) => difference.ways.admits(name, id));
  if (channels.length === 0) return [];
  const those = after.population.of([person]);
  const groups = new Set(channels.flatMap((name) => difference.ways.groupsOf(name, those)));
  const fact: MayJoinInto = {
    kind: "may-join-into",
    object: namedOf(change),
    people: 1,
    groups: objectsNamed(access, [...groups], groupAddress),
    channels: objectsNamed(access, channels, channelAddress),
  };
  return [{ kind: "widens", fact, field: fields[0]?.field }];
}

/** The channels that people can come into, of those whose accounts, or bots, the plan changes. */
const joinedBy = oncePer(({ after, difference }: PlanAccess, { changes }: PlanContext) => {
  const concerned = after.population.of(
    changes.flatMap(({ kind, id }) =>
      id !== undefined && isAccountKind(kind) ? (after.account(id)?.owner ?? id) : [],
    ),
  );
  const found = new Map<number, string[]>();
  for (const channel of after.channels())
    if (isPrivate(channel))
      for (const id of difference.joining(channel.name).gained.and(concerned)) addTo(found, id, channel.name);
  return found;
});

/** Who comes into a group or leaves it: those for whom it opens or closes channels, with these channels, and the others. */
export function membershipFacts(object: Named, shift: keyof Shifted, access: PlanAccess): readonly RiskFact[] {
  const { readers, others, channels } = movedIn(access.difference, object.name, shift);
  return [
    { people: readers.size, channels: objectsNamed(access, channels, channelAddress) },
    { people: others.size, channels: [] },
  ].flatMap((part) => (part.people === 0 ? [] : [{ kind: "members", object, shift, ...part }]));
}

/** How many people (not bots) gain something, and how many lose it. */
export function sizesOf({ gained, lost }: Shifted, context: PlanContext): Readonly<Record<keyof Shifted, number>> {
  const { accounts, population } = accessIn(context).before;
  const size = (people: People): number => people.sizeWithout(accounts.bots, population.nobody);
  return { gained: size(gained), lost: size(lost) };
}

/** The two risks of what some people gain and others lose; none of what nobody does. */
export const shiftRisks = (
  sizes: Readonly<Record<keyof Shifted, number>>,
  factOf: (shift: keyof Shifted, people: number) => RiskFact,
  field?: string,
): readonly FoundRisk[] =>
  (["gained", "lost"] as const).flatMap((shift) =>
    sizes[shift] === 0
      ? []
      : [{ kind: shift === "gained" ? "widens" : "narrows", fact: factOf(shift, sizes[shift]), field }],
  );

import type { AccessDifference } from "../access/difference.ts";
import { statesWithBots } from "../access/of-plan.ts";
import type { People } from "../access/people.ts";
import { insidersOf } from "../access/rights.ts";
import { READER_FIELDS } from "../access/rules.ts";
import { channelAddress, isChannel, isGroup } from "../access/scope.ts";
import { type AccessChannel, type AccessState, isPrivate } from "../access/state.ts";
import type { Counted } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import { type Named, namedOf } from "../model/facts.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";

/** Something that counts against a limit: people, or one object if no people are known. */
export interface Item {
  readonly counted: Counted;
  /** The object whose change causes it. */
  readonly object: Named;
  readonly people?: People;
  /** How many, if it is not about people or about one object. */
  readonly amount?: number;
  readonly at?: Span;
  /** Counted since private channels that the account does not see may admit somebody. */
  readonly isUnseen?: true;
  /** Shown, and asked about only in an undo: who administers one channel or group. */
  readonly isUnasked?: true;
  /** Not counted (the amount is 0): invitations, which were not read, would decide. */
  readonly isUnread?: true;
}

export interface Access {
  readonly difference: AccessDifference;
  /** People who are owners, before the plan and after it. */
  readonly owners: { readonly before: number; readonly after: number };
  /** People who can read a channel, or are in a group, before the plan and not after it. */
  readonly losses: readonly Item[];
  /** Private channels that somebody can reach now (or that are new), and nobody can reach afterwards. */
  readonly unreachable: readonly { readonly object: Named; readonly at?: Span }[];
}

/** Who loses access to what. Groups are included, since they open channels. */
export function accessOf(plan: Plan, realm: Realm): Access {
  const { before, after, difference } = statesWithBots(plan.changes, realm);
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const losses: Item[] = [];
  const counted = "people_losing_access";
  const unreachable: { object: Named; at?: Span }[] = [];
  const { bots } = before.accounts;
  for (const pair of difference.channels()) {
    const { was, is } = pair;
    const change = changes.get(channelAddress(is.name));
    const place = placeOf(change, READER_FIELDS);
    const cause = change ?? { name: is.name, address: channelAddress(is.name) };
    const people = difference.reading(pair).lost.minus(bots);
    if (people.size > 0) losses.push({ counted, object: namedOf(cause), people, ...place });
    if (!was.archived && isUnreachable(after, is) && !isUnreachable(before, was))
      unreachable.push({ object: namedOf(cause), ...place });
  }
  for (const change of plan.changes) {
    const made = isChannel(change) && change.action === "create" ? after.channel(change.name) : undefined;
    if (made !== undefined && isUnreachable(after, made))
      unreachable.push({ object: namedOf(change), ...placeOf(change, ["subscribers", "privacy"]) });
    if (!isGroup(change)) continue;
    const people = difference.members(change.name).lost.minus(bots);
    const place = placeOf(change, ["members", "subgroups"]);
    if (people.size > 0) losses.push({ counted, object: namedOf(change), people, ...place });
  }
  const owners = { before: before.owners.minus(bots).size, after: after.owners.minus(bots).size };
  return { difference, losses, unreachable, owners };
}

type Place = { readonly at?: Span };
export function placeOf(change: Pick<Change, "fields" | "at"> | undefined, fields: readonly string[]): Place {
  const own = change?.fields.find(({ field, at }) => fields.includes(field) && at !== undefined)?.at;
  const at = own ?? change?.at;
  return defined({ at });
}

/** Whether nobody is left, as far as is known: if subscribers were not read, there may be some. */
function isUnreachable(state: AccessState, channel: AccessChannel): boolean {
  if (!isPrivate(channel)) return false;
  const { people, bound } = insidersOf(state, channel);
  return bound === undefined && people.size === 0;
}

import type { Named, RiskFact } from "../model/facts.ts";
import type { Json } from "../model/json.ts";
import { addTo, oncePer } from "../model/lazy.ts";
import { listed } from "../model/texts.ts";
import { daysOf, WAITING_PERIOD } from "./account.ts";
import type { AccessDifference, Pair, Shifted } from "./difference.ts";
import { groupsIn, openedBySetting } from "./joining.ts";
import type { People } from "./people.ts";
import { ADMINISTER, READ } from "./rules.ts";
import { isAccountAddress } from "./scope.ts";
import { type AccessChannel, isPrivate, objectAt, opensAnew } from "./state.ts";

/** Private channels by the groups that they admit. An index, since each of thousands of groups and invitations asks which channels it opens. */
class OpenedChannels {
  private readonly names: readonly string[];
  private readonly byName: ReadonlyMap<string, number>;
  private readonly byGroup = new Map<string, number[]>();

  /** @param groupsOf the groups that a channel admits */
  constructor(
    channels: readonly AccessChannel[],
    groupsOf: (channel: AccessChannel) => readonly string[] = openedBySetting,
  ) {
    this.names = channels.map(({ name }) => name);
    this.byName = new Map(this.names.map((name, position) => [name, position]));
    for (const [position, channel] of channels.entries())
      for (const group of groupsOf(channel)) addTo(this.byGroup, group, position);
  }

  /** The names of the channels that admit one of these groups, in the order of the channels. */
  of(groups: Iterable<string>): readonly string[] {
    const found = new Set<number>();
    for (const group of groups) for (const position of this.byGroup.get(group) ?? []) found.add(position);
    return this.ordered(found);
  }
  /** Those of these channels that are among them, in their order. */
  named(names: readonly string[]): readonly string[] {
    return this.ordered(new Set(names.flatMap((name) => this.byName.get(name) ?? [])));
  }
  private ordered(positions: ReadonlySet<number>): readonly string[] {
    return [...positions].sort((a, b) => a - b).flatMap((position) => this.names[position] ?? []);
  }
}

/**
 * The channels that a plan leaves private: before the plan, after it, and those of the latter that exist already, also if the plan makes them private.
 * Computed once for a plan. Archived ones are among them: whom they admit can subscribe, and then read them. One that the plan takes out of the archive, or
 * whose history it shares, opens nothing before it: what it opens counts then.
 */
export const openedIn = oncePer(({ before, after }: AccessDifference) => {
  const existing = [...before.channels()].flatMap((channel) => {
    const then = after.channel(channel.name);
    return then !== undefined && isPrivate(then) ? [{ channel, then }] : [];
  });
  return {
    before: new OpenedChannels(
      existing.flatMap(({ channel, then }) => (isPrivate(channel) && !opensAnew(channel, then) ? [channel] : [])),
    ),
    after: new OpenedChannels([...after.channels()].filter(isPrivate)),
    existing: new OpenedChannels(existing.map(({ then }) => then)),
  };
});

const administratorsIn = ({ settings }: AccessChannel): readonly string[] =>
  groupsIn(settings.get("can_administer_channel_group"));

/** The channels that a plan finds, by the groups whose members administer them: before the plan, and after it. */
export const administeredIn = oncePer(({ before, after }: AccessDifference) => {
  const existing = [...before.channels()];
  return {
    before: new OpenedChannels(existing, administratorsIn),
    after: new OpenedChannels(
      existing.flatMap(({ name }) => after.channel(name) ?? []),
      administratorsIn,
    ),
  };
});

/** People who come into a group, or leave it, without bots. */
interface Moved {
  /** Those who come to read one of the channels, or no longer read it. */
  readonly readers: People;
  /** The rest: guests, to whom groups open nothing, and people who read the channels anyway. */
  readonly others: People;
  /** Private channels that admit the group, and that some of {@link readers} come to read, or no longer read. */
  readonly channels: readonly string[];
}

/**
 * Who comes into a group or leaves it, and what that changes for them. A new member gains what the group opens after the plan; a former member loses what it
 * opens now, as far as the channel stays private. Channels that people let themselves into count as read.
 */
export function movedIn(difference: AccessDifference, group: string, shift: keyof Shifted): Moved {
  const { before, after } = difference;
  const side = shift === "gained" ? "after" : "before";
  const people = difference.members(group)[shift].minus(before.accounts.bots);
  let readers = after.population.nobody;
  const channels: string[] = [];
  if (people.size === 0) return { readers, others: people, channels };
  for (const name of openedIn(difference)[side].of(difference[side].groupsAround([group]))) {
    const pair = difference.pairOf(after.channel(name));
    const found = pair && difference.reading(pair)[shift].and(people);
    if (found === undefined || found.size === 0) continue;
    readers = readers.or(found);
    channels.push(name);
  }
  return { readers, others: people.minus(readers), channels };
}

/*
 * Settings that give nobody a right, so that they are in no difference of access, but decide what others see and who can join: one value is more open than
 * another. Plans and drifts read the same table, each in its own direction.
 */

/** Whether a value is more open than the one before, and whether it is less open; a set can be both. */
interface Opening {
  readonly opens: boolean;
  readonly closes: boolean;
}
type Compared = (from: Json, to: Json) => Opening;

const ranked =
  (rank: (value: Json) => number): Compared =>
  (from, to) => ({ opens: rank(to) > rank(from), closes: rank(to) < rank(from) });
const WHEN_ON = ranked((value) => Number(value === true));
const WHEN_OFF = ranked((value) => Number(value === false));
const fromClosed = (values: readonly string[]): Compared => ranked((value) => values.indexOf(String(value)));
const asSets: Compared = (from, to) => {
  const [was, is] = [listed(from), listed(to)];
  return { opens: is.some((each) => !was.includes(each)), closes: was.some((each) => !is.includes(each)) };
};

/** Who sees addresses, from the smallest audience to the largest. */
export const AUDIENCES = ["nobody", "administrators", "moderators", "members", "everyone"] as const;

/** Fields of the organization, and of the defaults of new accounts. */
const COMPARED: { readonly [field: string]: Compared } = {
  authentication_methods: asSets,
  disallow_disposable_email_addresses: WHEN_OFF,
  email_address_visibility: fromClosed(AUDIENCES),
  emails_restricted_to_domains: WHEN_OFF,
  enable_spectator_access: WHEN_ON,
  inline_url_embed_preview: WHEN_ON,
  invite_required: WHEN_OFF,
  message_content_allowed_in_email_notifications: WHEN_ON,
  message_edit_history_visibility_policy: fromClosed(["none", "moves", "all"]),
  require_e2ee_push_notifications: WHEN_OFF,
  want_advertise_in_communities_directory: WHEN_ON,
  [WAITING_PERIOD]: ranked((value) => -(daysOf(value) ?? 0)),
};

/** What one value of a field opens or closes, against another value before it. */
export function opening(field: string, from: Json, to: Json): Opening {
  const compared = Object.hasOwn(COMPARED, field) ? COMPARED[field] : undefined;
  return compared?.(from, to) ?? { opens: false, closes: false };
}

/** A risk that somebody gains or loses something. */
type Shift = Extract<RiskFact, { readonly kind: "readers" | "right" | "organization-right" }>;

/**
 * The people whom a risk of access is about, without bots; undefined for a risk that is about nobody in particular.
 */
export function peopleOfRisk(fact: RiskFact, difference: AccessDifference): People | undefined {
  const { before, after } = difference;
  const { nobody } = after.population;
  switch (fact.kind) {
    case "members": {
      if (difference.after.group(fact.object.name) === undefined) return nobody;
      const { readers, others } = movedIn(difference, fact.object.name, fact.shift);
      return fact.channels.length === 0 ? others : readers;
    }
    case "may-join-into":
    case "may-administer": {
      // The sentence names the account.
      if (isAccountAddress(fact.object.address)) return undefined;
      const right = fact.kind === "may-join-into" ? READ : ADMINISTER;
      const gained = ({ name }: Named): People => difference.joining(name, fact.object, right).gained;
      return fact.channels.reduce((people, channel) => people.or(gained(channel)), nobody);
    }
    case "organization-right":
    case "readers":
    case "right":
      return (shiftIn(difference, fact)?.[fact.shift] ?? nobody).minus(before.accounts.bots);
  }
  return undefined;
}

/** Undefined if there is no such object. */
function shiftIn(difference: AccessDifference, fact: Shift): Shifted | undefined {
  if (fact.kind === "organization-right") return difference.of(ORGANIZATION, fact.setting);
  const object = objectAt(difference.after, fact.object.address);
  const pair = difference.pairOf(object);
  if (object === undefined || pair === undefined) return undefined;
  return fact.kind === "readers" ? difference.reading(pair) : difference.usable(pair, fact.setting);
}

const ORGANIZATION: Pair = { was: "organization", is: "organization" };

import { defined } from "../model/defined.ts";
import { addTo, oncePer } from "../model/lazy.ts";
import type { Address } from "../model/plan.ts";
import type { GroupValue } from "../model/realm.ts";
import { type Accounts, keyHoldersOf } from "./account.ts";
import type { AccessGroup } from "./nesting.ts";
import type { People, Population } from "./people.ts";
import {
  channelRule,
  groupRule,
  guestsInOrganization,
  isForAdministrators,
  isNeverForBots,
  MANAGE_ALL,
  OPENING_SETTINGS,
  READ,
  READ_PAST,
  SEE,
} from "./rules.ts";
import { isChannel } from "./scope.ts";
import { type AccessChannel, type AccessObject, type AccessState, isPrivate, type Openness } from "./state.ts";

/*
 * Where rights come from: the only place that says what can give a right to somebody.
 *
 * Terms. A *source* of a right is a subscription, the privacy of a channel, a setting, the role of an administrator, or the owner of a bot. Its
 * *people* are everybody whom it names, except guests if the right is never a guest's. A *condition* is what a right needs in addition: to delete a
 * message, people must be able to read it. The *holders* of a right are the people of its sources who meet its condition.
 *
 * Premise. "Who holds this right?" and "why?" must have the same answer, so both are read from one list. The first question is asked thousands of
 * times for each plan, and then nobody reads what the sources are called.
 *
 * The idea.
 *     sourcesOf(right) = [{people, source()}, …]             people from the caches of the state; source() only if somebody asks why
 *     holders(right)   = ∪ people of the sources ∩ condition                                                  rights.ts
 *     grants(right)    = for each source: its people ∩ holders                                                grants.ts
 *     condition        = ∪ people of some sources: for "read", those of reading                               rights.ts
 *
 * What it does not do. It does not say through which group a setting reaches somebody (`grants.ts`). It knows nobody whom the reading leaves out: if the
 * subscribers of a channel were not read, there is no such source, and `rights.ts` says that there may be more holders.
 */

/** A source of a right for everybody to whom it gives it: the first step of a path. */
export type Source =
  /** `implied`: no line of the file gives it; the server gives it to the account that creates the object. */
  | { readonly via: "subscriber"; readonly implied?: true }
  | { readonly via: "privacy"; readonly privacy: Openness }
  | { readonly via: "administrators" }
  /** Bots have the rights of their owners. */
  | { readonly via: "owner" }
  /** Whoever owns a bot reads its key, and can do what the bot can. */
  | { readonly via: "key"; readonly bots: readonly OwnedBot[] }
  | {
      readonly via: "setting";
      readonly on: Address | "organization";
      readonly setting: string;
      readonly value: GroupValue;
      readonly implied?: true;
    };

/** A bot, by its full name, and the account that owns it. */
interface OwnedBot {
  readonly bot: number;
  readonly name: string;
  readonly owner: number;
}

/** A possible source of a right. */
export interface PossibleGrant {
  /** Everybody whom it names, whether or not they meet the condition of the right. */
  readonly people: People;
  readonly source: () => Source;
}

type Sources = readonly PossibleGrant[];

/** The object of a question. */
export type Target = AccessObject | "organization";

/** The possible sources of a right; none for a setting that the server does not have. */
export function sourcesOf(state: AccessState, target: Target, right: string): Sources {
  if (target === "organization") return organizationSources(state, right);
  return isChannel(target) ? channelSources(state, target, right) : groupSources(state, target, right);
}

function channelSources(state: AccessState, channel: AccessChannel, right: string): Sources {
  const administering = (): Sources => bySetting(state, channel, "can_administer_channel_group");
  if (right === READ || right === READ_PAST) return readSources(state, channel);
  if (right === "can_subscribe_group") return insideSources(state, channel);
  if (right === SEE) return [...insideSources(state, channel), administrators(state), ...administering()];
  const rule = channelRule(right);
  if (rule === undefined) return [];
  return [
    ...bySetting(state, channel, right, rule.guests),
    ...(rule.everywhere === undefined ? [] : organizationSources(state, rule.everywhere)),
    ...(rule.administrators === true ? [administrators(state)] : []),
    ...(rule.channelAdministrators === true ? administering() : []),
    ...(rule.botsByOwner === true ? byOwner(state, state.peopleIn(channel.settings.get(right))) : []),
  ];
}

/** What lets people read the messages of a channel: if it is archived, its settings open nothing until somebody subscribes. */
const readSources = (state: AccessState, channel: AccessChannel): Sources =>
  channel.archived && isPrivate(channel) ? subscriberSources(state, channel) : insideSources(state, channel);

/**
 * What lets people into a channel, so that they can subscribe to it (zulip-api.md §3.6). A web-public channel is open to everybody; a public one to everybody
 * except guests who are not subscribed; a private one to its subscribers and, except guests, to those whom the {@link OPENING_SETTINGS} name, even while it
 * is archived. No role opens a private channel.
 */
export function insideSources(
  state: AccessState,
  channel: AccessChannel,
  privacy: Openness = state.opennessOf(channel),
): Sources {
  const inside = subscriberSources(state, channel);
  if (isPrivate({ privacy }))
    return [...inside, ...OPENING_SETTINGS.flatMap((name) => bySetting(state, channel, name))];
  const { everybody, members } = state.accounts;
  const people = privacy === "public" ? members : everybody;
  return [{ people, source: () => ({ via: "privacy", privacy }) }, ...inside];
}

/** None if the subscribers were not read. */
function subscriberSources(state: AccessState, channel: AccessChannel): Sources {
  const people = channel.subscribers?.and(state.accounts.everybody);
  const source = (): Source => ({ via: "subscriber", ...impliedIn(channel, "subscribers") });
  return people === undefined ? [] : [{ people, source }];
}

/** What lets people write in an active channel, apart from the setting: bots by their owners, too, and in a channel with protected history only subscribers. */
export function reachSources(state: AccessState, channel: AccessChannel): Sources {
  const inside = subscriberSources(state, channel);
  return [
    ...(channel.privacy === "private_protected_history" ? inside : readSources(state, channel)),
    ...inside.flatMap(({ people }) => byOwner(state, people)),
  ];
}

/**
 * The setting itself, and usually the people who manage the group or all groups. Roles alone give no right. The groups of the roles are the server's:
 * nobody changes one, or who is in it (zulip-api.md §10.4).
 */
function groupSources(state: AccessState, group: AccessGroup, right: string): Sources {
  const { guests, managersToo } = groupRule(right);
  const own = bySetting(state, group, right, guests);
  if (managersToo === false) return own;
  if (group.name.startsWith("role:")) return [];
  const managing = right === "can_manage_group" ? [] : bySetting(state, group, "can_manage_group");
  return [...own, ...managing, ...organizationSources(state, MANAGE_ALL)];
}

function organizationSources(state: AccessState, right: string): Sources {
  const own = bySetting(state, "organization", right, guestsInOrganization(right));
  return isForAdministrators(right) ? [...own, administrators(state)] : own;
}

const administrators = ({ accounts }: AccessState): PossibleGrant => ({
  people: accounts.administrators,
  source: () => ({ via: "administrators" }),
});

/** Bots whose keys give their owners a right that the bots hold. */
function actingBots(
  { accounts, facts: { botsChangeGroups } }: AccessState,
  target: Target,
  right: string,
): People | undefined {
  if (target === "organization") {
    const isClosed = isNeverForBots(right) || (right === "can_create_groups" && !botsChangeGroups);
    return isClosed ? undefined : accounts.bots.minus(accounts.webhooks);
  }
  if (isChannel(target) && channelRule(right)?.botsByOwner === true) return accounts.bots;
  const isChange = !isChannel(target) && right !== "can_mention_group";
  return isChange && !botsChangeGroups ? undefined : accounts.bots.minus(accounts.webhooks);
}

/** The owners of those among the holders of a right that are bots whose keys give it to them. Who holds it anyway is left out. */
export function ownersOfBots(state: AccessState, target: Target, right: string, holders: People): People {
  const bots = actingBots(state, target, right);
  if (bots === undefined) return state.population.nobody;
  return ownersBy(state.accounts, state.population)(bots.and(holders)).minus(holders);
}

/** The bots that give a right to their owners, of those who do not hold it anyway. */
export function botsOfOwners(state: AccessState, holders: People, owners: People): Extract<Source, { via: "key" }> {
  const { administrators, formerOwners = new Map<number, number>() } = state.accounts;
  const kept = (owner: number): readonly number[] =>
    [...formerOwners].flatMap(([bot, former]) => (former === owner ? [bot] : []));
  const bots = [...owners].flatMap((owner) =>
    [...state.botsOf(owner).map(({ id }) => id), ...kept(owner)]
      .filter((id) => holders.has(id) || administrators.has(id))
      .map((bot) => ({ bot, name: state.facts.nameOf(bot), owner })),
  );
  return { via: "key", bots };
}

/** Who has the keys of bots. Kept for each set of bots: most channels and rights have the same ones. */
const ownersBy = oncePer((accounts: Accounts, population: Population) => {
  const known = new Map<number, { readonly bots: People; readonly owners: People }>();
  return oncePer((bots: People) => {
    const { digest } = bots;
    const same = known.get(digest);
    if (same?.bots.equals(bots) === true) return same.owners;
    const found = population.of([...bots].flatMap((bot) => keyHoldersOf(accounts, bot)));
    known.set(digest, { bots, owners: found });
    return found;
  });
});

function byOwner(state: AccessState, owners: People): Sources {
  const people = botsBy(state.accounts.owners, state.population)(owners);
  return people.size === 0 ? [] : [{ people, source: () => ({ via: "owner" }) }];
}

/** Bots by their owners. Kept for each set of owners, since most sets are the same before and after a plan. */
const botsBy = oncePer((ownerOf: Accounts["owners"], population: Population) => {
  const botsOf = new Map<number, number[]>();
  for (const [bot, owner] of ownerOf) addTo(botsOf, owner, bot);
  const all = population.of(botsOf.keys());
  return oncePer((owners: People) => population.of([...owners.and(all)].flatMap((owner) => botsOf.get(owner) ?? [])));
});

function bySetting(state: AccessState, target: Target, setting: string, guests = false): Sources {
  const value = (target === "organization" ? state.organization : target.settings).get(setting);
  if (value === undefined) return [];
  const named = state.peopleIn(value);
  const people = guests ? named : membersIn(state.accounts)(named);
  if (target === "organization") return [{ people, source: () => ({ via: "setting", on: target, setting, value }) }];
  const on: Address = `${target.kind}:${target.name}`;
  return [{ people, source: () => ({ via: "setting", on, setting, value, ...impliedIn(target, setting) }) }];
}

/** Those who are no guests. A few sets stand in the settings of all channels. */
const membersIn = oncePer(({ members }: Accounts) => oncePer((people: People) => people.and(members)));

/** Whether the server sets the field for an object that a plan creates. */
const impliedIn = ({ implied }: AccessObject, field: string): { readonly implied?: true } =>
  defined({ implied: implied?.has(field) === true || undefined });

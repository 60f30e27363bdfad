import { realmGroup } from "../../src/sandbox/access.ts";
import type { RealmState } from "../../src/sandbox/index.ts";
import { REALM_GROUP_SETTINGS } from "../../src/sandbox/realm-settings/params.ts";
import { type Arrival, arrivalsIn, revokedIn } from "./arrivals.ts";
import { Coming, fieldOf, Groups } from "./groups.ts";

/**
 * Who holds which right, computed from the server's own state, without code of the planner: one text for each (who, right, what). A plan is safe if
 * no state between two calls has a right that neither the state before the plan nor the one after it has.
 *
 * Besides the accounts, there are people who may join at any moment: with an open invitation, from an allowed domain, as newcomers who join the
 * default channels. The rights in an inactive channel or group come back with it, and count as held. Folders, linkifiers and navigation views give
 * nobody access; the right of a linkifier is the address that its links lead to.
 * @param arrivals who else may join; default: everybody who may according to this state
 */
export function rightsIn(
  state: RealmState,
  arrivals: readonly Omit<Arrival, "id">[] = arrivalsIn(state),
): ReadonlySet<string> {
  return rightsWith(
    state,
    arrivals.map((arrival, index) => ({ ...arrival, id: -1 - index })),
  );
}

function rightsWith(state: RealmState, arrivals: readonly Arrival[]): ReadonlySet<string> {
  const rights = new Set<string>();
  const groups = new Groups(state, arrivals);
  const coming = new Coming(state, groups);
  const people: readonly Person[] = [
    ...Object.values(state.users)
      .filter(({ is_active }) => is_active)
      .map(({ user_id, role }) => ({ user_id, role })),
    ...arrivals.map(asPerson),
  ];
  for (const { who } of arrivals) rights.add(`${who} joins`);
  for (const channel of Object.values(state.channels)) {
    const subscribed = Object.entries(state.subscriptions[channel.stream_id] ?? {}).filter(([, { active }]) => active);
    const subscribers = new Set(subscribed.map(([id]) => Number(id)));
    for (const { id, channels, takesDefaults } of arrivals)
      if (channels.has(channel.stream_id) || (takesDefaults && state.default_channels.includes(channel.stream_id)))
        subscribers.add(id);
    const entering = [...OPENING].map((setting) => groups.allowed(fieldOf(channel, setting)));
    const comers = new Set(OPENING.flatMap((setting) => [...coming.allowed(fieldOf(channel, setting))]));
    const administering = groups.allowed(fieldOf(channel, ADMINISTERING));
    const comingToAdminister = coming.allowed(fieldOf(channel, ADMINISTERING));
    for (const { user_id: id, role, who } of people) {
      const isGuest = role === GUEST;
      const opens = !isGuest && entering.some((group) => group.has(id));
      const reads = subscribers.has(id) || opens || channel.is_web_public || (!channel.invite_only && !isGuest);
      const owner = ownerOf(state, id);
      const right = (what: string) => {
        rights.add(`${who ?? id} ${what} channel ${channel.stream_id}`);
        if (owner !== undefined) rights.add(`${owner} ${what} channel ${channel.stream_id}`);
      };
      if (subscribers.has(id) && who !== undefined) right("is put into");
      if (administering.has(id) && !isGuest) right(ADMINISTERING);
      if (administering.has(id) || comingToAdminister.has(id)) right("comes to administer");
      if (reads || (channel.invite_only && comers.has(id))) {
        right("comes to read");
        if (!channel.invite_only || channel.history_public_to_subscribers) right("comes to read the past of");
      }
      if (!reads) continue;
      right("reads");
      // In protected history, only messages after the subscription.
      if (!channel.invite_only || channel.history_public_to_subscribers) right("reads the past of");
      for (const [setting, value] of Object.entries(channel))
        if (setting.startsWith("can_") && groups.allowed(value).has(id)) right(setting);
    }
    if (channel.is_web_public && state.realm.enable_spectator_access === true)
      rights.add(`the web reads channel ${channel.stream_id}`);
  }
  const names = new Map(people.flatMap(({ user_id, who }) => (who === undefined ? [] : [[user_id, who] as const])));
  for (const group of Object.values(state.user_groups)) {
    if (group.is_system_group) continue;
    for (const [setting, value] of Object.entries(group))
      if (setting.startsWith("can_"))
        for (const id of groups.allowed(value)) {
          rights.add(`${names.get(id) ?? id} ${setting} group ${group.id}`);
          const owner = setting === "can_mention_group" ? ownerOf(state, id) : undefined;
          if (owner !== undefined) rights.add(`${owner} ${setting} group ${group.id}`);
        }
  }
  for (const setting of REALM_GROUP_SETTINGS)
    for (const id of groups.allowed(realmGroup(state, setting))) {
      if (PEOPLE_ONLY.has(setting) && state.users[id]?.is_bot === true) continue;
      rights.add(`${names.get(id) ?? id} ${setting} everywhere`);
      const owner = NO_BOT_CHANGES_GROUPS.has(setting) ? undefined : ownerOf(state, id);
      if (owner !== undefined) rights.add(`${owner} ${setting} everywhere`);
    }
  for (const { pattern, url_template } of Object.values(state.linkifiers))
    rights.add(`${LEADS}${JSON.stringify(pattern)} to ${url_template}`);
  return rights;
}

/** The requests that these settings allow are refused to bots (zulip-api.md §13.1): a new bot that such a group contains cannot use them. */
const PEOPLE_ONLY: ReadonlySet<string> = new Set([
  "can_invite_users_group",
  "create_multiuse_invite_group",
  "can_add_custom_emoji_group",
  "can_create_bots_group",
  "can_create_write_only_bots_group",
]);
/** Bots change groups since level 496 only, which no organization here has (levels-443-512.md). */
const NO_BOT_CHANGES_GROUPS: ReadonlySet<string> = new Set(["can_create_groups", "can_manage_all_groups"]);
const GUEST = 600;

/** Whoever owns a bot reads its key, and does with it in channels what the bot can (zulip-api.md §17.4). Incoming webhooks can only post. */
function ownerOf(state: RealmState, id: number): number | undefined {
  const user = state.users[id];
  const owner = user?.is_bot === true && user.bot_type !== INCOMING_WEBHOOK ? user.bot_owner_id : null;
  return owner !== null && owner !== undefined && state.users[owner]?.is_active === true ? owner : undefined;
}
const INCOMING_WEBHOOK = 2;

const OPENING = ["can_add_subscribers_group", "can_subscribe_group"];
const ADMINISTERING = "can_administer_channel_group";
const LEADS = "the text leads ";

interface Person {
  readonly user_id: number;
  readonly role: number;
  /** Rights of people who have no account yet. */
  readonly who?: string;
}
const asPerson = ({ id, role, who }: Arrival): Person => ({ user_id: id, role, who });

/**
 * Rights in states between that exist neither before nor after. `states` are all n + 1.
 *
 * People who may join before the plan could have joined then, and would now have what a newcomer of that time has after the plan: removing a
 * domain early protects nothing. An invitation that the plan revokes leads into channels and groups that nobody else joins, so whoever has it has only what it
 * gave before. People who may join only after the plan must not see what is about to be closed.
 * @param account the account that sends the requests: what it gives itself on the way (a new group must belong to somebody) it could have at any time
 */
export function exposures(states: readonly RealmState[], account?: number): readonly string[] {
  const [first] = states;
  const last = states.at(-1);
  if (first === undefined || last === undefined) return [];
  const before = rightsIn(first);
  const revoked = revokedIn(last);
  const after = rightsIn(last, [...arrivalsIn(last), ...arrivalsIn(first).filter(({ who }) => !revoked.has(who))]);
  const found: string[] = [];
  states.forEach((state, n) => {
    const unfinished = [account, ...newAndUnfinished(state, first, last)].map((id) => `${id} `);
    for (const right of rightsIn(state))
      if (
        !before.has(right) &&
        !after.has(right) &&
        !unfinished.some((id) => right.startsWith(id)) &&
        !isForced(right, first, last)
      )
        found.push(`after call ${n}: ${right}`);
  });
  return found;
}

/**
 * Bots that the plan creates, while they are unfinished: a new bot is a member until its role is set, and only the account that created it has its
 * key (docs/internals/decisions/0025-no-account-comes-back-by-accident.md).
 */
function newAndUnfinished(state: RealmState, first: RealmState, last: RealmState): readonly number[] {
  return Object.values(state.users)
    .filter(({ user_id, role }) => first.users[user_id] === undefined && last.users[user_id]?.role !== role)
    .map(({ user_id }) => user_id);
}

/** What no order of requests avoids (docs/internals/decisions/0014-nothing-is-open-in-between.md). */
function isForced(right: string, first: RealmState, last: RealmState): boolean {
  // While two linkifiers exchange patterns, one of them has a temporary pattern, which no text contains.
  if (right.startsWith(LEADS))
    return ![...Object.values(first.linkifiers), ...Object.values(last.linkifiers)].some(({ pattern }) =>
      right.startsWith(`${LEADS}${JSON.stringify(pattern)} to `),
    );
  const [, who = "", what = "", where = ""] = /^(\S+) (.*) channel (\d+)$/.exec(right) ?? [];
  const [before, after] = [first.channels[Number(where)], last.channels[Number(where)]];
  // People who are to leave a reactivated channel can be removed only once it is active again; one request does that and everything else.
  const isIn = (state: RealmState): boolean => state.subscriptions[Number(where)]?.[Number(who)]?.active === true;
  if (before?.is_archived === true && after?.is_archived === false && isIn(first) && !isIn(last)) return true;
  // With protected history, only "everybody" is valid as the group that creates topics, and the server applies privacy first: for the length of one
  // request, everybody who could read the channel may create topics there.
  return what === "can_create_topic_group" && after?.invite_only === true && !after.history_public_to_subscribers;
}

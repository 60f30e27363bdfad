import { realmGroup } from "../../src/sandbox/access.ts";
import type { RealmState } from "../../src/sandbox/index.ts";
import { REALM_GROUP_SETTINGS } from "../../src/sandbox/realm-settings/params.ts";
import { type Arrival, arrivalsIn } from "./arrivals.ts";
import { fieldOf, Groups } from "./groups.ts";

/**
 * Who holds which right, worked out from the server's own state and nothing of the planner: a text for each (who, right, what).
 * A plan is safe when no state between two calls has a right that neither the state before nor the one after the plan has.
 *
 * Besides the accounts there are those who may come any moment: with an open invitation, from a domain that may join, as newcomers
 * whom default channels take in. What a sleeping channel or group grants comes back with it, and counts as held. Folders, linkifiers and navigation views open nothing to anybody; a linkifier's right is where its
 * links lead.
 * @param arrivals who else may come; default: who may according to this state
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
    for (const { user_id: id, role, who } of people) {
      const isGuest = role === GUEST;
      const opens = !isGuest && entering.some((group) => group.has(id));
      const reads = subscribers.has(id) || opens || (!channel.invite_only && !isGuest);
      const right = (what: string) => rights.add(`${who ?? id} ${what} channel ${channel.stream_id}`);
      if (subscribers.has(id) && who !== undefined) right("is put into");
      if (!reads) continue;
      right("reads");
      // In protected history only what came after the subscription.
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
        for (const id of groups.allowed(value)) rights.add(`${names.get(id) ?? id} ${setting} group ${group.id}`);
  }
  for (const setting of REALM_GROUP_SETTINGS)
    for (const id of groups.allowed(realmGroup(state, setting)))
      rights.add(`${names.get(id) ?? id} ${setting} everywhere`);
  for (const { pattern, url_template } of Object.values(state.linkifiers))
    rights.add(`${LEADS}${JSON.stringify(pattern)} to ${url_template}`);
  return rights;
}

const GUEST = 600;
const OPENING = ["can_add_subscribers_group", "can_subscribe_group"];
const LEADS = "the text leads ";

interface Person {
  readonly user_id: number;
  readonly role: number;
  /** Of those who are not there yet. */
  readonly who?: string;
}
const asPerson = ({ id, role, who }: Arrival): Person => ({ user_id: id, role, who });

/**
 * Rights between that are held neither before nor after. `states` are all n + 1.
 *
 * Who may join before the plan could have come then, and have today what a newcomer of then has after the plan: taking an invitation or
 * a domain away early protects from nothing. Who may only join after it must not see what is about to be closed.
 * @param account whose requests they are: what it gives itself on the way (a group that it makes has to belong to somebody) it could
 * have at any time
 */
export function exposures(states: readonly RealmState[], account?: number): readonly string[] {
  const [first] = states;
  const last = states.at(-1);
  if (first === undefined || last === undefined) return [];
  const before = rightsIn(first);
  const after = rightsIn(last, [...arrivalsIn(last), ...arrivalsIn(first)]);
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
 * Bots that the plan makes, as long as they are not what they are to be: a new bot is a member until its role is set, and only the
 * account that made it has its key (docs/decisions/0071-bots.md).
 */
function newAndUnfinished(state: RealmState, first: RealmState, last: RealmState): readonly number[] {
  return Object.values(state.users)
    .filter(({ user_id, role }) => first.users[user_id] === undefined && last.users[user_id]?.role !== role)
    .map(({ user_id }) => user_id);
}

/** What no order of requests avoids (docs/decisions/0023-order-by-exposure.md). */
function isForced(right: string, first: RealmState, last: RealmState): boolean {
  // A pattern of its own stands in for a linkifier while two of them swap theirs: no text has it.
  if (right.startsWith(LEADS))
    return ![...Object.values(first.linkifiers), ...Object.values(last.linkifiers)].some(({ pattern }) =>
      right.startsWith(`${LEADS}${JSON.stringify(pattern)} to `),
    );
  const [, who = "", what = "", where = ""] = /^(\S+) (.*) channel (\d+)$/.exec(right) ?? [];
  const [before, after] = [first.channels[Number(where)], last.channels[Number(where)]];
  // Who is to leave a channel that is brought back can only be taken out once it is back, which is one request with all else.
  const isIn = (state: RealmState): boolean => state.subscriptions[Number(where)]?.[Number(who)]?.active === true;
  if (before?.is_archived === true && after?.is_archived === false && isIn(first) && !isIn(last)) return true;
  // Protected history takes nobody but everybody as its topic group, and the server applies privacy first: who could read the channel
  // may start topics there for the length of one request.
  return what === "can_create_topic_group" && after?.invite_only === true && !after.history_public_to_subscribers;
}

import { createSandbox, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import type { User } from "../../src/sandbox/rows/accounts.ts";
import type { Channel, Subscription } from "../../src/sandbox/rows/channels.ts";
import type { UserGroup } from "../../src/sandbox/rows/groups.ts";
import type { Message } from "../../src/sandbox/rows/messages.ts";
import type { Invite } from "../../src/sandbox/rows/organization.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { channelMessage, ORGANIZATION_REQUESTS } from "../support/tried.ts";

/*
 * Everything that anybody can do in one state of an organization, found out by trying it: requests to the sandbox, with one's own key and with the keys of
 * one's active bots, also of those that one owned before a plan. Nothing here knows how realmctl sees access: an answer with HTTP 200, or a message in an answer, is the only judge.
 *
 * Newcomers (a guest, a member on the first day, a member after the waiting period, somebody with the role of an open invitation) are put into the state as
 * accounts that joined a moment ago, with the default channels and only the groups of their roles; so is everybody who used a link that the plan makes, with
 * what the link gives. Two more are added to whom nobody has any relation: a stranger, somebody to add and to rename, and a resident of every channel,
 * somebody to unsubscribe.
 */

/** The ids of newcomers, far from all others. */
export const NEWCOMERS = {
  guest: 9001,
  member: 9002,
  full_member: 9003,
  moderator: 9006,
  administrator: 9007,
  owner: 9008,
} as const;
const STRANGER = 9004;
const RESIDENT = 9005;
/** Everybody on the web, who has no account. */
export const THE_WEB = 9009;
/** Those who use the links of {@link Joiners}, by their order. */
export const BY_LINK = 9100;

/** Who joins, besides those who always can. */
export interface Joiners {
  /** Roles of open invitations. */
  readonly roles: ReadonlySet<number>;
  /** Those of the file that are open before the plan and after it, then those that the plan makes. */
  readonly links: readonly Invite[];
  /** How many of them are open before the plan. */
  readonly open: number;
}

/**
 * Who can join after a plan, which made some of the links.
 * @param known those of the file that are open before it
 */
export function joinersAfter(before: RealmState, after: RealmState, known: readonly Invite[] = []): Joiners {
  const open = after.invites.filter(({ revoked }) => revoked !== true);
  const isIn =
    (list: readonly Invite[]) =>
    ({ id, is_multiuse }: Invite): boolean =>
      list.some((invite) => invite.id === id && invite.is_multiuse === is_multiuse);
  const isThere = isIn(before.invites);
  const old = open.filter(isIn(known));
  return {
    roles: new Set(open.map(({ invited_as }) => invited_as)),
    links: [...old, ...open.filter((invite) => !isThere(invite))],
    open: old.length,
  };
}

/** What somebody can do: `read|101`. */
export type Powers = ReadonlyMap<string, ReadonlySet<number>>;

const OLD = 100_000;
const NEW = 200_000;

/** Two messages in each channel: `OLD` was written before anybody came, `NEW` just now. */
function withMessages(state: RealmState): RealmState {
  const messages: { [id: number]: Message } = {};
  for (const channel of Object.values(state.channels)) {
    const id = channel.stream_id;
    messages[OLD + id] = message(OLD + id, id, []);
    // Nobody can write in an archived channel.
    if (!channel.is_archived) messages[NEW + id] = message(NEW + id, id, subscribersIn(state, id));
  }
  return { ...state, messages, next_id: { ...state.next_id, message: 2 * NEW } };
}
const subscribersIn = (state: RealmState, channelId: number): readonly number[] =>
  Object.entries(state.subscriptions[channelId] ?? {}).flatMap(([id, { active }]) => (active ? [Number(id)] : []));
const message = (id: number, channel_id: number, received_by: readonly number[]): Message =>
  channelMessage({ id, sender_id: 6, channel_id, topic: "t", received_by, timestamp: 1_790_000_000 });

const SUBSCRIPTION: Subscription = {
  color: "#76ce90",
  is_muted: false,
  pin_to_top: false,
  audible_notifications: null,
  desktop_notifications: null,
  email_notifications: null,
  push_notifications: null,
  wildcard_mentions_notify: null,
  active: true,
};

/** The state after the newcomers and the others joined. */
function withNewcomers(state: RealmState, { roles, links }: Pick<Joiners, "roles" | "links">): RealmState {
  const [like] = Object.values(state.users).filter(({ is_bot, is_system_bot }) => !is_bot && !is_system_bot);
  if (like === undefined) throw new RangeError("nobody is there");
  const users = { ...state.users };
  const groups: { [id: number]: UserGroup } = { ...state.user_groups };
  const isOpen = state.realm.waiting_period_threshold === 0;
  const subscriptions: { [channelId: string]: { [userId: string]: Subscription } } = Object.fromEntries(
    Object.entries(state.subscriptions).map(([id, table]) => [id, { ...table, [RESIDENT]: SUBSCRIPTION }]),
  );
  const subscribe = (userId: number, ids: readonly number[]): void => {
    for (const id of ids) subscriptions[id] = { ...subscriptions[id], [userId]: SUBSCRIPTION };
  };
  const join = (user_id: number, role: User["role"], names: readonly string[], ids: readonly number[] = []): void => {
    const email = `new${user_id}@acme.example`;
    users[user_id] = {
      ...like,
      user_id,
      email,
      delivery_email: email,
      full_name: `New ${user_id}`,
      role,
      is_active: true,
      settings: state.user_settings_defaults,
    };
    for (const group of Object.values(groups))
      if ((group.is_system_group && names.includes(group.name)) || ids.includes(group.id))
        groups[group.id] = { ...group, members: [...group.members, user_id] };
  };
  const asMember = ["role:members", ...(isOpen ? ["role:fullmembers"] : [])];
  const groupsOf: { readonly [role: number]: readonly string[] } = {
    100: ["role:owners"],
    200: ["role:administrators"],
    300: ["role:moderators"],
    400: asMember,
    600: ["role:everyone"],
  };
  join(NEWCOMERS.guest, 600, ["role:everyone"]);
  join(NEWCOMERS.member, 400, asMember);
  join(NEWCOMERS.full_member, 400, ["role:members", "role:fullmembers"]);
  for (const [role, id] of [
    [300, NEWCOMERS.moderator],
    [200, NEWCOMERS.administrator],
    [100, NEWCOMERS.owner],
  ] as const)
    if (roles.has(role)) join(id, role, groupsOf[role] ?? []);
  for (const id of Object.values(NEWCOMERS)) if (id in users) subscribe(id, state.default_channels);
  for (const [index, { invited_as, stream_ids, group_ids }] of links.entries()) {
    join(BY_LINK + index, invited_as as User["role"], groupsOf[invited_as] ?? [], group_ids);
    subscribe(BY_LINK + index, stream_ids);
  }
  join(STRANGER, 400, ["role:members"]);
  join(RESIDENT, 400, ["role:members"]);
  return { ...state, users, user_groups: groups, subscriptions };
}

/** Tries requests, each against the same state. */
class Attempts {
  readonly state: RealmState;
  private readonly sandbox: Sandbox;
  private revision: number;
  private readonly headers = new Map<number, string>();

  constructor(state: RealmState, nowMs: number) {
    this.state = state;
    this.sandbox = createSandbox({ from: state, clock: manualClock(nowMs) });
    this.revision = this.sandbox.revision;
    for (const { user_id, email, api_key } of Object.values(this.sandbox.accounts))
      this.headers.set(user_id, `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`);
  }

  /** One request; its effects stay until {@link undo}. */
  async send(as: number, method: string, path: string, params: { readonly [name: string]: unknown } = {}) {
    const query = new URLSearchParams(
      Object.entries(params).map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    );
    const inUrl = method === "GET";
    const response = await this.sandbox.fetch(
      new Request(`http://localhost/api/v1${path}${inUrl ? `?${query}` : ""}`, {
        method,
        headers: { authorization: this.headers.get(as) ?? "" },
        ...(inUrl ? {} : { body: query }),
      }),
    );
    const body = (await response.json()) as { readonly [key: string]: unknown };
    return { ok: response.ok, body };
  }
  stateNow(): RealmState {
    return this.sandbox.state();
  }
  undo(): void {
    if (this.sandbox.revision === this.revision) return;
    this.sandbox.reset();
    this.revision = this.sandbox.revision;
  }
  /** Whether one request succeeds. */
  async may(as: number, method: string, path: string, params?: { readonly [name: string]: unknown }): Promise<boolean> {
    const { ok } = await this.send(as, method, path, params);
    this.undo();
    return ok;
  }
  /** The same for a request that changes nothing on which another attempt depends: to undo takes as long as a few requests. */
  async mayHarmlessly(...request: Parameters<Attempts["send"]>): Promise<boolean> {
    const { ok } = await this.send(...request);
    this.revision = this.sandbox.revision;
    return ok;
  }

  /** The ids of the messages that a search in the channel finds. */
  async found(as: number, channelId: number): Promise<ReadonlySet<number>> {
    const narrow = [{ operator: "channel", operand: channelId }];
    const { body } = await this.send(as, "GET", "/messages", {
      anchor: "newest",
      num_before: 50,
      num_after: 0,
      narrow,
    });
    const list = Array.isArray(body.messages) ? (body.messages as { readonly id: number }[]) : [];
    return new Set(list.map(({ id }) => id));
  }
}

type Note = (power: string) => void;

/** What each account can do with its own key alone. */
async function ownPowers(attempts: Attempts, user: User, note: Note): Promise<void> {
  const { state } = attempts;
  const seen = await channelsSeen(attempts, user.user_id);
  for (const channel of Object.values(state.channels)) await inChannel(attempts, user, channel, seen, note);
  for (const group of Object.values(state.user_groups))
    if (!group.is_system_group && !group.deactivated) await inGroup(attempts, user, group, note);
  await inOrganization(attempts, user, note);
}

interface Seen {
  readonly known: ReadonlySet<number>;
  readonly subscribed: ReadonlySet<number>;
}
/** The channels of which the account knows, and to which it is subscribed, also archived ones. */
async function channelsSeen(attempts: Attempts, as: number): Promise<Seen> {
  const { body } = await attempts.send(as, "POST", "/register", {
    fetch_event_types: ["stream", "subscription"],
    event_types: [],
    client_capabilities: { notification_settings_null: true, archived_channels: true },
  });
  attempts.undo();
  const ids = (list: unknown): ReadonlySet<number> =>
    new Set((Array.isArray(list) ? (list as { readonly stream_id: number }[]) : []).map(({ stream_id }) => stream_id));
  return { known: ids(body.streams), subscribed: ids(body.subscriptions) };
}

async function inChannel(
  attempts: Attempts,
  { user_id: as }: User,
  { stream_id: id, name, is_archived }: Channel,
  { known, subscribed }: Seen,
  note: Note,
): Promise<void> {
  const on = (power: string): string => `${power}|${id}`;
  if (known.has(id)) note(on("see"));
  const subscribe = { subscriptions: [{ name }] };
  const add = { ...subscribe, principals: [STRANGER] };
  const found = await attempts.found(as, id);
  const { ok: enters } = await attempts.send(as, "POST", "/users/me/subscriptions", subscribe);
  if (enters) note(on("can_subscribe_group"));
  // Whoever subscribes reads what is written from then on, and what was written before if the channel shows it.
  const inside = enters ? await attempts.found(as, id) : found;
  attempts.undo();
  const reads = is_archived ? subscribed.has(id) || found.has(OLD + id) : enters || found.has(NEW + id);
  if (reads) note(on("read"));
  const past = is_archived && subscribed.has(id) ? await attempts.may(as, "GET", `/messages/${OLD + id}`) : false;
  if (past || inside.has(OLD + id)) note(on("read_past"));
  if (await attempts.may(as, "POST", "/users/me/subscriptions", add)) note(on("can_add_subscribers_group"));
  if (await attempts.mayHarmlessly(as, "PATCH", `/streams/${id}`, { description: `changed by ${as}` }))
    note(on("can_administer_channel_group"));
  const post = { type: "channel", to: id, content: "x" };
  if (await attempts.may(as, "POST", "/messages", { ...post, topic: "t" })) note(on("can_send_message_group"));
  if (await attempts.may(as, "DELETE", "/users/me/subscriptions", { subscriptions: [name], principals: [RESIDENT] }))
    note(on("can_remove_subscribers_group"));
}

async function inGroup(
  attempts: Attempts,
  { user_id: as }: User,
  { id, members }: UserGroup,
  note: Note,
): Promise<void> {
  const on = (power: string): string => `${power}|${id}`;
  const path = `/user_groups/${id}/members`;
  if (await attempts.mayHarmlessly(as, "PATCH", `/user_groups/${id}`, { description: `changed by ${as}` }))
    note(on("can_manage_group"));
  if (await attempts.may(as, "POST", path, { add: [STRANGER] })) note(on("can_add_members_group"));
  if (!members.includes(as) && (await attempts.may(as, "POST", path, { add: [as] }))) note(on("enter"));
}

async function inOrganization(attempts: Attempts, { user_id: as }: User, note: Note): Promise<void> {
  const on = (power: string): string => `${power}|organization`;
  for (const [right, { path, params }] of Object.entries(ORGANIZATION_REQUESTS)) {
    const harmless = path.startsWith("/invites");
    if (await attempts[harmless ? "mayHarmlessly" : "may"](as, "POST", path, params)) note(on(right));
  }
  const { members } = (await attempts.send(as, "GET", "/users")).body;
  const seen = (Array.isArray(members) ? (members as { user_id: number; delivery_email: string | null }[]) : []).find(
    ({ user_id }) => user_id === STRANGER,
  );
  if (seen !== undefined) note(on("can_access_all_users_group"));
  if (seen?.delivery_email != null) note(on("address"));
  if (await attempts.mayHarmlessly(as, "PATCH", `/users/${STRANGER}`, { full_name: `Renamed by ${as}` }))
    note(on("administer"));
}

/** Channels that somebody can read, or subscribe to, after joining every group that lets them in, one after the other. */
async function reachedBy(attempts: Attempts, keys: readonly number[], note: Note): Promise<void> {
  const groups = Object.values(attempts.state.user_groups).filter(
    (group) => !group.is_system_group && !group.deactivated,
  );
  const joined = new Set<string>();
  for (let before = -1; before < joined.size; ) {
    before = joined.size;
    for (const as of keys)
      for (const { id, members } of groups) {
        if (members.includes(as) || joined.has(`${id} ${as}`)) continue;
        const { ok } = await attempts.send(as, "POST", `/user_groups/${id}/members`, { add: [as] });
        if (ok) joined.add(`${id} ${as}`);
      }
  }
  if (joined.size > 0)
    for (const { stream_id: id, name } of Object.values(attempts.state.channels))
      for (const as of keys) {
        const { ok } = await attempts.send(as, "POST", "/users/me/subscriptions", { subscriptions: [{ name }] });
        if (ok) note(`reach|${id}`);
      }
  attempts.undo();
}

/** The state after somebody gave themselves a higher role, with the key of a bot. */
async function promotedBy(
  attempts: Attempts,
  { user_id, role: own }: User,
  bots: readonly number[],
): Promise<RealmState | undefined> {
  const { is_active } = attempts.state.users[user_id] ?? { is_active: false };
  for (const role of [100, 200])
    for (const bot of bots) {
      const isBack = is_active || (await attempts.send(bot, "POST", `/users/${user_id}/reactivate`)).ok;
      const isHigher = role < own && isBack && (await attempts.send(bot, "PATCH", `/users/${user_id}`, { role })).ok;
      if (!isHigher && (is_active || !isBack)) continue;
      const higher = attempts.stateNow();
      attempts.undo();
      return higher;
    }
  attempts.undo();
  return undefined;
}

/** Channels that the server shows to people without an account, if it says that it has something for them. */
async function onTheWeb(attempts: Attempts): Promise<readonly string[]> {
  const { body } = await attempts.send(0, "GET", "/server_settings");
  if (body.realm_web_public_access_enabled !== true) return [];
  const { channels } = attempts.state;
  return Object.values(channels).flatMap(({ stream_id: id, is_web_public }) => (is_web_public ? [`web|${id}`] : []));
}

const EXTRAS: ReadonlySet<number> = new Set([STRANGER, RESIDENT]);

/**
 * Everything that everybody can do, by their own keys and by those of their active bots. Only people count: a bot without an active owner is nobody's.
 * @param was the state before a plan: who owned a bot then has its key, and keeps it when the plan deactivates them
 */
export async function powersIn(
  bare: RealmState,
  nowMs: number,
  joiners: Pick<Joiners, "roles" | "links">,
  was: RealmState = bare,
): Promise<Powers> {
  const state = withMessages(withNewcomers(bare, joiners));
  const attempts = new Attempts(state, nowMs);
  const powers = new Map<string, Set<number>>((await onTheWeb(attempts)).map((power) => [power, new Set([THE_WEB])]));
  const users = Object.values(state.users).filter(({ is_active, is_system_bot }) => is_active && !is_system_bot);
  const left = Object.values(state.users).filter(
    ({ user_id, is_active }) => !is_active && was.users[user_id]?.is_active === true,
  );
  for (const person of [...users, ...left].filter(({ is_bot, user_id }) => !is_bot && !EXTRAS.has(user_id))) {
    const note = (power: string): void => {
      powers.set(power, (powers.get(power) ?? new Set()).add(person.user_id));
      const [, channel] = /^(?:read|can_subscribe_group)\|(.*)$/.exec(power) ?? [];
      if (channel !== undefined) note(`reach|${channel}`);
    };
    const bots = users.filter(({ user_id, bot_owner_id }) =>
      [bot_owner_id, was.users[user_id]?.bot_owner_id].includes(person.user_id),
    );
    const own = [...(person.is_active ? [person] : []), ...bots];
    for (const account of own) await ownPowers(attempts, account, note);
    const keys = own.map(({ user_id }) => user_id);
    await reachedBy(attempts, keys, note);
    const higher = await promotedBy(
      attempts,
      person,
      bots.map(({ user_id }) => user_id),
    );
    if (higher === undefined) continue;
    const promoted = new Attempts(higher, nowMs);
    await ownPowers(promoted, person, note);
    await reachedBy(promoted, [...new Set([person.user_id, ...keys])], note);
  }
  return powers;
}

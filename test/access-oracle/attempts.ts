import { createSandbox, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import type { User } from "../../src/sandbox/rows/accounts.ts";
import type { Channel, Subscription } from "../../src/sandbox/rows/channels.ts";
import type { UserGroup } from "../../src/sandbox/rows/groups.ts";
import type { Message } from "../../src/sandbox/rows/messages.ts";
import type { RealmState } from "../../src/sandbox/state.ts";

/*
 * Everything that anybody can do in one state of an organization, found out by trying it: requests to the sandbox, with one's own key and with the keys of
 * one's active bots. Nothing here knows how realmctl sees access: an answer with HTTP 200, or a message in an answer, is the only judge.
 *
 * Newcomers (a guest, a member on the first day, a member after the waiting period) are put into the state as accounts that joined a moment ago, with no
 * channels and only the groups of their roles. Two more are added to whom nobody has any relation: a stranger, somebody to add and to rename, and a resident
 * of every channel, somebody to unsubscribe.
 */

/** The ids of newcomers, far from all others. */
export const NEWCOMERS = { guest: 9001, member: 9002, full_member: 9003 } as const;
const STRANGER = 9004;
const RESIDENT = 9005;

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
const message = (id: number, channel_id: number, received_by: readonly number[]): Message => ({
  id,
  sender_id: 6,
  type: "channel",
  channel_id,
  to: [],
  topic: "t",
  content: "x",
  rendered_content: "<p>x</p>",
  timestamp: 1_790_000_000,
  last_edit_timestamp: null,
  last_moved_timestamp: null,
  edit_history: [],
  client: "test",
  received_by,
  flags: {},
  reactions: [],
  has_attachment: false,
});

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
function withNewcomers(state: RealmState): RealmState {
  const [like] = Object.values(state.users).filter(({ is_bot, is_system_bot }) => !is_bot && !is_system_bot);
  if (like === undefined) throw new RangeError("nobody is there");
  const users = { ...state.users };
  const groups: { [id: number]: UserGroup } = { ...state.user_groups };
  const isOpen = state.realm.waiting_period_threshold === 0;
  const join = (user_id: number, role: User["role"], names: readonly string[]): void => {
    const email = `new${user_id}@acme.example`;
    users[user_id] = {
      ...like,
      user_id,
      email,
      delivery_email: email,
      full_name: `New ${user_id}`,
      role,
      is_active: true,
    };
    for (const group of Object.values(groups))
      if (group.is_system_group && names.includes(group.name))
        groups[group.id] = { ...group, members: [...group.members, user_id] };
  };
  join(NEWCOMERS.guest, 600, ["role:everyone"]);
  join(NEWCOMERS.member, 400, ["role:members", ...(isOpen ? ["role:fullmembers"] : [])]);
  join(NEWCOMERS.full_member, 400, ["role:members", "role:fullmembers"]);
  join(STRANGER, 400, ["role:members"]);
  join(RESIDENT, 400, ["role:members"]);
  const subscriptions = Object.fromEntries(
    Object.entries(state.subscriptions).map(([id, table]) => [id, { ...table, [RESIDENT]: SUBSCRIPTION }]),
  );
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
  if (await attempts.may(as, "PATCH", `/streams/${id}`, { description: "changed" }))
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
  if (await attempts.may(as, "PATCH", `/user_groups/${id}`, { description: "changed" })) note(on("can_manage_group"));
  if (await attempts.may(as, "POST", path, { add: [STRANGER] })) note(on("can_add_members_group"));
  if (!members.includes(as) && (await attempts.may(as, "POST", path, { add: [as] }))) note(on("enter"));
}

async function inOrganization(attempts: Attempts, { user_id: as }: User, note: Note): Promise<void> {
  const on = (power: string): string => `${power}|organization`;
  const invite = { invitee_emails: "somebody@acme.example", stream_ids: [], invite_expires_in_minutes: 1000 };
  if (await attempts.may(as, "POST", "/invites", invite)) note(on("can_invite_users_group"));
  if (await attempts.may(as, "POST", "/invites/multiuse", { stream_ids: [] })) note(on("create_multiuse_invite_group"));
  for (const kind of ["public", "private"] as const) {
    const made = { name: "brand new", subscribers: [], invite_only: kind === "private" };
    if (await attempts.may(as, "POST", "/channels/create", made)) note(on(`can_create_${kind}_channel_group`));
  }
  const group = { name: "brand new", description: "", members: [] };
  if (await attempts.may(as, "POST", "/user_groups/create", group)) note(on("can_create_groups"));
  const bot = { full_name: "Brand New", short_name: "brand-new", bot_type: 1 };
  if (await attempts.may(as, "POST", "/bots", bot)) note(on("can_create_bots_group"));
  const { members } = (await attempts.send(as, "GET", "/users")).body;
  if (Array.isArray(members) && (members as { readonly user_id: number }[]).some(({ user_id }) => user_id === STRANGER))
    note(on("can_access_all_users_group"));
  if (await attempts.may(as, "PATCH", `/users/${STRANGER}`, { full_name: "Renamed" })) note(on("administer"));
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

const EXTRAS: ReadonlySet<number> = new Set([STRANGER, RESIDENT]);

/** Everything that everybody can do, by their own keys and by those of their active bots. Only people count: a bot without an active owner is nobody's. */
export async function powersIn(bare: RealmState, nowMs: number): Promise<Powers> {
  const state = withMessages(withNewcomers(bare));
  const attempts = new Attempts(state, nowMs);
  const powers = new Map<string, Set<number>>();
  const users = Object.values(state.users).filter(({ is_active, is_system_bot }) => is_active && !is_system_bot);
  for (const person of users.filter(({ is_bot, user_id }) => !is_bot && !EXTRAS.has(user_id))) {
    const note = (power: string): void => {
      powers.set(power, (powers.get(power) ?? new Set()).add(person.user_id));
      const [, channel] = /^(?:read|can_subscribe_group)\|(.*)$/.exec(power) ?? [];
      if (channel !== undefined) note(`reach|${channel}`);
    };
    const own = [person, ...users.filter(({ bot_owner_id }) => bot_owner_id === person.user_id)];
    for (const account of own) await ownPowers(attempts, account, note);
    await reachedBy(
      attempts,
      own.map(({ user_id }) => user_id),
      note,
    );
  }
  return powers;
}

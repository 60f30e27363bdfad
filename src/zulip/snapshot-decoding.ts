import type * as z from "zod";
import { defined, own } from "../model/defined.ts";
import type { FormCause, UnexpectedPart } from "../model/diagnostics/form-cause.ts";
import { quoteAll } from "../model/diagnostics/values.ts";
import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";
import { isLoopbackUrl } from "../model/loopback.ts";
import { quickCheck } from "../model/quick-check.ts";
import { byText } from "../model/realm.ts";
import { countsAs, isUnknownRole, knownRole } from "../model/roles.ts";
import { SERVER_FACTS, SNAPSHOT_VERSION, Snapshot, SnapshotChannel, SnapshotGroup } from "../model/snapshot.ts";
import { unexpected } from "./failures.ts";
import { withoutSecrets } from "./reply.ts";

type Counts = { readonly [fieldId: string]: { readonly [value: string]: number } };

const SELECT = 3;

/** How many people have which value of a profile field. Texts that people wrote are not compared: only keys of options are counted separately. */
function profileValuesOf(body: JsonObject): Counts | undefined {
  const { custom_profile_fields: fields } = body;
  if (fields === undefined || !isList(fields)) return undefined;
  const selects = new Set(
    fields.flatMap((field) => (isObject(field) && field.type === SELECT ? [String(field.id)] : [])),
  );
  const counts = new Map<string, Map<string, number>>();
  for (const user of [...listOf(body.realm_users), ...listOf(body.realm_non_active_users)]) {
    if (!isObject(user) || !isObject(user.profile_data)) continue;
    for (const [id, said] of Object.entries(user.profile_data)) {
      const value = selects.has(id) && isObject(said) ? String(said.value) : "";
      const known = counts.get(id) ?? new Map<string, number>();
      known.set(value, (known.get(value) ?? 0) + 1);
      counts.set(id, known);
    }
  }
  return Object.fromEntries(
    [...counts]
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([id, values]) => [id, Object.fromEntries([...values].toSorted(([a], [b]) => byText(a, b)))]),
  );
}

const listOf = (value: Json | undefined): readonly Json[] => (value !== undefined && isList(value) ? value : []);

interface ServerState {
  /** The answer to POST /register. */
  readonly body: JsonObject;
  /** Whether subscriber lists were requested. */
  readonly subscribers: boolean;
  /** The answer to GET /invites; undefined if it was not requested. */
  readonly invites: JsonObject | undefined;
  readonly site: string;
  /** The time of the reading (ISO 8601, UTC). */
  readonly takenAt: string;
}

/** Section of the snapshot → the server's key, for messages. */
const SERVER_KEY: { readonly [section: string]: string } = {
  users: "realm_users",
  system_bots: "cross_realm_bots",
  user_groups: "realm_user_groups",
  channels: "streams",
  default_channels: "realm_default_streams",
  linkifiers: "realm_linkifiers",
  domains: "realm_domains",
  permission_settings: "server_supported_permission_settings",
  subscribers: "subscriptions",
};

/** Keys that are separate sections, may hold keys of others, or change although nobody changes anything. */
const NOT_SETTINGS = new Set([
  "realm_users",
  "realm_non_active_users",
  "realm_user_groups",
  "realm_bots",
  "realm_incoming_webhook_bots",
  "realm_embedded_bots",
  "realm_billing",
  "realm_default_streams",
  "realm_default_stream_groups",
  "realm_linkifiers",
  "realm_filters",
  "realm_domains",
  "server_supported_permission_settings",
  "server_timestamp",
  "server_generation",
  "max_message_id",
]);

const NONE: ReadonlySet<string> = new Set();
const RENDERED: ReadonlySet<string> = new Set(["rendered_description"]);

/** Parts of a channel that the server derives from others, or that change with every message. */
const DERIVED_OF_OLD_CHANNEL: ReadonlySet<string> = new Set([
  "rendered_description",
  "first_message_id",
  "stream_weekly_traffic",
  "is_recently_active",
]);
const DERIVED_OF_CHANNEL: ReadonlySet<string> = new Set([
  ...DERIVED_OF_OLD_CHANNEL,
  "stream_post_policy",
  "is_announcement_only",
]);

/**
 * Builds the snapshot in its canonical form from the server's answers. Unknown keys are kept where the format is open; elsewhere the schema drops them, and puts the others in
 * its order.
 * @throws Failure with the first field that is not as the API describes it
 */
export function decodeSnapshot(state: ServerState): Snapshot {
  const { body, site } = state;
  for (const key of ["realm_users", "realm_user_groups", "streams"])
    if (!isList(body[key])) throw unexpected(site, [{ part: key, cause: { is: "type", expected: "array" } }]);
  const rows = longLists(state);
  const plain = plainOnes(rows);
  const whole = {
    format: "realmctl.snapshot",
    version: SNAPSHOT_VERSION,
    taken_at: state.takenAt,
    server: { zulip_version: body.zulip_version, feature_level: body.zulip_feature_level },
    realm: realmOf(body, site),
    account: accountOf(body, rows.users),
    permission_settings: permissionSettingsOf(body.server_supported_permission_settings),
    settings: settingsOf(body),
    facts: factsOf(body),
    users: plain.users === undefined ? rows.users : [],
    profile_values: profileValuesOf(body),
    system_bots: objectsOf(body.cross_realm_bots),
    user_groups: plain.user_groups === undefined ? rows.user_groups : [],
    channels: plain.channels === undefined ? rows.channels : [],
    default_channels: defaultChannelsOf(body.realm_default_streams),
    channel_folders: orNull(body.channel_folders, (folders) => objectsOf(folders).map(opener(RENDERED))),
    linkifiers: orNull(body.realm_linkifiers, (linkifiers) => objectsOf(linkifiers).map(opener(NONE))),
    domains: orNull(body.realm_domains, objectsOf),
    navigation_views: orNull(body.navigation_views, (views) =>
      objectsOf(views).map((view) => ({ name: null, ...view })),
    ),
    subscribers: plain.subscribers === undefined ? rows.subscribers : null,
    invites: state.invites === undefined ? null : objectsOf(state.invites.invites ?? null).map(inviteOf),
  };
  // Making code for each form takes 5 ms, and pays for long lists alone.
  const jitless = Object.values(plain).every((list) => list !== undefined);
  const parsed = Snapshot.safeParse(whole, { jitless });
  if (!parsed.success) throw unexpected(site, parsed.error.issues.map(describeIssue));
  return canonical({ ...parsed.data, ...defined(plain) });
}

/** The lists that grow with the organization, as rows of the snapshot. */
function longLists({ body, subscribers }: ServerState) {
  const group = opener(NONE, Object.keys(SnapshotGroup.shape));
  return {
    users: [...peopleOf(body.realm_users, true), ...peopleOf(body.realm_non_active_users, false)],
    user_groups: objectsOf(body.realm_user_groups).map((row) =>
      group({ creator_id: null, date_created: null, ...row }),
    ),
    channels: channelsOf(body.streams),
    subscribers: subscribers ? subscribersOf(body) : null,
  };
}

const isUsers = quickCheck(Snapshot.shape.users);
const isGroups = quickCheck(Snapshot.shape.user_groups);
const isChannels = quickCheck(Snapshot.shape.channels);
const isSubscribers = quickCheck(Snapshot.shape.subscribers);

/** Lists in which every row is valid: the schema, which copies what it checks, sees only the others. */
function plainOnes({ users, user_groups, channels, subscribers }: ReturnType<typeof longLists>) {
  return {
    users: where(isUsers, users),
    user_groups: where(isGroups, user_groups),
    channels: where(isChannels, channels),
    subscribers: where(isSubscribers, subscribers),
  };
}

const where = <T>(is: (value: unknown) => value is T, value: unknown): T | undefined => (is(value) ? value : undefined);

/** Only a server on this machine may say that it is a sandbox of an organization: any other server could pretend to be that organization. */
function realmOf(body: JsonObject, site: string): JsonObject {
  const url = body.realm_url ?? body.realm_uri ?? site;
  const of = body.realmctl_sandbox_of;
  const isHere = typeof of === "string" && typeof url === "string" && isLoopbackUrl(url) && isLoopbackUrl(site);
  return defined({ url, name: body.realm_name, sandbox_of: isHere ? of : undefined });
}

function peopleOf(list: Json | undefined, active: boolean): readonly JsonObject[] {
  return objectsOf(list).map((row) => {
    const {
      user_id,
      email,
      delivery_email = null,
      full_name,
      role,
      is_bot,
      bot_type = null,
      // Every bot's row has it; null would be a bot of nobody. The schema refuses the object, with its place.
      bot_owner_id = is_bot === true ? {} : null,
    } = row;
    const person: { [field: string]: Json } = {
      user_id: user_id ?? null,
      email: email ?? null,
      delivery_email,
      full_name: full_name ?? null,
      role: role ?? null,
      is_bot: is_bot ?? null,
      bot_type,
      bot_owner_id,
      is_active: active,
    };
    if (isUnknownRole(role)) Object.assign(person, { role: countsAs(role), unknown_role: role });
    addLook(person, row);
    return person;
  });
}

/** Other values of an account, if they differ from those of a new account. Written out one by one, since it runs for many people. */
function addLook(person: { [field: string]: Json }, row: JsonObject): void {
  const { timezone, date_joined, avatar_url, avatar_version, is_imported_stub, is_deleted } = row;
  if (timezone !== undefined && timezone !== "") person.timezone = timezone;
  if (date_joined !== undefined) person.date_joined = date_joined;
  if (typeof avatar_url === "string" && !GRAVATAR.test(avatar_url)) person.avatar_url = avatar_url;
  if (avatar_version !== undefined && avatar_version !== 1) person.avatar_version = avatar_version;
  if (is_imported_stub === true) person.is_imported_stub = true;
  if (is_deleted === true) person.is_deleted = true;
}
/** Pictures derived from a hash of the address, wherever they are hosted. */
const GRAVATAR = /\/avatar\/[0-9a-f]{32,64}\?/;

function factsOf(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([key]) => SERVER_FACTS.has(key))
      .toSorted(([a], [b]) => byText(a, b)),
  );
}

/** The caller's own facts come with `realm_user`; role and type are in its row of the list. */
function accountOf(body: JsonObject, users: readonly JsonObject[]): unknown {
  const own = users.find((user) => user.user_id === body.user_id);
  return {
    user_id: body.user_id,
    email: body.delivery_email ?? body.email,
    full_name: body.full_name,
    role: own?.role,
    ...defined({ unknown_role: own?.unknown_role }),
    is_bot: own?.is_bot,
  };
}

/** Below some levels, rows have keys that were removed later (`allow_owners_group`, `id_field_name`): the schema drops them. */
function permissionSettingsOf(value: Json | undefined): unknown {
  if (!isObject(value)) return null;
  const { realm, stream, group, ...others } = value;
  return { realm: realm ?? {}, stream: stream ?? {}, group: group ?? {}, ...others };
}

function settingsOf(body: JsonObject): JsonObject {
  const settings: { [name: string]: Json } = {};
  for (const [key, value] of Object.entries(body)) {
    if (NOT_SETTINGS.has(key)) continue;
    if (key.startsWith("realm_")) settings[settingName(key)] = sortedGroup(value);
    else if (/^(max_|server_)/.test(key) || key === "custom_profile_fields" || key === "zulip_plan_is_not_limited")
      settings[key] = value;
  }
  return withoutSecrets(Object.fromEntries(Object.entries(settings).sort(([a], [b]) => byText(a, b))));
}

/** Without `realm_`, unless what is left looks like a fact about the server. */
const settingName = (key: string): string => key.replace(/^realm_(?!max_|server_)/, "");

function channelsOf(list: Json | undefined): readonly JsonObject[] {
  const declared = Object.keys(SnapshotChannel.shape);
  const [old, current] = [opener(DERIVED_OF_OLD_CHANNEL, declared), opener(DERIVED_OF_CHANNEL, declared)];
  return objectsOf(list).map((channel) => {
    // Below level 333 there is only the legacy number.
    const opened = channel.can_send_message_group === undefined ? old : current;
    return opened(channel.creator_id === undefined ? { creator_id: null, ...channel } : channel);
  });
}

/** The ids of default channels. Below level 330, the server sends whole channels. */
function defaultChannelsOf(list: Json | undefined): unknown {
  return isList(list) ? list.map((entry) => (isObject(entry) ? entry.stream_id : entry)) : null;
}

/** Three lists together hold every channel that the account may know (zulip-api.md §2.5). */
function subscribersOf(body: JsonObject): { readonly [channel: string]: unknown } {
  const channels = [body.subscriptions ?? null, body.unsubscribed, body.never_subscribed].flatMap(objectsOf);
  return Object.fromEntries(channels.map((channel) => [String(channel.stream_id), channel.subscribers]));
}

/** An invitation; the schema drops `link_url`: everybody who has the link can join. */
function inviteOf(invite: JsonObject): unknown {
  const { role, ...more } = knownRole(invite.invited_as);
  const missing = { email: null, invited_by_user_id: null, expiry_date: null, notify_referrer_on_join: null };
  return { ...missing, ...invite, invited_as: role, ...more };
}

/** Sorted as the format requires; linkifiers and folders stay in the server's order, which has a meaning. */
function canonical(snapshot: Snapshot): Snapshot {
  const { subscribers, invites } = snapshot;
  return {
    ...snapshot,
    users: sorted(snapshot.users, (a, b) => a.user_id - b.user_id),
    system_bots: snapshot.system_bots?.toSorted((a, b) => a.user_id - b.user_id),
    user_groups: sorted(
      snapshot.user_groups.map((group) => ({
        ...group,
        members: sorted(group.members, byNumber),
        direct_subgroup_ids: sorted(group.direct_subgroup_ids, byNumber),
      })),
      (a, b) => a.id - b.id,
    ),
    channels: sorted(snapshot.channels, (a, b) => a.stream_id - b.stream_id),
    default_channels: snapshot.default_channels?.toSorted(byNumber) ?? null,
    domains: snapshot.domains?.toSorted((a, b) => byText(a.domain, b.domain)) ?? null,
    navigation_views: snapshot.navigation_views?.toSorted((a, b) => byText(a.fragment, b.fragment)) ?? null,
    subscribers:
      subscribers &&
      Object.fromEntries(
        Object.entries(subscribers)
          .toSorted(([a], [b]) => Number(a) - Number(b))
          .map(([id, users]) => [id, sorted(users, byNumber)]),
      ),
    // Links and mails have separate numbers, so an id may occur twice.
    invites: invites?.toSorted((a, b) => Number(a.is_multiuse) - Number(b.is_multiuse) || a.id - b.id) ?? null,
  };
}

const byNumber = (a: number, b: number): number => a - b;

/** The list itself if it is sorted already, as nearly every list of a server is. */
function sorted<T>(list: T[], compare: (a: T, b: T) => number): T[] {
  for (let at = 1; at < list.length; at += 1) {
    const before = list[at - 1];
    const after = list[at];
    if (before !== undefined && after !== undefined && compare(before, after) > 0) return list.toSorted(compare);
  }
  return list;
}

function isAnonymousGroup(value: unknown): value is { direct_members: Json[]; direct_subgroups: Json[] } {
  return isObject(value) && isList(value.direct_members) && isList(value.direct_subgroups);
}

function sortedGroup(value: Json): Json {
  if (!isAnonymousGroup(value)) return value;
  const byNumber = (a: Json, b: Json) => Number(a) - Number(b);
  return {
    direct_members: value.direct_members.toSorted(byNumber),
    direct_subgroups: value.direct_subgroups.toSorted(byNumber),
  };
}

/**
 * A value that is not an object becomes an empty one, and a value that is not a list becomes a list of one: the schema refuses both, with their
 * place.
 */
function objectsOf(list: Json | undefined): readonly JsonObject[] {
  if (list === undefined) return [];
  return isList(list) ? list.map((entry) => (isJsonObject(entry) ? entry : {})) : [{}];
}

function isJsonObject(value: Json): value is JsonObject {
  return isObject(value);
}

function orNull<T>(value: Json | undefined, decode: (value: Json) => T): T | null {
  return isList(value) ? decode(value) : null;
}

/**
 * Objects whose other keys the format keeps: by name after the declared ones, anonymous groups in order. The rows of a list nearly always have the
 * same names, so these are sorted only for the first row.
 */
function opener(dropped: ReadonlySet<string>, declared: readonly string[] = []): (object: JsonObject) => JsonObject {
  let names: readonly string[] = [];
  let ordered: readonly string[] = [];
  /** The fields in order. Copying them is quicker than adding thirty fields one by one. */
  let empty: { readonly [key: string]: Json } = {};
  return (object) => {
    const own = Object.keys(object);
    if (own.length !== names.length || own.some((name, at) => name !== names[at])) {
      names = own;
      // `__proto__` would set the object's prototype. No server sends a field with this name.
      const others = own.filter((name) => !declared.includes(name) && name !== "__proto__").sort();
      ordered = [...declared.filter((name) => own.includes(name)), ...others].filter((name) => !dropped.has(name));
      empty = Object.fromEntries(ordered.map((name) => [name, null]));
    }
    const kept: { [key: string]: Json } = { ...empty };
    for (const name of ordered) kept[name] = sortedGroup(object[name] ?? null);
    return kept;
  };
}

function describeIssue(issue: z.core.$ZodIssue): UnexpectedPart {
  const [section, ...rest] = issue.path.map(String);
  if (section === undefined) return { cause: formCauseOf(issue) };
  const place = rest.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join("");
  return { part: `${own(SERVER_KEY, section) ?? section}${place}`, cause: formCauseOf(issue) };
}

/** The error in a part of an answer or a file, as a fact without the texts of the validation library. */
export function formCauseOf(issue: z.core.$ZodIssue): FormCause {
  switch (issue.code) {
    case "invalid_type":
      return { is: "type", expected: issue.expected };
    case "unrecognized_keys":
      return { is: "unknown", keys: quoteAll(issue.keys) };
    case "invalid_value":
      return { is: "value", allowed: issue.values.map((value) => JSON.stringify(value) ?? String(value)) };
    default:
      return { is: "other" };
  }
}

import { defined } from "../model/defined.ts";
import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";
import { isLoopbackUrl } from "../model/loopback.ts";
import { knownRole } from "../model/roles.ts";
import { SERVER_FACTS, SNAPSHOT_VERSION, Snapshot } from "../model/snapshot.ts";

import { manualClock } from "./clock.ts";
import { GRAVATAR } from "./pictures.ts";
import { FIELD_TYPE } from "./profile/field-data.ts";
import { ROLE, type User } from "./rows/accounts.ts";
import { rows } from "./rows/values.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

/** Keys of POST /register that have sections of their own, hold secrets, or change by themselves. */
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
const CAPABILITIES = {
  notification_settings_null: true,
  linkifier_url_template: true,
  include_deactivated_groups: true,
  archived_channels: true,
  user_list_incomplete: true,
  empty_topic_name: true,
};
const FETCHED = [
  "realm",
  "realm_user",
  "realm_user_groups",
  "stream",
  "default_streams",
  "realm_linkifiers",
  "realm_domains",
  "realm_emoji",
  "realm_playgrounds",
  "custom_profile_fields",
  "realm_user_settings_defaults",
  "navigation_views",
  "channel_folders",
  "subscription",
];

/**
 * The realm as its first owner sees it, in the format of `realmctl snapshot` with subscribers and invitations. The requests go to a copy of the
 * realm, so nothing is counted or logged.
 * @throws Error if the realm has no active owner
 */
export async function toSnapshot(sandbox: Sandbox, nowMs: number): Promise<Snapshot> {
  const state = sandbox.state();
  const owner = rows(state.users).find((user) => user.role === ROLE.owner && user.is_active && !user.is_bot);
  if (owner === undefined) throw new Error("the realm has no active owner to see it whole");
  const copy = createSandbox({ from: state, featureLevel: sandbox.featureLevel, clock: manualClock(nowMs) });
  copy.setUrl(sandbox.url);
  const register = await ask(copy, owner, "POST", "/register", {
    fetch_event_types: JSON.stringify(FETCHED),
    client_capabilities: JSON.stringify(CAPABILITIES),
    include_subscribers: "true",
  });
  const { invites } = await ask(copy, owner, "GET", "/invites", {});
  return snapshotOf(register, objects(invites), new Date(nowMs).toISOString());
}

async function ask(
  sandbox: Sandbox,
  as: User,
  method: string,
  path: string,
  params: { readonly [name: string]: string },
): Promise<JsonObject> {
  const account = sandbox.accounts[as.delivery_email];
  if (account === undefined) throw new Error(`no account ${as.delivery_email}`);
  const authorization = `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString("base64")}`;
  const body = method === "GET" ? null : new URLSearchParams(params);
  const request = new Request(`http://localhost/api/v1${path}`, { method, headers: { authorization }, body });
  const response = await sandbox.fetch(request);
  const answer: JsonObject = JSON.parse(await response.text());
  if (response.status !== 200) throw new Error(`${method} ${path}: ${answer.msg}`);
  return answer;
}

function snapshotOf(body: JsonObject, invites: readonly JsonObject[], takenAt: string): Snapshot {
  const users = [
    ...objects(body.realm_users).map((user) => person(user, true)),
    ...objects(body.realm_non_active_users).map((user) => person(user, false)),
  ].sort((a, b) => a.user_id - b.user_id);
  const own = users.find((user) => user.user_id === body.user_id);
  const permissions = body.server_supported_permission_settings;
  const channels = [body.subscriptions, body.unsubscribed, body.never_subscribed].flatMap(objects);
  return Snapshot.parse({
    format: "realmctl.snapshot",
    version: SNAPSHOT_VERSION,
    taken_at: takenAt,
    server: { zulip_version: body.zulip_version, feature_level: body.zulip_feature_level },
    realm: {
      url: body.realm_url ?? body.realm_uri,
      name: body.realm_name,
      ...defined({
        sandbox_of:
          isLoopbackUrl(String(body.realm_url)) && body.realmctl_sandbox_of !== undefined
            ? body.realmctl_sandbox_of
            : undefined,
      }),
    },
    account: {
      user_id: body.user_id,
      email: body.delivery_email ?? body.email,
      full_name: body.full_name,
      role: own?.role,
      ...defined({ unknown_role: own?.unknown_role }),
      is_bot: own?.is_bot,
    },
    permission_settings: isObject(permissions) ? { realm: {}, stream: {}, group: {}, ...permissions } : null,
    settings: settingsOf(body),
    facts: sortedKeys(Object.fromEntries(Object.entries(body).filter(([key]) => SERVER_FACTS.has(key)))),
    users,
    profile_values: profileValues(body),
    system_bots: objects(body.cross_realm_bots)
      .map(({ user_id, email, full_name, date_joined }) => ({ user_id, email, full_name, date_joined }))
      .sort(byKey("user_id")),
    user_groups: objects(body.realm_user_groups).map(groupOf).sort(byKey("id")),
    channels: objects(body.streams).map(channelOf).sort(byKey("stream_id")),
    default_channels: isList(body.realm_default_streams)
      ? numbers(body.realm_default_streams.map((each) => (isObject(each) ? (each.stream_id ?? null) : each)))
      : null,
    channel_folders: sectionOf(body.channel_folders, ({ rendered_description: _, ...folder }) => sortedKeys(folder)),
    linkifiers: sectionOf(body.realm_linkifiers, sortedKeys),
    domains: sectionOf(body.realm_domains, ({ domain, allow_subdomains }) => ({ domain, allow_subdomains }), "domain"),
    navigation_views: sectionOf(
      body.navigation_views,
      ({ fragment, is_pinned, name = null }) => ({ fragment, is_pinned, name }),
      "fragment",
    ),
    subscribers: Object.fromEntries(
      channels.sort(byKey("stream_id")).map((channel) => [String(channel.stream_id), numbers(channel.subscribers)]),
    ),
    invites: invites
      .map(inviteOf)
      .sort((a, b) => Number(a.is_multiuse) - Number(b.is_multiuse) || Number(a.id) - Number(b.id)),
  });
}

const groupOf = (group: JsonObject): JsonObject =>
  sortedKeys({
    creator_id: null,
    date_created: null,
    ...group,
    members: numbers(group.members),
    direct_subgroup_ids: numbers(group.direct_subgroup_ids),
  });

/** A role that this version does not know counts as another one (model/roles.ts). */
function invitedAs(role: Json | undefined): JsonObject {
  const { role: invited_as, ...more } = knownRole(role);
  return { ...defined({ invited_as }), ...more };
}

/** The invitation without the link itself: everybody who has the link can join. */
function inviteOf(invite: JsonObject): JsonObject {
  const { id, is_multiuse, email = null, invited_by_user_id = null, invited, expiry_date = null, invited_as } = invite;
  const { notify_referrer_on_join = null } = invite;
  return defined({
    id,
    is_multiuse,
    email,
    invited_by_user_id,
    invited,
    expiry_date,
    ...invitedAs(invited_as),
    notify_referrer_on_join,
  });
}

function person(user: JsonObject, is_active: boolean) {
  const { user_id, email, delivery_email = null, full_name, role, is_bot, bot_type = null, bot_owner_id = null } = user;
  return {
    user_id: Number(user_id),
    email,
    delivery_email,
    full_name,
    ...knownRole(role),
    is_bot,
    bot_type,
    bot_owner_id,
    is_active,
    ...defined({ timezone: user.timezone === "" ? undefined : user.timezone }),
    date_joined: user.date_joined,
    ...defined({
      avatar_url:
        typeof user.avatar_url === "string" && !user.avatar_url.includes(GRAVATAR) ? user.avatar_url : undefined,
      avatar_version: user.avatar_version === 1 ? undefined : user.avatar_version,
      is_imported_stub: user.is_imported_stub === true ? true : undefined,
      is_deleted: user.is_deleted === true ? true : undefined,
    }),
  };
}

function settingsOf(body: JsonObject): JsonObject {
  const settings: { [name: string]: Json } = {};
  for (const [key, value] of Object.entries(body)) {
    if (NOT_SETTINGS.has(key)) continue;
    if (key.startsWith("realm_")) settings[key.replace(/^realm_(?!max_|server_)/, "")] = sorted(value);
    else if (/^(max_|server_)/.test(key) || key === "custom_profile_fields" || key === "zulip_plan_is_not_limited")
      settings[key] = value;
  }
  return sortedKeys(settings);
}

/** For each profile field the number of people with a value, for a field with choices per choice. All other values are private. */
function profileValues(body: JsonObject) {
  const counts: { [fieldId: string]: { [value: string]: number } } = {};
  const people = [...objects(body.realm_users), ...objects(body.realm_non_active_users)];
  for (const { id, type } of objects(body.custom_profile_fields)) {
    const own: { [value: string]: number } = {};
    for (const { profile_data } of people) {
      const said = isObject(profile_data) ? profile_data[String(id)] : undefined;
      if (!isObject(said)) continue;
      const key = type === FIELD_TYPE.choice ? String(said.value) : "";
      own[key] = (own[key] ?? 0) + 1;
    }
    if (Object.keys(own).length > 0) counts[String(id)] = Object.fromEntries(Object.entries(own).sort());
  }
  return counts;
}

/** The channel without fields that the server derives from others, or that every message changes. */
function channelOf(channel: JsonObject): JsonObject {
  const {
    rendered_description: _,
    first_message_id: __,
    stream_weekly_traffic: ___,
    is_recently_active: ____,
    ...rest
  } = channel;
  const { stream_post_policy: _____, is_announcement_only: ______, ...known } = rest;
  const kept = channel.can_send_message_group === undefined ? rest : known;
  return sortedKeys({ message_retention_days: null, creator_id: null, ...kept });
}

function sectionOf(
  list: Json | undefined,
  show: (row: JsonObject) => { readonly [key: string]: unknown },
  order?: string,
) {
  if (!isList(list)) return null;
  const shown = objects(list).map(show);
  return order === undefined ? shown : shown.sort(byKey(order));
}

const byKey =
  (key: string) =>
  (a: { readonly [key: string]: unknown }, b: { readonly [key: string]: unknown }): number => {
    const [x, y] = [a[key], b[key]];
    if (typeof x === "number" && typeof y === "number") return x - y;
    return String(x) < String(y) ? -1 : 1;
  };
const numbers = (list: Json | undefined): number[] =>
  isList(list) ? list.filter((each) => typeof each === "number").sort((a, b) => a - b) : [];
const isJsonObject = (value: Json): value is JsonObject => isObject(value);
const objects = (list: Json | undefined): JsonObject[] => (isList(list) ? list.filter(isJsonObject) : []);
function sortedKeys(object: JsonObject): JsonObject {
  const out: { [key: string]: Json } = {};
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value !== undefined) out[key] = sorted(value);
  }
  return out;
}
/** An anonymous group with its ids ascending. */
function sorted(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const { direct_members, direct_subgroups } = value;
  if (!isList(direct_members) || !isList(direct_subgroups)) return value;
  return { direct_members: numbers(direct_members), direct_subgroups: numbers(direct_subgroups) };
}

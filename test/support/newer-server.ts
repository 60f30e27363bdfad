import { isList, isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { ParsedRequest } from "../../src/sandbox/http.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";

/**
 * A sandbox shown as a server that is newer than what anybody here knows: from level 466 on with keys that realmctl has no use for, and from 513 on
 * with invented rights, values, keys and groups, and without what Zulip calls deprecated. What it invents, it keeps: its rights can be changed as all others.
 */

/**
 * The servers that every command is tried at: Zulip's main branch, 12.0 before its release, the newest known level, and one that nobody has seen. Each has
 * what is invented, since a changed server may have it at any level; the known levels are also tried without it.
 */
export const NEWER_SERVERS: readonly { readonly level: number; readonly isFuture: boolean; readonly server: string }[] =
  [467, 496, 512, 600].flatMap((level) =>
    (level < 513 ? [false, true] : [true]).map((isFuture) => ({
      level,
      isFuture,
      server: `level ${level}${isFuture ? " with what nobody knows" : ""}`,
    })),
  );
const FUTURE = 513;

/** The invented rights, by what they belong to, each with its standard group. */
export const INVENTED = {
  realm: { can_pin_topics_group: "role:members" },
  stream: { can_react_group: "role:everyone" },
  group: { can_see_members_group: "role:members" },
} as const;
type Scope = keyof typeof INVENTED;
/** The only channel with an invented topics policy, and the invented values of settings that the file of a test should not set. */
export const INVENTED_VALUES = { topics_policy: "topics_by_vote", web_channel_default_view: 99, provider: "holodeck" };
const POLICY_CHANNEL = "Zulip";

const DEPRECATED =
  /^realm_(uri|mandatory_topics|wildcard_mention_policy|create_\w+_policy|\w+_policy_deprecated)$|^can_create_streams$/;
const OF_CHANNELS = new Set(["stream_post_policy", "is_announcement_only", "in_home_view"]);
/** A key that no client knows, with things inside that it cannot guess. */
const ORBIT = { orbit: { height: 400, stations: [{ name: "one", docks: [1, null] }] } };
const ROBOTS = 9001;
/** Two members, a person and a bot, are shown with roles between those of moderators and of members. */
export const INVENTED_ROLES: { readonly [address: string]: number } = {
  "elif@acme.example": 350,
  "hook-bot@localhost": 390,
};
/** A profile field of a type that came after the eight known ones. */
const COORDINATES = {
  id: 9001,
  type: 9,
  name: "Coordinates",
  hint: "",
  field_data: "",
  order: 90,
  required: false,
  editable_by_user: true,
  ...ORBIT,
};

/** @param isFuture whether it has what nobody knows; default: from the first level on that nobody has seen */
export function newerServer(level: number, isFuture = level >= FUTURE): Interceptor {
  const values = new Map<string, Json>();
  return {
    async after(request, response) {
      if (response.status !== 200 || level < 466) return undefined;
      const body: Json = JSON.parse(await response.clone().text());
      if (!isObject(body)) return undefined;
      const shown = isFuture ? future(request, body, values) : sober(request, body);
      return new Response(JSON.stringify(shown), { status: 200, headers: response.headers });
    },
  };
}

/** What levels from 466 on add beside what the sandbox has. */
function sober({ path }: ParsedRequest, body: JsonObject): JsonObject {
  return path === "/register" ? { ...body, realm_uuid: "0e6f9d2c-7a51-4d8a-9f6e-2b1c33a4d5e6" } : body;
}

function future(request: ParsedRequest, body: JsonObject, values: Map<string, Json>): JsonObject {
  const written = kept(request, body, values);
  const groups = groupsIn(body);
  if (groups.length > 0)
    values.set(
      "groups",
      groups.map(({ id, name }) => [name ?? null, id ?? null]),
    );
  return request.path === "/register" ? register(sober(request, written), values) : changed(written, values);
}

/** Stores the invented rights of a request, which the sandbox ignores, in the form in which the server would. */
function kept({ method, path, values: sent }: ParsedRequest, body: JsonObject, values: Map<string, Json>): JsonObject {
  const ignored = body.ignored_parameters_unsupported;
  const [of, objects] = writtenBy(method, path, sent, body);
  if (of === undefined || !isList(ignored)) return body;
  for (const right of Object.keys(INVENTED[of])) {
    const change: Json = JSON.parse(sent.get(right) ?? "null");
    const value = isObject(change) && change.new !== undefined ? change.new : change;
    if (value !== null) for (const each of objects ?? []) values.set(`${of} ${each} ${right}`, stored(value, values));
  }
  const left = ignored.filter((name) => typeof name !== "string" || !Object.hasOwn(INVENTED[of], name));
  const { ignored_parameters_unsupported: _, ...rest } = body;
  return left.length === 0 ? rest : { ...rest, ignored_parameters_unsupported: left };
}
/** What a request writes: the ids of the objects, or the names of channels that it creates. */
function writtenBy(
  method: string,
  path: string,
  sent: ParsedRequest["values"],
  body: JsonObject,
): readonly [Scope?, Json[]?] {
  const [, changed, id] = /^\/(streams|user_groups)\/(\d+)$/.exec(path) ?? [];
  if (method === "PATCH" && path === "/realm") return ["realm", [""]];
  if (method === "PATCH" && changed !== undefined) return [changed === "streams" ? "stream" : "group", [id ?? ""]];
  if (method !== "POST") return [];
  if (path === "/user_groups/create") return ["group", [body.group_id ?? 0]];
  if (path === "/channels/create") return ["stream", [body.id ?? 0]];
  if (path !== "/users/me/subscriptions") return [];
  return ["stream", objects(JSON.parse(sent.get("subscriptions") ?? "[]")).map(({ name }) => name ?? "")];
}
/** An object without people that names one group is that group; an empty one is nobody. */
function stored(value: Json, values: Map<string, Json>): Json {
  if (!isObject(value) || !isList(value.direct_members) || value.direct_members.length > 0) return value;
  if (!isList(value.direct_subgroups) || value.direct_subgroups.length > 1) return value;
  return value.direct_subgroups[0] ?? groupNamed("role:nobody", values);
}
function groupNamed(name: string, values: Map<string, Json>): Json {
  const groups = values.get("groups");
  const found = isList(groups) ? groups.find((pair) => isList(pair) && pair[0] === name) : undefined;
  return isList(found) ? (found[1] ?? 0) : 0;
}

const groupsIn = (body: JsonObject): readonly JsonObject[] => objects(body.realm_user_groups ?? body.user_groups);
const objects = (list: Json | undefined): readonly JsonObject[] =>
  isList(list) ? list.flatMap((each) => (isObject(each) ? [each] : [])) : [];

/** Every answer with objects: each has what is new, and lacks what is gone. */
function changed(body: JsonObject, values: Map<string, Json>): JsonObject {
  const out: { [key: string]: Json } = { ...body };
  for (const key of ["streams", "subscriptions", "unsubscribed", "never_subscribed"])
    if (isList(body[key])) out[key] = objects(body[key]).map((each) => channel(each, values));
  for (const key of ["realm_user_groups", "user_groups"])
    if (isList(body[key])) out[key] = [...objects(body[key]).map((each) => group(each, values)), robots(values)];
  if (isList(body.invites)) out.invites = objects(body.invites).map(invitation);
  for (const key of ["members", "realm_users", "realm_non_active_users", "cross_realm_bots"])
    if (objects(body[key]).length > 0) out[key] = objects(body[key]).map(account);
  return out;
}
/** Who is invited as a moderator is invited as something else. */
const invitation = (each: JsonObject): JsonObject => ({
  ...each,
  invited_as: each.invited_as === 300 ? (INVENTED_ROLES["elif@acme.example"] ?? 300) : (each.invited_as ?? null),
  ...ORBIT,
});
const account = (each: JsonObject): JsonObject => ({
  ...each,
  role: INVENTED_ROLES[String(each.delivery_email ?? each.email)] ?? each.role ?? null,
  ...ORBIT,
});
function channel(each: JsonObject, values: Map<string, Json>): JsonObject {
  const known = Object.fromEntries(Object.entries(each).filter(([key]) => !OF_CHANNELS.has(key)));
  const policy = each.name === POLICY_CHANNEL ? { topics_policy: INVENTED_VALUES.topics_policy } : {};
  return { ...known, ...policy, ...ORBIT, ...rightsOf("stream", [each.stream_id, each.name], values) };
}
const group = (each: JsonObject, values: Map<string, Json>): JsonObject => ({
  ...each,
  ...ORBIT,
  ...rightsOf("group", [each.id], values),
});
/** @param ids names of the object: its id, and for channels its name when it was created */
const rightsOf = (scope: Scope, ids: readonly (Json | undefined)[], values: Map<string, Json>): JsonObject =>
  Object.fromEntries(
    Object.entries(INVENTED[scope]).map(([right, standard]) => {
      const [written] = ids.flatMap((id) => values.get(`${scope} ${id} ${right}`) ?? []);
      return [right, written ?? groupNamed(standard, values)];
    }),
  );
/** A group of the server's own that is no role. */
function robots(values: Map<string, Json>): JsonObject {
  const nobody = groupNamed("role:nobody", values);
  const rights = ["add_members", "join", "leave", "manage", "mention", "remove_members"].map((right) => [
    `can_${right}_group`,
    nobody,
  ]);
  return {
    id: ROBOTS,
    name: "role:robots",
    description: "Everything that runs by itself",
    members: [],
    direct_subgroup_ids: [],
    is_system_group: true,
    deactivated: false,
    creator_id: null,
    date_created: null,
    ...Object.fromEntries(rights),
    ...ORBIT,
    ...rightsOf("group", [ROBOTS], values),
  };
}

function register(body: JsonObject, values: Map<string, Json>): JsonObject {
  const known = Object.fromEntries(Object.entries(body).filter(([key]) => !DEPRECATED.test(key)));
  const out: { [key: string]: Json } = { ...changed(known, values) };
  const has = (key: string): boolean => body[key] !== undefined;
  if (has("realm_name")) {
    Object.assign(out, ORBIT, { server_orbit: 7, max_orbits: 9, realm_max_satellites: 3, realm_orbit: ORBIT.orbit });
    out.realm_enable_gravity = true;
    for (const [right, value] of Object.entries(rightsOf("realm", [""], values))) out[`realm_${right}`] = value;
  }
  if (isObject(body.realm_available_video_chat_providers))
    out.realm_available_video_chat_providers = {
      ...body.realm_available_video_chat_providers,
      [INVENTED_VALUES.provider]: { name: "Holodeck", id: 42 },
    };
  if (isList(body.custom_profile_fields)) out.custom_profile_fields = [...body.custom_profile_fields, COORDINATES];
  if (isObject(body.realm_user_settings_defaults))
    out.realm_user_settings_defaults = {
      ...body.realm_user_settings_defaults,
      web_orbit_view: "far",
      web_channel_default_view: INVENTED_VALUES.web_channel_default_view,
    };
  if (isObject(body.server_supported_permission_settings))
    out.server_supported_permission_settings = described(body.server_supported_permission_settings);
  return out;
}

function described(supported: JsonObject): JsonObject {
  const out: { [scope: string]: Json } = { ...supported, planet: { can_land_group: rule("role:members") } };
  for (const scope of ["realm", "stream", "group"] as const) {
    const invented = Object.entries(INVENTED[scope]).map(([right, standard]) => [right, rule(standard)]);
    out[scope] = { ...(isObject(supported[scope]) ? supported[scope] : {}), ...Object.fromEntries(invented) };
  }
  return out;
}
const rule = (standard: string): JsonObject => ({
  require_system_group: false,
  allow_internet_group: false,
  allow_nobody_group: true,
  allow_everyone_group: true,
  default_group_name: standard,
  default_for_system_groups: null,
  allowed_system_groups: [],
  allow_visitors: false,
});

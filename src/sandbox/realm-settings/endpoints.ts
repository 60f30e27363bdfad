import { defined, whenDefined } from "../../model/defined.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { ORGANIZATION_PERMISSIONS } from "../../model/permission-settings.ts";
import { accessibleChannel, checkPlan, checkPlusPlan, isOwner, realmGroup } from "../access.ts";
import { type Call, everybody } from "../call.ts";
import { rendered } from "../channels/params.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, badValue, internalError, mustBe } from "../errors.ts";
import { isChanged, setOf, subgroupsOf, systemGroup, writtenGroupValue } from "../groups.ts";
import { postAsBot } from "../messages/post.ts";
import { normalizedContent } from "../messages/posting.ts";
import { type Args, checkNoNullBytes, required, type SentGroupChange, text } from "../params.ts";
import { REALM_PERMISSIONS } from "../permissions.ts";
import { isTruthy } from "../python.ts";
import { ROLE, type User } from "../rows/accounts.ts";
import { type GroupValue, rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { isLanguage } from "../user-settings/languages-and-time-zones.ts";
import {
  CHANNEL_VALUED,
  type ChannelValued,
  EDIT_HISTORY_POLICY,
  OLDER_NAMES,
  type OlderName,
  olderValues,
  PLAIN_SETTINGS,
  type PlainSetting,
  REALM_GROUP_SETTINGS,
  type RealmGroupSetting,
  realmParams,
  realmSettingAt,
  TIME_LIMITS,
  TOPICS_POLICY,
} from "./params.ts";

/** PATCH /realm (zulip-api.md §12.1). */
export const realmSettingsEndpoints = [
  defineEndpoint("PATCH /realm", {
    who: ["administrator"],
    params: realmParams,
    handler(call, sent) {
      checkBeforeWriting(call, sent);
      const change = new RealmChange(call);
      change.run(sent);
      return change.changed;
    },
  }),
  // An administrator looks at what new people will be told (zulip-api.md §12.1).
  defineEndpoint("POST /realm/test_welcome_bot_custom_message", {
    level: 416,
    who: ["administrator"],
    params: { welcome_message_custom_text: required(text({ maxLength: 8000 })) },
    handler(call, { welcome_message_custom_text }) {
      const content = normalizedContent(welcome_message_custom_text);
      const message_id = postAsBot(call, { kind: "direct", userIds: [call.user.user_id] }, content, {}, "welcome-bot");
      if (message_id === undefined) throw new Error("the realm was read without its Welcome Bot");
      return { message_id };
    },
  }),
];

const STRICT = ["role:nobody", "role:owners", "role:administrators"] as const;
/**
 * A server checks each right by which the members of a group change. Which these are is not known for certain, only that a group whose rights are as at its creation
 * does not pass: one of these three counts. Joining and removing, which nobody may then, may count too.
 */
const LOOSE_AT_CREATION = ["can_add_members_group", "can_leave_group", "can_manage_group"] as const;

/** Nobody but administrators may change who is billed, through a named group, or a group in it. @throws ApiError */
function checkWorkplaceGroup(state: RealmState, value: GroupValue): void {
  const named = typeof value === "number" ? [value] : value.direct_subgroups;
  const all = new Set(named.filter((id) => !isSystem(state, id)).flatMap((id) => [...subgroupsOf(state, id)]));
  if (all.size === 0) return;
  const strict = STRICT.map((name) => systemGroup(state, name).id);
  const isStrict = (right: GroupValue | undefined): boolean => typeof right === "number" && strict.includes(right);
  const isLoose = (id: number): boolean =>
    !isSystem(state, id) && !LOOSE_AT_CREATION.some((right) => isStrict(state.user_groups[id]?.[right]));
  if (isStrict(realmGroup(state, "can_manage_all_groups")) && ![...all].some(isLoose)) return;
  throw new ApiError(
    "'workplace_users_group' must be a group whose membership can only be managed by organization administrators.",
  );
}
const isSystem = ({ user_groups }: RealmState, id: number): boolean => user_groups[id]?.is_system_group === true;

/** In the server's language, 1 equals true and 0 equals false. */
const asFlag = (value: unknown): unknown => (value === 1 || value === 0 ? value === 1 : value);

/** The range of the database's integers; the server does not check it before the database does. */
const MAX_INTEGER = 2_147_483_647;

/** Settings whose event has another form, for historical reasons. */
const TOLD_AS_DICT: ReadonlySet<string> = new Set(["allow_message_editing", "message_content_edit_limit_seconds"]);

const tellDict = (call: Call, data: JsonObject): void =>
  call.emit(everybody, { type: "realm", op: "update_dict", property: "default", data });

/** Writes settings one after the other: each stays written, even if a later one fails (zulip-api.md §12.1). */
class RealmChange {
  /** The settings that the answer names: those that really changed. */
  readonly changed: { [setting: string]: Json } = {};
  private readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }

  run(sent: SentRealm): void {
    const limits = this.unlimited(sent);
    if (sent.jitsi_server_url === "default") this.write("jitsi_server_url", null);
    this.plain(sent, limits);
    for (const setting of REALM_GROUP_SETTINGS) this.group(setting, sent[setting]);
    this.authenticationMethods(sent.authentication_methods);
    for (const setting of CHANNEL_VALUED) this.channel(setting, sent[setting]);
    if (sent.string_id !== undefined) {
      checkOwner(this.call);
      throw new ApiError("Must be a demo organization.");
    }
    if (sent.org_type !== undefined) {
      this.set("org_type", sent.org_type);
      this.changed.org_type = sent.org_type;
    }
  }

  private get realm(): JsonObject {
    return this.call.state.realm;
  }

  /** Writes a value unless the setting already has it; for texts the answer contains a word. */
  private write(setting: string, value: Json): void {
    if (this.realm[setting] === value) return;
    this.set(setting, value);
    this.changed[realmSettingAt(this.call.level, setting)] = typeof value === "string" ? "updated" : value;
  }

  private set(setting: string, value: Json): void {
    const { call } = this;
    if (typeof value === "number" && value > MAX_INTEGER) throw internalError();
    checkNoNullBytes(value);
    call.ledger.set(call.state.realm, setting, value);
    if (setting === "description" && call.level >= 464)
      tellDict(call, { description: value, rendered_description: rendered(String(value)) });
    else if (TOLD_AS_DICT.has(setting)) tellDict(call, { [setting]: value });
    else this.tellUpdate(setting, value);
    call.commit();
  }

  /** Writes "unlimited" at once; numbers wait for the plain settings. @returns the numbers */
  private unlimited(sent: SentRealm): JsonObject {
    const numbers: { [setting: string]: Json } = {};
    for (const setting of TIME_LIMITS) {
      const raw = sent[setting];
      if (raw === undefined) continue;
      const limit = timeLimit(setting, raw);
      if (limit === null) this.write(setting, null);
      else numbers[setting] = limit;
    }
    return numbers;
  }

  /** Writes the plain settings in the order of the parameters; values that need a lookup come last. */
  private plain(sent: SentRealm, limits: JsonObject): void {
    for (const name of PLAIN_SETTINGS) this.plainOne(name, sent);
    const { message_retention_days: retention, jitsi_server_url: jitsi } = sent;
    if (retention !== undefined) this.write("message_retention_days", retentionDays(retention));
    for (const [setting, limit] of Object.entries(limits)) this.write(setting, limit);
    if (jitsi !== undefined && jitsi !== "default") this.write("jitsi_server_url", jitsi);
  }
  private plainOne(name: PlainSetting, sent: SentRealm): void {
    const value = sent[name];
    if (value === undefined) return;
    if (name === "gif_rating_policy") this.write("giphy_rating", value);
    else if (name === "allow_edit_history" || name === "mandatory_topics") this.underOlderName(name, value === true);
    else if (name === "message_edit_history_visibility_policy") this.editHistoryPolicy(sent[name]);
    else if (name === "topics_policy") this.topicsPolicy(sent[name]);
    else if (name === "waiting_period_threshold") this.waitingPeriod(sent[name]);
    else this.write(name, value);
  }
  private waitingPeriod(days: number | undefined): void {
    if (days === undefined || days === this.realm.waiting_period_threshold) return;
    this.write("waiting_period_threshold", days);
    updateFullMembers(this.call, days);
    this.call.commit();
  }
  /** The answer contains this setting and the next even if nothing changes, and as numbers. */
  private editHistoryPolicy(policy: keyof typeof EDIT_HISTORY_POLICY | undefined): void {
    if (policy === undefined) return;
    const setting = "message_edit_history_visibility_policy";
    if (policy !== this.realm[setting]) this.set(setting, policy);
    this.changed[setting] = EDIT_HISTORY_POLICY[policy];
  }
  private topicsPolicy(policy: keyof typeof TOPICS_POLICY | undefined): void {
    if (policy === undefined) return;
    this.changed.topics_policy = TOPICS_POLICY[policy];
    if (policy === this.realm.topics_policy) return;
    this.call.ledger.set(this.call.state.realm, "topics_policy", policy);
    tellDict(this.call, { topics_policy: policy, mandatory_topics: policy === "disable_empty_topic" });
    this.call.commit();
  }
  private underOlderName(name: OlderName, isOn: boolean): void {
    const { policy, on, off } = OLDER_NAMES[name];
    if (isOn === olderValues(this.realm)[name]) return;
    this.call.ledger.set(this.call.state.realm, policy, isOn ? on : off);
    this.tellUpdate(name, isOn);
    this.call.commit();
    this.changed[name] = isOn;
  }
  private tellUpdate(setting: string, value: Json): void {
    const property = realmSettingAt(this.call.level, setting);
    this.call.emit(everybody, { type: "realm", op: "update", property, value });
  }

  private group(setting: RealmGroupSetting, change: SentGroupChange | undefined): void {
    const { call } = this;
    const rule = REALM_PERMISSIONS[setting];
    if (change === undefined || rule === undefined) return;
    const before = realmGroup(call.state, setting);
    if (!isChanged(call.state, before, change)) return;
    const value = writtenGroupValue(call, setting, rule, change.new, before);
    if (setting === "workplace_users_group") checkWorkplaceGroup(call.state, value);
    // Here the server makes the unnamed group twice: once to check it, and once to store it.
    call.ledger.countAnonymous(value, before);
    const stored: Json = typeof value === "number" ? value : { ...value };
    call.ledger.set(call.state.realm, setting, stored);
    tellDict(call, { [setting]: stored });
    call.commit();
    // The answer shows objects in the order in which they were sent.
    this.changed[setting] = typeof value === "number" || typeof change.new === "number" ? stored : { ...change.new };
  }

  private authenticationMethods(sent: JsonObject | undefined): void {
    const { call } = this;
    const methods = this.realm.authentication_methods;
    if (sent === undefined || !isObject(methods)) return;
    const isSame = Object.entries(methods).every(
      ([name, method]) => isObject(method) && method.enabled === asFlag(sent[name]),
    );
    if (isSame) return;
    const after: { [name: string]: JsonObject } = {};
    for (const [name, method] of Object.entries(methods)) {
      const before = isObject(method)
        ? { available: method.available === true, enabled: method.enabled === true }
        : undefined;
      after[name] = { ...before, ...defined({ enabled: whenDefined(sent[name], isTruthy) }) };
    }
    call.ledger.set(call.state.realm, "authentication_methods", after);
    tellDict(call, { authentication_methods: after });
    call.commit();
    this.changed.authentication_methods = { ...sent };
  }

  /** −1 means no channel. Setting −1 again also counts as a change. */
  private channel(setting: ChannelValued, id: number | undefined): void {
    if (id === undefined || (id >= 0 && this.realm[setting] === id)) return;
    if (id >= 0) {
      const channel = accessibleChannel(this.call, id, "metadata");
      if (setting === "moderation_request_channel_id" && !channel.invite_only)
        throw new ApiError("Moderation request channel must be private.");
    }
    this.call.ledger.set(this.call.state.realm, setting, Math.max(id, -1));
    this.tellUpdate(setting, id);
    this.call.commit();
    this.changed[setting] = id;
  }
}

const MS_PER_DAY = 86_400_000;

/** Whether the account is old enough to be a full member. */
export const isOldEnough = (call: Call, user: User, thresholdDays: number): boolean =>
  thresholdDays === 0 || Date.parse(user.date_joined) <= call.server.clock.now() - thresholdDays * MS_PER_DAY;

/** Turns members into full members once their account is old enough; called when the threshold changes. */
function updateFullMembers(call: Call, thresholdDays: number): void {
  const group = systemGroup(call.state, "role:fullmembers");
  const members = rows(call.state.users)
    .filter((user) => user.role === ROLE.member && !user.is_system_bot && isOldEnough(call, user, thresholdDays))
    .map((user) => user.user_id);
  const [had, has] = [setOf(group.members), setOf(members)];
  const added = members.filter((id) => !had.has(id));
  const removed = group.members.filter((id) => !has.has(id));
  if (added.length + removed.length === 0) return;
  call.ledger.set(group, "members", members);
  const tell = (op: string, user_ids: readonly number[]): void => {
    if (user_ids.length > 0) call.emit(everybody, { type: "user_group", op, group_id: group.id, user_ids });
  };
  tell("add_members", added);
  tell("remove_members", removed);
}

type SentRealm = Args<typeof realmParams>;

const VIDEO_CHAT_PROVIDERS: readonly unknown[] = [0, 1, 3, 4, 5, 6, 7, 8];
const GIF_RATINGS: readonly unknown[] = [0, 1, 2, 3, 4];
const OWNERS_SETTINGS = [
  ...REALM_GROUP_SETTINGS.filter((name) => "ownerOnly" in ORGANIZATION_PERMISSIONS[name].server),
  "invite_required",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "waiting_period_threshold",
] as const;

/**
 * The checks that the server makes before it writes anything, in its order (zulip-api.md §12.1). Errors that it finds only while writing (time
 * limits, groups, channels, `string_id`) do not undo settings that were written earlier.
 */
function checkBeforeWriting(call: Call, sent: SentRealm): void {
  if (sent.default_language !== undefined && !isLanguage(sent.default_language))
    throw new ApiError(`Invalid language '${sent.default_language}'`);
  if (sent.authentication_methods !== undefined) checkAuthenticationMethods(call, sent.authentication_methods);
  if (sent.video_chat_provider !== undefined && !videoChatProviders(call).includes(sent.video_chat_provider))
    throw new ApiError(`Invalid video_chat_provider ${sent.video_chat_provider}`);
  for (const name of ["giphy_rating", "gif_rating_policy"] as const) {
    const rating = sent[name];
    if (rating !== undefined && !gifRatings(call).includes(rating)) throw new ApiError(`Invalid ${name} ${rating}`);
  }
  if (sent.message_retention_days !== undefined) {
    checkOwner(call);
    checkPlan(call.state);
    retentionDays(sent.message_retention_days);
  }
  if (sent.can_create_groups !== undefined) checkPlan(call.state);
  if (OWNERS_SETTINGS.some((name) => sent[name] !== undefined)) checkOwner(call);
  if (sent.enable_spectator_access === true) checkPlan(call.state);
  if (sent.can_access_all_users_group !== undefined) checkPlusPlan(call.state);
}

/** Older servers had one more option; each server reports its own options. */
const gifRatings = ({ state: { server } }: Call): readonly unknown[] =>
  idsOf(server.gif_rating_policy_options ?? server.gif_rating_options ?? server.giphy_rating_options) ?? GIF_RATINGS;
/** The options for which the server is configured. */
const videoChatProviders = ({ state: { realm } }: Call): readonly unknown[] =>
  idsOf(realm.available_video_chat_providers) ?? VIDEO_CHAT_PROVIDERS;
/** The numbers in a table of options, if there is one. */
const idsOf = (options: unknown): readonly unknown[] | undefined =>
  isObject(options) ? Object.values(options).map((each) => (isObject(each) ? each.id : each)) : undefined;

function checkOwner(call: Call): void {
  if (!isOwner(call.user)) throw mustBe("owner");
}

function checkAuthenticationMethods(call: Call, methods: { readonly [name: string]: unknown }): void {
  checkOwner(call);
  const known = call.state.realm.authentication_methods;
  const names = isObject(known) ? Object.keys(known) : [];
  const unknown = Object.keys(methods).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const valid = names.sort().map((name) => `'${name}'`);
    throw new ApiError(`Invalid authentication method: ${unknown}. Valid methods are: [${valid.join(", ")}]`);
  }
  // Here the server accepts 1 as true, and nothing else.
  if (!Object.values(methods).some((enabled) => enabled === true || enabled === 1))
    throw new ApiError("At least one authentication method must be enabled.");
}

/** Days, with −1 for "unlimited". @throws ApiError for everything else */
function retentionDays(sent: number | string): number {
  if (sent === "unlimited") return -1;
  return positive("message_retention_days", sent);
}
/** Seconds, with null for "unlimited". @throws ApiError for everything else */
function timeLimit(setting: string, sent: number | string): number | null {
  return sent === "unlimited" ? null : positive(setting, sent);
}
function positive(setting: string, sent: number | string): number {
  if (typeof sent === "string" || sent <= 0) throw badValue(setting, sent);
  return sent;
}

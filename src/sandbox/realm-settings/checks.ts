import { isObject } from "../../model/json.ts";
import { isOwner } from "../access.ts";
import type { Call } from "../call.ts";
import { ApiError, badValue, mustBe } from "../errors.ts";
import { isLanguage } from "../languages.ts";
import type { Args } from "../params.ts";
import { checkPlan, checkPlusPlan } from "../plan.ts";
import type { realmParams } from "./params.ts";

export type SentRealm = Args<typeof realmParams>;

const VIDEO_CHAT_PROVIDERS: readonly unknown[] = [0, 1, 3, 4, 5, 6, 7, 8];
const GIF_RATINGS: readonly unknown[] = [0, 1, 2, 3, 4];
const OWNERS_SETTINGS = [
  "invite_required",
  "create_multiuse_invite_group",
  "can_create_groups",
  "can_invite_users_group",
  "can_manage_all_groups",
  "can_manage_billing_group",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "waiting_period_threshold",
] as const;

/**
 * The checks that the server makes before it writes anything, in its order (zulip-api.md §12.1). Errors that it finds only while writing (time
 * limits, groups, channels, `string_id`) do not undo settings that were written earlier.
 */
export function checkBeforeWriting(call: Call, sent: SentRealm): void {
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

export function checkOwner(call: Call): void {
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
export function retentionDays(sent: number | string): number {
  if (sent === "unlimited") return -1;
  return positive("message_retention_days", sent);
}
/** Seconds, with null for "unlimited". @throws ApiError for everything else */
export function timeLimit(setting: string, sent: number | string): number | null {
  return sent === "unlimited" ? null : positive(setting, sent);
}
function positive(setting: string, sent: number | string): number {
  if (typeof sent === "string" || sent <= 0) throw badValue(setting, sent);
  return sent;
}

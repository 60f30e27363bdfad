import { accessIn } from "../../access/of-plan.ts";
import { MANAGE_ALL } from "../../access/rules.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, warning } from "../../model/diagnostic.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { FileCheck } from "../../model/facets.ts";
import { isList } from "../../model/json.ts";
import { knownRight } from "../../model/permission-settings.ts";
import { type Change, type FieldChange, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, type GroupValue, type Realm } from "../../model/realm.ts";
import { listed } from "../../model/texts.ts";
import { foldCase } from "../names.ts";
import { neverAllowed, refusedIn } from "../permissions.ts";
import { settledPictures } from "./pictures.ts";
import { channelSetting, PROPERTIES } from "./properties.ts";
import { AUTHENTICATION_METHODS, channelPair, LANGUAGES, LANGUAGES_AT, methodsOf } from "./schema.ts";

/** Whether only owners may change the field; administrators may change all others (zulip-api.md §12.1). */
export function isOwnerOnly(field: string): boolean {
  return PROPERTIES[field]?.ownerOnly === true || knownRight("realm", field)?.ownerOnly === true;
}

/** Errors that the file alone shows: groups that a setting cannot be, an unknown language, and contradictions with another section. */
export const checkSettingsInFile: FileCheck = (declared, section, realm) => {
  if (realm !== undefined) return [];
  const privacyOf = (name: string) => section("channels").find(({ key }) => key === foldCase(name))?.fields.privacy;
  return [
    ...neverAllowed("settings/group-not-allowed", "realm", declared),
    ...declared.flatMap(({ fields, spans, at }) =>
      Object.entries(fields).flatMap(([field, after]) =>
        valueDiagnostics({ field, after, at: spans.of(field) ?? at }, undefined, privacyOf),
      ),
    ),
  ];
};

/** Errors that the server would find after it wrote half of the request, or accept although they do harm. */
export function checkSettings(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const own = changes.flatMap((change) => [
    ...rightsDiagnostics(change, context),
    ...change.fields.flatMap((field) => [
      ...planDiagnostics(field, context),
      ...refusedIn("settings/group-not-allowed", "realm", field, context.realm),
      ...workplaceDiagnostics(field, context),
      ...valueDiagnostics(field, context.realm, (name) => privacyAfter(name, context)),
      ...methodDiagnostics(field, context),
    ]),
    ...domainDiagnostics(change, context),
  ]);
  return [...own, ...context.pairs("settings").flatMap(settledPictures)];
}

function rightsDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { realm, snapshot } = context;
  const account = runningAccount(snapshot);
  if (realm.isOwner) return [];
  const own = change.fields.map(({ field }) => field).filter(isOwnerOnly);
  const owner_only = own.length === 0 ? undefined : own;
  if (!realm.isAdmin)
    return [error("settings/not-allowed", { account, section: "settings", ...defined({ owner_only }) }, change.at)];
  return change.fields
    .filter(({ field }) => isOwnerOnly(field))
    .map(({ field, at = change.at }) => error("settings/owner-only", { account, field }, at));
}

/** `realm_plan_type` of self-hosted servers and of Zulip Cloud Plus (zulip-api.md §12.1). */
const WITH_PLUS: readonly number[] = [1, 10];

function planDiagnostics({ field, after, at }: FieldChange, { realm }: PlanContext): readonly Diagnostic[] {
  const needs = knownRight("realm", field)?.limited;
  const plan = realm.setting("plan_type");
  if (needs === "Plus" && typeof plan === "number" && !WITH_PLUS.includes(plan))
    return [error("settings/limited-plan", { field, needs }, at)];
  if (realm.setting("zulip_plan_is_not_limited") !== false) return [];
  const isLimited = PROPERTIES[field]?.limited?.(after) === true || needs !== undefined;
  return isLimited ? [error("settings/limited-plan", { field }, at)] : [];
}

/** A value as a plan or a file has it, and its place. */
type Written = Pick<FieldChange, "field" | "after" | "at">;

/**
 * What is wrong with a value by itself.
 * @param realm without one, a newer server may have what is unknown here
 * @param privacyOf that of a channel, as far as it is known
 */
const valueDiagnostics = (
  written: Written,
  realm: Realm | undefined,
  privacyOf: (channel: string) => unknown,
): readonly Diagnostic[] => [
  ...offerDiagnostics(written, realm),
  ...languageDiagnostics(written, realm),
  ...moderationDiagnostics(written, privacyOf),
];

/** Choices that only specially configured servers have. */
function offerDiagnostics({ field, after, at }: Written, realm: Realm | undefined): readonly Diagnostic[] {
  const offered = PROPERTIES[field]?.type.offered?.(realm);
  const value = String(after);
  if (offered === undefined || offered.includes(value)) return [];
  const is_certain = realm !== undefined;
  const fact = { field, value, offered, is_certain };
  return [is_certain ? error("settings/not-offered", fact, at) : warning("settings/not-offered", fact, at)];
}

/** No server reports its languages; the known list is of one level. */
function languageDiagnostics({ field, after, at }: Written, realm: Realm | undefined): readonly Diagnostic[] {
  if (field !== "default_language" || typeof after !== "string" || LANGUAGES.includes(after)) return [];
  const is_certain = realm?.level === LANGUAGES_AT;
  const fact = { language: quote(after), level: LANGUAGES_AT, known: LANGUAGES, is_certain };
  return [is_certain ? error("settings/language", fact, at) : warning("settings/language", fact, at)];
}

function moderationDiagnostics(
  { field, after, at }: Written,
  privacyOf: (channel: string) => unknown,
): readonly Diagnostic[] {
  if (channelSetting(field)?.private !== true || typeof after !== "string") return [];
  const privacy = privacyOf(after);
  if (typeof privacy !== "string" || privacy.startsWith("private")) return [];
  return [error("settings/moderation-channel", { channel: quote(after, "channel") }, at)];
}

function privacyAfter(name: string, context: PlanContext): string | undefined {
  const pair = channelPair(name, context);
  const changed = fieldIn(pair?.change?.fields, "privacy")?.after;
  const privacy = changed ?? pair?.declared?.fields.privacy ?? pair?.live?.fields.privacy;
  if (typeof privacy === "string") return privacy;
  if (pair?.change?.action === "create") return "public";
  const channel = context.snapshot.channels.find((candidate) => candidate.name === name);
  if (channel === undefined) return undefined;
  return channel.invite_only ? "private" : "public";
}

/** Without this check nobody could sign in: the server looks for an enabled method only among those that the request names. */
function methodDiagnostics({ field, before, after, at }: FieldChange, { realm }: PlanContext): readonly Diagnostic[] {
  if (field !== AUTHENTICATION_METHODS || !isList(after)) return [];
  const methods = methodsOf(realm);
  const isMissing = (name: string): boolean => methods?.get(name)?.available === false;
  const enabled = listed(before);
  if (listed(after).every(isMissing)) return [error("settings/last-sign-in", { enabled }, at)];
  return listed(after)
    .filter((name) => !enabled.includes(name) && isMissing(name))
    .map((name) => error("settings/limited-plan", { field, method: quote(name) }, at));
}

/** With the last domain the server switches the restriction off again (zulip-api.md §7.3). */
function domainDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const restriction = fieldIn(change.fields, "emails_restricted_to_domains");
  const { domains } = context.snapshot;
  if (restriction?.after !== true || domains === null) return [];
  const by = (wanted: Change["action"]): number =>
    context.changes.filter(({ kind, action }) => kind === "domain" && action === wanted).length;
  if (domains.length + by("create") - by("remove") > 0) return [];
  return [error("settings/no-domain", { none: true }, restriction.at)];
}

/** The rights by which the members of a group can change. Which of them the server counts is not known for certain, so this is a warning. */
const MEMBERSHIP = [
  "can_add_members_group",
  "can_join_group",
  "can_leave_group",
  "can_manage_group",
  "can_remove_members_group",
] as const;
const STRICT = ["role:nobody", "role:owners", "role:administrators"] as const;
const isStrict = (value: GroupValue | undefined): boolean => STRICT.some((role) => role === value);

/** Who is billed must not be for others than administrators to decide: the server checks each named group, and the groups in it (zulip-api.md §12.1). */
function workplaceDiagnostics({ field, after, at }: FieldChange, context: PlanContext): readonly Diagnostic[] {
  const value = field === "workplace_users_group" ? asGroupValue(after) : undefined;
  if (value === undefined) return [];
  const state = accessIn(context).after;
  const names = new Set(typeof value === "string" ? [value] : value.groups);
  // A set also yields what is added meanwhile.
  for (const name of names) for (const inner of state.group(name)?.subgroups ?? []) names.add(inner);
  const own = [...names].filter((name) => !name.startsWith("role:"));
  const loose = own.flatMap((group) => {
    const settings = state.group(group)?.settings;
    if (!isStrict(state.organization.get(MANAGE_ALL))) return [{ group, right: MANAGE_ALL }];
    return MEMBERSHIP.filter((right) => !isStrict(settings?.get(right))).map((right) => ({ group, right }));
  });
  const [first] = loose;
  if (first === undefined) return [];
  const fact = { right: first.right, group: quote(first.group, "user_group"), allowed: STRICT } as const;
  return [warning("settings/workplace-group", fact, at)];
}

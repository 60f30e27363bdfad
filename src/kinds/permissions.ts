import * as z from "zod";
import { type Code, type Diagnostic, error, type Span } from "../model/diagnostic.ts";
import type { GroupRefused } from "../model/diagnostics/names.ts";
import { quote } from "../model/diagnostics/values.ts";
import { type Dependency, exists } from "../model/draft-call.ts";
import type { FieldSpec } from "../model/facets.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import { groupsIn } from "../model/named-in.ts";
import type { DeclaredObject, Fields, Named } from "../model/objects.ts";
import {
  allRights,
  isRightName,
  KNOWN_RIGHTS,
  knownRight,
  PERMISSIONS,
  type RightScope,
} from "../model/permission-settings.ts";
import type { IdOf, Param } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { asGroupValue, type GroupValue, type Realm } from "../model/realm.ts";
import type { GroupSettingValue } from "../model/snapshot.ts";
import { optional, orNull } from "./optional.ts";
import { GroupValueInput, writtenGroupValue } from "./references.ts";

/** A permission setting of a channel or a group in the server's own form; undefined when the server does not have it. */
export function liveGroupSetting(
  object: { readonly [key: string]: unknown },
  setting: string,
): GroupSettingValue | undefined {
  const value = object[setting];
  if (typeof value === "number") return value;
  if (!isObject(value) || !isList(value.direct_members) || !isList(value.direct_subgroups)) return undefined;
  return {
    direct_members: value.direct_members.filter(isNumber),
    direct_subgroups: value.direct_subgroups.filter(isNumber),
  };
}
/** Groups that settings of an object on the server name, where this version of realmctl does not know the settings. */
export function groupsInOtherSettings(
  object: { readonly [key: string]: unknown } | undefined,
  known: Fields,
  realm: Realm,
): readonly Named[] {
  if (object === undefined) return [];
  return Object.keys(object).flatMap((field) => {
    const value = !(field in known) && isRightName(field) ? liveGroupSetting(object, field) : undefined;
    if (value === undefined) return [];
    return groupsIn(groupValueJson(realm.canonical(value))).map((name) => ({ kind: "user_group", name, field }));
  });
}

const isNumber = (value: unknown): value is number => typeof value === "number";

/**
 * The value of a permission setting of an object that is created without it (zulip-api.md §3.7, §10.5): what the server says, or else what is known.
 * @param creator the account that creates the object; null: it no longer exists
 */
export function settingAtCreation(
  scope: "stream" | "group",
  setting: string,
  realm: Realm,
  creator: number | null = realm.snapshot.account.user_id,
): Json {
  const name =
    realm.permissionRule(scope, setting)?.default_group_name ?? knownRight(scope, setting)?.standard ?? "role:nobody";
  if (name.startsWith("role:")) return name;
  // `channel_creator` (before level 427 `stream_creator_or_nobody`) and `group_creator` are only the account that creates the object.
  return groupValueJson(realm.canonical({ direct_subgroups: [], direct_members: creator === null ? [] : [creator] }));
}

/** Whether the server has the setting; it has those that only it describes. */
export const hasRight = (scope: RightScope, setting: string, realm: Realm): boolean =>
  (knownRight(scope, setting)?.level ?? 0) <= realm.level;

/** The permission settings of an object that nobody configured: those of its creation, with its creator. */
export const permissionsAtCreation = (scope: "stream" | "group", realm: Realm, creator: number | null): Fields =>
  Object.fromEntries(
    KNOWN_RIGHTS[scope]
      .filter((setting) => hasRight(scope, setting, realm))
      .map((setting) => [setting, settingAtCreation(scope, setting, realm, creator)]),
  );

/** The settings of a new object that name the account that creates it: it administers the channel, or manages the group (zulip-api.md §3.7, §10.5). */
export const impliedRights =
  (scope: "stream" | "group") =>
  (realm: Realm): Fields =>
    Object.fromEntries(
      allRights(scope, realm.snapshot)
        .filter((setting) => hasRight(scope, setting, realm))
        .map((setting) => [setting, settingAtCreation(scope, setting, realm)] as const)
        .filter(([, value]) => typeof value !== "string"),
    );

/** The permission settings of a live object in the form of the file, without those that are as usual; nothing if all are. */
export function permissionsToYaml(
  scope: RightScope,
  fields: Fields,
  isUsual: (setting: string, value: Json) => boolean,
): { readonly permissions?: Json } {
  const written = KNOWN_RIGHTS[scope].flatMap((setting) => {
    const value = asGroupValue(fields[setting] ?? null);
    return value === undefined || isUsual(setting, groupValueJson(value))
      ? []
      : [[setting, writtenGroupValue(value)] as const];
  });
  return written.length === 0 ? {} : { permissions: Object.fromEntries(written) };
}

/** The permission settings of a kind as a file writes them. Those of an object may be `null`; the organization's always have a value. */
export function permissionsForm(scope: RightScope) {
  const formOf = (about: string) =>
    scope === "realm" ? optional(GroupValueInput, about) : orNull(GroupValueInput, `${about} \`null\` is role:nobody.`);
  const forms = Object.entries(PERMISSIONS[scope]).map(([setting, { about }]) => [setting, formOf(about)] as const);
  const about =
    scope === "realm" ? "Who may do what in the whole organization. Each" : "The API's own setting names; each";
  return z.strictObject(Object.fromEntries(forms)).describe(`${about} names one group, or {groups: […], users: […]}.`);
}

/** The permission settings of a kind as fields of the file. */
export const permissionFields = (scope: RightScope): { readonly [field: string]: FieldSpec } =>
  Object.fromEntries(
    Object.entries(PERMISSIONS[scope]).map(([setting, { about, server }]) => [
      setting,
      { about, level: server.level, isPermission: true },
    ]),
  );

export const groupValueJson = (value: GroupValue): Json => (typeof value === "string" ? value : { ...value });

/** The values in a new object or organization, in words for the reference. */
export const creationDefaults = (scope: RightScope): { readonly [setting: string]: string } =>
  Object.fromEntries(
    Object.entries(PERMISSIONS[scope]).map(([setting, { server }]) => [
      setting,
      server.standard.startsWith("role:") ? `\`${server.standard}\`` : "the account that creates it",
    ]),
  );

/** Which groups a permission setting may name: from the server's own table, if it has one for the setting (zulip-api.md §2.3, §3.7). */
interface SettingRule {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  readonly allowed_system_groups: readonly string[];
}

/** @param realm its own table of rules is used; without a realm, or without a table in it, the built-in one */
function settingRule(scope: RightScope, setting: string, realm: Realm | undefined): SettingRule {
  const { everyone = true, nobody = true, only } = knownRight(scope, setting) ?? {};
  return (
    realm?.permissionRule(scope, setting) ?? {
      require_system_group: only !== undefined,
      allow_internet_group: false,
      allow_nobody_group: nobody,
      allow_everyone_group: everyone,
      allowed_system_groups: only ?? [],
    }
  );
}

type NotAllowed = Extract<Code, `${string}/group-not-allowed`>;

/**
 * Errors in permission settings that the file alone shows: single groups that a setting cannot be. Groups within a list are checked when the
 * organization is known: the server accepts them without effect.
 */
export function neverAllowed(
  code: NotAllowed,
  scope: RightScope,
  declared: readonly DeclaredObject[],
): readonly Diagnostic[] {
  return declared
    .filter(({ absent }) => !absent)
    .flatMap(({ fields, spans, at }) =>
      Object.entries(fields).flatMap(([field, after]) =>
        refusedIn(code, scope, { field, after, at: spans.of(field) ?? at }, undefined).filter(
          ({ fact }) => fact.refused !== "in-list",
        ),
      ),
    );
}

/** Errors of a changed permission setting. @param realm if it is unknown, the built-in rules apply */
export function refusedIn(
  code: NotAllowed,
  scope: RightScope,
  { field, after, at }: { readonly field: string; readonly after: Json; readonly at?: Span | undefined },
  realm: Realm | undefined,
) {
  const value = isRightName(field) ? asGroupValue(after) : undefined;
  if (value === undefined) return [];
  return refusedBy(settingRule(scope, field, realm), value).map((refused) => error(code, { field, ...refused }, at));
}

/** The parts of a value that the setting cannot have, and why. */
function refusedBy(rule: SettingRule, value: GroupValue): readonly GroupRefused[] {
  if (typeof value !== "string") {
    if (rule.require_system_group) return [{ refused: "list" }];
    // The server checks only single groups, and accepts these without effect.
    return value.groups
      .filter((group) => !isAllowed(group, { ...rule, allow_nobody_group: true, allowed_system_groups: [] }))
      .map((group) => ({ refused: "in-list", group: quote(group, "user_group") }));
  }
  const group = quote(value, "user_group");
  if (!isAllowed(value, rule)) return [{ refused: "group", group }];
  if (rule.require_system_group && !value.startsWith("role:")) return [{ refused: "not-a-role", group }];
  return [];
}

function isAllowed(group: string, rule: SettingRule): boolean {
  if (group === "role:internet") return rule.allow_internet_group;
  if (group === "role:everyone") return rule.allow_everyone_group;
  if (group === "role:nobody") return rule.allow_nobody_group;
  const { allowed_system_groups: allowed } = rule;
  return allowed.length === 0 || !group.startsWith("role:") || allowed.includes(group);
}

/** The group exists and is active. */
export const groupExists = (name: string): Dependency => exists(`user_group:${name}`);

/** The id of a group for a request. For a group in the file it is the address, since this plan may create the group. */
export function groupId(name: string, context: PlanContext): number | IdOf {
  const address = `user_group:${name}` as const;
  if (context.pair(address) !== undefined) return context.idOf(address);
  const group = context.realm.groupByName(name);
  if (group === undefined) throw new RangeError(`no group "${name}" in the snapshot or the plan`);
  return group.id;
}

/** The value of a permission setting in the form of a request. */
export function groupParam(value: Json | undefined, context: PlanContext): Param {
  const group = asGroupValue(value ?? null);
  if (group === undefined) throw new RangeError(`not the value of a permission: ${JSON.stringify(value)}`);
  return context.realm.wire(group, (name) => groupId(name, context));
}

/**
 * The change of a permission setting in the form of a request. The server compares `old` in its normal form with what it shows (zulip-api.md §17.4):
 * a value that shows no more than one group because its people are deactivated equals no `old`, so none is sent.
 */
export function groupChangeParam(
  value: Json | undefined,
  old: GroupSettingValue | undefined,
  context: PlanContext,
): Param {
  const wanted = groupParam(value, context);
  return old === undefined || isReduced(old) ? { new: wanted } : { new: wanted, old };
}

const isReduced = (old: GroupSettingValue): boolean =>
  typeof old === "object" && old.direct_members.length === 0 && old.direct_subgroups.length <= 1;

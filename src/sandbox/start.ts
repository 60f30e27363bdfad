import { defined } from "../model/defined.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { versionAt } from "../model/releases.ts";
import type { SnapshotGroup } from "../model/snapshot.ts";
import { upgradedFields } from "./profile/profile.ts";
import type { User } from "./rows/accounts.ts";
import type { GroupSetting, UserGroup } from "./rows/groups.ts";
import type { GroupValue } from "./rows/values.ts";
import type { RealmState } from "./state.ts";
import { USER_DEFAULTS } from "./user-settings/table.ts";

/** Personal settings at the start of a realm. Everybody sees only their own, so little is known about those of others. */

/** The value of `email_address_visibility` for everybody. */
const EVERYBODY = 1;
const ADMINISTRATORS = 3;
const NOBODY = 4;

/** The realm's defaults; missing ones are those of an unconfigured server. */
export const userDefaultsOf = (known: JsonObject): JsonObject => filledUp(known, USER_DEFAULTS);

/** Settings for which a new account does not use the realm's defaults, although they exist: nobody was asked about e-mail. */
const NOT_TAKEN: JsonObject = {
  allow_private_data_export: false,
  enable_login_emails: true,
  enable_marketing_emails: false,
};
/** The settings of a new account. Its language is the realm's, not that of the defaults. */
export const settingsOfNewAccounts = (userDefaults: JsonObject, language: unknown): JsonObject => ({
  ...userDefaultsOf(userDefaults),
  ...NOT_TAKEN,
  ...defined({ default_language: typeof language === "string" ? language : undefined }),
  timezone: "",
});

/** Known values come first, in their order. */
export const filledUp = (known: JsonObject, defaults: JsonObject): JsonObject => ({
  ...known,
  ...Object.fromEntries(Object.entries(defaults).filter(([key]) => !(key in known))),
});

interface SeenAccount {
  readonly is_bot: boolean;
  readonly email: string;
  readonly delivery_email: string | null;
  readonly timezone?: string | undefined;
}
/** The settings in which the account differs from a new one, as far as an administrator could see. */
export function settingsSeen(account: SeenAccount, defaults: JsonObject): JsonObject {
  const visibility = visibilityOf(account, defaults.email_address_visibility);
  const { timezone = "" } = account;
  return {
    ...defined({
      email_address_visibility: visibility === defaults.email_address_visibility ? undefined : visibility,
      timezone: timezone === "" ? undefined : timezone,
    }),
  };
}

/** Derives the visibility of the address from what an administrator saw of it; some values cannot be told apart. */
function visibilityOf({ is_bot, email, delivery_email }: SeenAccount, usual: Json = ADMINISTRATORS): Json {
  if (is_bot) return usual;
  if (delivery_email === null) return NOBODY;
  if (delivery_email === email) return EVERYBODY;
  return usual === EVERYBODY || usual === NOBODY ? ADMINISTRATORS : usual;
}

/** The level that added sign-in with Discord; where it is not configured, it is off. */
export const DISCORD_LEVEL = 488;

/** The realm as a server of this level has it after its upgrade. */
export function upgraded(state: RealmState, level: number): RealmState {
  const { authentication_methods: methods } = state.realm;
  const isKnown = level < DISCORD_LEVEL || !isObject(methods) || Object.hasOwn(methods, "Discord");
  const off = { Discord: { enabled: false, available: true } };
  return {
    ...state,
    realm: isKnown ? state.realm : { ...state.realm, authentication_methods: { ...methods, ...off } },
    profile_fields: upgradedFields(state, level),
  };
}

/** The version that the server says: the one of the organization, unless it runs at another level. */
export const versionOf = ({ zulip_version, server }: RealmState, level: number): string =>
  server.zulip_feature_level === level ? zulip_version : versionAt(level);

/** Every area of which neither a recording nor a snapshot has rows. */
export function emptyAreas() {
  return {
    direct_message_groups: {},
    drafts: {},
    scheduled_messages: {},
    reminders: {},
    attachments: {},
  } satisfies Partial<RealmState>;
}

/** Whether a role puts its holders directly into this system group. */
function isDirectlyIn(group: string, role: number): boolean {
  if (group === "role:fullmembers" || group === "role:members") return role === 400;
  return (
    { "role:owners": 100, "role:administrators": 200, "role:moderators": 300, "role:everyone": 600 }[group] === role
  );
}

/** A group as it was read. The lists show only active people; the server remembers the roles of the others. */
export function storedGroup(
  group: SnapshotGroup,
  people: readonly Pick<User, "user_id" | "role" | "is_active">[],
  settings: Record<GroupSetting, GroupValue>,
): UserGroup {
  const hidden = people
    .filter((user) => !user.is_active && group.is_system_group && isDirectlyIn(group.name, user.role))
    .map((user) => user.user_id);
  return {
    ...settings,
    id: group.id,
    name: group.name,
    description: group.description,
    members: [...new Set([...group.members, ...hidden])].sort((a, b) => a - b),
    direct_subgroup_ids: group.direct_subgroup_ids,
    is_system_group: group.is_system_group,
    deactivated: group.deactivated,
    creator_id: group.creator_id,
    date_created: group.date_created,
  };
}

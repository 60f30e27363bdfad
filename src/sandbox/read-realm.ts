import * as z from "zod";
import type { Json, JsonObject } from "../model/json.ts";
import { words } from "../model/synonyms.ts";
import { rendered } from "./channels/params.ts";
import { type ProfileField, type ProfileValue, SentProfileField, UserStatus } from "./rows/accounts.ts";
import { type DefaultChannelGroup, type Folder, SentFolder } from "./rows/channels.ts";
import { MutedUser, UserTopic } from "./rows/messages.ts";
import { Domain, Emoji, type Linkifier, NavigationView, Playground, SentLinkifier } from "./rows/organization.ts";
import { type Table, table } from "./rows/values.ts";

/**
 * Turns lists of the answer to POST /register, which snapshots contain as well, into rows of the state. The fields differ between levels and between
 * versions of realmctl: a missing field gets the server's value, and a row that is not an object is dropped.
 */
function readRows<Row>(schema: z.ZodType<Row>, value: unknown): Row[] {
  return (Array.isArray(value) ? value : []).flatMap((each) => {
    const { data } = schema.safeParse(each);
    return data === undefined ? [] : [data];
  });
}
/** The same for objects whose rows have keys. */
function readTable<Row>(schema: z.ZodType<Row>, value: unknown): { [key: string]: Row } {
  return Object.fromEntries(
    Object.entries(Object(value)).flatMap(([key, each]) => {
      const { data } = schema.safeParse(each);
      return data === undefined ? [] : [[key, data]];
    }),
  );
}
/** The table of rows that have an `id`. */
const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): Table<Row> => table(rows, ({ id }) => id);

export const profileFieldsIn = (value: unknown): Table<ProfileField> =>
  byId(readRows(SentProfileField, value).map((field, place) => ({ ...field, order: field.order ?? place + 1 })));
export const playgroundsIn = (value: unknown): Table<Playground> => byId(readRows(Playground, value));
export const emojiIn = (value: unknown): { [id: string]: Emoji } => readTable(Emoji, value);
export const foldersIn = (value: unknown): Table<Folder> =>
  byId(
    readRows(SentFolder, value).map((folder, place) => ({
      ...folder,
      rendered_description: rendered(folder.description),
      order: folder.order ?? place,
    })),
  );
/** Linkifiers come in the order in which the server tries them. */
export const linkifiersIn = (value: unknown): Table<Linkifier> =>
  byId(readRows(SentLinkifier, value).map((linkifier, order) => ({ ...linkifier, order })));
export const domainsIn = (value: unknown): Domain[] => readRows(Domain, value);
export const viewsIn = (value: unknown): NavigationView[] => readRows(NavigationView, value);

const SentDefaultGroup = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  streams: z.array(z.union([z.int(), z.looseObject({ stream_id: z.int() })])),
});
export const defaultGroupsIn = (value: unknown): Table<DefaultChannelGroup> =>
  byId(
    readRows(SentDefaultGroup, value).map(({ streams, ...group }) => ({
      ...group,
      channels: streams.map((channel) => (typeof channel === "number" ? channel : channel.stream_id)),
    })),
  );

export const userTopicsIn = (value: unknown): UserTopic[] => readRows(UserTopic, value);
export const mutedUsersIn = (value: unknown): MutedUser[] => readRows(MutedUser, value);
export const statusesIn = (value: unknown): { [userId: string]: UserStatus } => readTable(UserStatus, value);

const SentProfileValue = z
  .object({ value: z.json(), rendered_value: z.string().optional() })
  .transform(({ value, rendered_value }) => (rendered_value === undefined ? { value } : { value, rendered_value }));
export const profileDataIn = (value: unknown): { [fieldId: string]: ProfileValue } =>
  readTable(SentProfileValue, value);

/** Keys of the answer to POST /register that belong to the caller or list objects, so they are not facts about the server. */
const NOT_FACTS: ReadonlySet<string> = new Set(
  words(
    "alert_words onboarding_steps custom_profile_fields max_message_id saved_snippets navigation_views drafts",
    "scheduled_messages reminders muted_topics muted_users presences presence_last_update_id server_timestamp",
    "cross_realm_bots avatar_source avatar_url_medium avatar_url can_create_private_streams can_create_public_streams",
    "can_create_web_public_streams can_create_streams can_invite_others_to_realm is_admin is_owner is_moderator",
    "is_guest user_id email delivery_email full_name subscriptions unsubscribed never_subscribed channel_folders",
    "starred_messages streams user_settings user_status user_topics unread_msgs recent_private_conversations",
    "last_event_id queue_id push_devices server_supported_permission_settings zulip_version zulip_merge_base",
  ),
);
/** Whether a key of the answer is a list that a sandbox has a table of, and no setting. */
export const hasTable = (key: string): boolean => NOT_FACTS.has(key) || REALM_LISTS.has(key);
/** `realm_*` keys that are lists of their own, not settings. */
const REALM_LISTS: ReadonlySet<string> = new Set(
  words(
    "realm_user_groups realm_user_settings_defaults realm_domains realm_emoji realm_linkifiers realm_filters",
    "realm_playgrounds realm_users realm_non_active_users realm_bots realm_default_streams realm_default_stream_groups",
  ),
);

// Created once: creating a schema costs a hundred times as much as reading a value with it.
const JsonValue = z.json();

/** Settings of the realm (without `realm_`) and facts about the server. */
export function splitRegister(register: { readonly [key: string]: unknown }): {
  readonly realm: JsonObject;
  readonly server: JsonObject;
} {
  const realm: { [key: string]: Json } = {};
  const server: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(register)) {
    if (hasTable(key)) continue;
    const json = JsonValue.parse(value);
    if (key.startsWith("realm_")) realm[key.slice("realm_".length)] = json;
    else server[key] = json;
  }
  return { realm, server };
}

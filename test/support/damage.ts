import * as z from "zod";
import { own } from "../../src/model/defined.ts";
import { realmGroup } from "../../src/sandbox/access.ts";
import { foldName } from "../../src/sandbox/channels/names.ts";
import { subgroupsOf } from "../../src/sandbox/groups.ts";
import { REALM_PERMISSIONS } from "../../src/sandbox/permissions.ts";
import { CHANNEL_SETTINGS } from "../../src/sandbox/rows/channels.ts";
import { GROUP_SETTINGS } from "../../src/sandbox/rows/groups.ts";
import { type GroupValue, rows } from "../../src/sandbox/rows/values.ts";
import { ID_SPACES, type RealmState } from "../../src/sandbox/state.ts";

const Id = z.int().min(1);
const Seconds = z.number().min(0);
const Value = z.union([Id, z.strictObject({ direct_members: z.array(Id), direct_subgroups: z.array(Id) })]);
const table = <Row extends z.ZodType>(row: Row) => z.record(z.string().regex(/^\d+$/), row);
const settings = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, Value]));

/** The form of a state: the fields of each row and their types. {@link damageTo} checks that they agree with each other. */
const Form = z.looseObject({
  users: table(
    z.looseObject({
      user_id: Id,
      email: z.string().min(3),
      delivery_email: z.string().min(3),
      full_name: z.string().min(1).max(100),
      role: z.union([z.literal(100), z.literal(200), z.literal(300), z.literal(400), z.literal(600)]),
      is_active: z.boolean(),
      is_bot: z.boolean(),
      bot_owner_id: Id.nullable(),
    }),
  ),
  user_groups: table(
    z.looseObject({
      ...settings(GROUP_SETTINGS),
      id: Id,
      name: z.string().min(1).max(100),
      members: z.array(Id),
      direct_subgroup_ids: z.array(Id),
      deactivated: z.boolean(),
    }),
  ),
  channels: table(
    z.looseObject({
      ...settings(CHANNEL_SETTINGS),
      stream_id: Id,
      name: z.string().min(1),
      description: z
        .string()
        .max(1024)
        .regex(/^[^\n]*$/),
      message_retention_days: z.union([z.null(), z.literal(-1), Id]),
      topics_policy: z.enum(["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"]),
      date_created: Seconds,
      folder_id: Id.nullable(),
    }),
  ),
  channel_folders: table(z.looseObject({ id: Id, name: z.string().min(1).max(60), is_archived: z.boolean() })),
  linkifiers: table(z.looseObject({ id: Id, pattern: z.string().min(1), url_template: z.string().min(1) })),
  domains: z.array(z.strictObject({ domain: z.string().min(3).max(80), allow_subdomains: z.boolean() })),
  navigation_views: table(
    z.array(z.strictObject({ fragment: z.string().min(1), is_pinned: z.boolean(), name: z.string().nullable() })),
  ),
  messages: table(
    z.looseObject({
      id: Id,
      sender_id: Id,
      type: z.enum(["channel", "direct"]),
      topic: z.string(),
      content: z.string(),
    }),
  ),
  default_channels: z.array(Id),
});

/**
 * What no sequence of calls may break: the form of every row, ids that are unique and refer to something, names that are used once, values in normal
 * form. Empty if nothing is damaged.
 */
export function damageTo(state: RealmState): string[] {
  const form = Form.safeParse(state);
  const found = form.success ? [] : form.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  const note = (isWell: boolean, what: string): void => {
    if (!isWell) found.push(what);
  };
  checkIds(state, note);
  checkNames(state, note);
  checkValues(state, note);
  checkReferences(state, note);
  if (JSON.stringify(JSON.parse(JSON.stringify(state))) !== JSON.stringify(state))
    found.push("it does not survive JSON");
  return found;
}

type Note = (isWell: boolean, what: string) => void;

const thereIn = (state: RealmState) => ({
  isUser: (id: number): boolean => state.users[id] !== undefined,
  isGroup: (id: number): boolean => state.user_groups[id] !== undefined,
  isChannel: (id: number): boolean => state.channels[id] !== undefined,
});

/** Each name is used once. */
function checkNames(state: RealmState, note: Note): void {
  once(
    rows(state.channels).map(({ name }) => foldName(name)),
    "two channels are called",
    note,
  );
  once(
    rows(state.user_groups).map(({ name }) => name),
    "two groups are called",
    note,
  );
  const open = rows(state.channel_folders).filter((folder) => !folder.is_archived);
  once(
    open.map(({ name }) => name.toLowerCase()),
    "two open folders are called",
    note,
  );
  once(
    rows(state.linkifiers).map(({ pattern }) => pattern),
    "two linkifiers have the pattern",
    note,
  );
  once(
    state.domains.map(({ domain }) => domain),
    "two domains are",
    note,
  );
  once(
    rows(state.profile_fields).map(({ name }) => name),
    "two profile fields are called",
    note,
  );
  once(
    rows(state.users)
      .filter(({ is_system_bot }) => !is_system_bot)
      .map((user) => user.delivery_email.toLowerCase()),
    "two accounts have the address",
    note,
  );
  for (const [who, views] of Object.entries(state.navigation_views)) {
    note(state.users[Number(who)] !== undefined, `views of nobody ${who}`);
    once(
      views.map(({ fragment }) => fragment),
      `account ${who} has twice the view`,
      note,
    );
  }
}

/** Settings of the realm, of groups and of channels are in normal form and refer to existing objects. */
function checkValues(state: RealmState, note: Note): void {
  const { isUser, isGroup } = thereIn(state);
  const value = (of: string, each: GroupValue): void => {
    note(isSettled(each), `${of} is not in normal form: ${JSON.stringify(each)}`);
    const groups = typeof each === "number" ? [each] : each.direct_subgroups;
    note(groups.every(isGroup), `${of} names no group: ${JSON.stringify(each)}`);
    note(typeof each === "number" || each.direct_members.every(isUser), `${of} names nobody: ${JSON.stringify(each)}`);
  };
  for (const setting of Object.keys(REALM_PERMISSIONS)) value(`realm ${setting}`, realmGroup(state, setting));
  for (const group of rows(state.user_groups)) {
    for (const setting of GROUP_SETTINGS) value(`${group.name} ${setting}`, group[setting]);
    note(group.members.every(isUser), `${group.name} has a member who is nobody`);
    note(group.direct_subgroup_ids.every(isGroup), `${group.name} has a subgroup that is not a group`);
    note(
      group.direct_subgroup_ids.every((id) => !subgroupsOf(state, id).has(group.id)),
      `${group.name} is below itself`,
    );
    once(group.members.map(String), `${group.name} has twice the member`, note);
  }
  for (const channel of rows(state.channels)) {
    for (const setting of CHANNEL_SETTINGS) value(`${channel.name} ${setting}`, channel[setting]);
    note(channel.folder_id === null || state.channel_folders[channel.folder_id] !== undefined, "a folder is missing");
    note(
      channel.invite_only || channel.history_public_to_subscribers,
      `${channel.name} is public with protected history`,
    );
    note(state.subscriptions[channel.stream_id] !== undefined, `${channel.name} has no list of subscriptions`);
  }
}

/** Everybody and everything that is named exists. */
function checkReferences(state: RealmState, note: Note): void {
  const { isUser, isChannel } = thereIn(state);
  for (const [id, table_] of Object.entries(state.subscriptions)) {
    note(isChannel(Number(id)), `subscriptions of no channel ${id}`);
    note(
      Object.keys(table_).every((user) => isUser(Number(user))),
      `nobody is subscribed to ${id}`,
    );
  }
  note(
    state.default_channels.every((id) => state.channels[id]?.invite_only === false),
    "a default channel is private or missing",
  );
  for (const message of rows(state.messages)) {
    note(isUser(message.sender_id), `message ${message.id} of nobody`);
    note(message.channel_id === null || isChannel(message.channel_id), `message ${message.id} is nowhere`);
    note((message.type === "channel") === (message.channel_id !== null), `message ${message.id} is of no type`);
    note(message.to.every(isUser) && message.received_by.every(isUser), `message ${message.id} is for nobody`);
  }
  for (const draft of rows(state.drafts)) note(isUser(draft.user_id), `draft ${draft.id} of nobody`);
  for (const sent of rows(state.scheduled_messages)) note(isUser(sent.sender_id), `scheduled ${sent.id} of nobody`);
  for (const file of rows(state.attachments)) note(isUser(file.owner_id), `attachment ${file.id} of nobody`);
}

/** As it is stored: ids rise, so that none is used twice, and there is at least one. */
function isSettled(value: GroupValue): boolean {
  if (typeof value === "number") return true;
  const { direct_members, direct_subgroups } = value;
  const rises = (ids: readonly number[]): boolean =>
    ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id));
  return direct_members.length + direct_subgroups.length > 0 && rises(direct_members) && rises(direct_subgroups);
}

function once(names: readonly string[], what: string, note: Note): void {
  const seen = new Set<string>();
  for (const name of names) {
    note(!seen.has(name), `${what} ${JSON.stringify(name)}`);
    seen.add(name);
  }
}

/** Rows have their own number as key, and all numbers in use are below the next one. */
function checkIds(state: RealmState, note: Note): void {
  for (const [space, name] of Object.entries(ID_SPACES))
    for (const [id, row] of Object.entries(name === null ? {} : state[name])) {
      const { id: number = row.user_id ?? row.stream_id } = row;
      note(Number(number) === Number(id), `${space} ${id} has another number`);
      note(Number(id) < (own(state.next_id, space) ?? 0), `${space} ${id} will be given out again`);
    }
}

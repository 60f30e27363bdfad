import { defined } from "../model/defined.ts";
import type { JsonObject } from "../model/json.ts";
import type { Snapshot, SnapshotSystemBot, SnapshotUser } from "../model/snapshot.ts";
import { gravatarOf } from "./pictures.ts";
import { NEW_ACCOUNT, type User } from "./rows/accounts.ts";
import { settingsSeen } from "./start-settings.ts";

/** The accounts of a snapshot, and the server's own. `test/support/snapshot-gaps.ts` lists what a snapshot does not contain. */
export function peopleOf(snapshot: Snapshot, defaults: JsonObject): readonly User[] {
  return [
    ...snapshot.users.map((user) => userOf(user, defaults)),
    ...(snapshot.system_bots ?? usualSystemBots(snapshot)).map((bot) => systemBotOf(bot, snapshot.realm.url)),
  ];
}

function userOf(user: SnapshotUser, defaults: JsonObject): User {
  const { timezone = "", avatar_version = 1 } = user;
  const delivery_email = user.delivery_email ?? user.email;
  return {
    ...NEW_ACCOUNT,
    user_id: user.user_id,
    email: user.email,
    delivery_email,
    full_name: user.full_name,
    role: user.role,
    ...defined({ unknown_role: user.unknown_role, is_deleted: user.is_deleted }),
    is_active: user.is_active,
    is_bot: user.is_bot,
    bot_type: user.bot_type,
    bot_owner_id: user.bot_owner_id,
    is_imported_stub: user.is_imported_stub ?? false,
    timezone,
    date_joined: user.date_joined ?? JOINED,
    avatar_source: user.avatar_url === undefined ? "G" : "U",
    avatar_url: user.avatar_url ?? gravatarOf(delivery_email, avatar_version),
    avatar_version,
    settings: settingsSeen(user, defaults),
  };
}

/** The date for accounts whose start is unknown: before every message that could be sent. */
const JOINED = "2020-01-01T00:00+00:00";

/** A server creates these before its first organization. */
const SYSTEM_BOTS = [
  { user_id: 1, email: "emailgateway@zulip.com", full_name: "Email Gateway" },
  { user_id: 4, email: "notification-bot@zulip.com", full_name: "Notification Bot" },
  { user_id: 5, email: "welcome-bot@zulip.com", full_name: "Welcome Bot" },
] as const;

/** Uses the ids that the bots have on every server, unless somebody in the snapshot has one of them. */
function usualSystemBots({ users }: Snapshot): readonly SnapshotSystemBot[] {
  const taken = new Set(users.map(({ user_id }) => user_id));
  let last = users.reduce((most, { user_id }) => Math.max(most, user_id), 5);
  return SYSTEM_BOTS.map((bot) => {
    if (!taken.has(bot.user_id)) return bot;
    last += 1;
    return { ...bot, user_id: last };
  });
}

function systemBotOf({ user_id, email, full_name, date_joined = JOINED }: SnapshotSystemBot, url: string): User {
  return {
    ...NEW_ACCOUNT,
    user_id,
    email,
    delivery_email: email,
    full_name,
    role: 400,
    is_bot: true,
    bot_type: 1,
    bot_owner_id: null,
    is_system_bot: true,
    date_joined,
    avatar_source: "U",
    avatar_url: `${url}/static/images/static_avatars/${email.split("@")[0]}.png`,
  };
}

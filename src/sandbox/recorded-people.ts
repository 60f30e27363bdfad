import { defined } from "../model/defined.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { GRAVATAR, gravatarOf } from "./pictures.ts";
import { profileDataIn, statusesIn } from "./read-areas.ts";
import { botsIn, peopleIn, type RecordedUser, type Recording } from "./recording.ts";
import { NEW_ACCOUNT, type User } from "./rows/accounts.ts";
import type { Channel } from "./rows/channels.ts";
import { filledUp, settingsOfNewAccounts, settingsSeen } from "./start-settings.ts";

/**
 * Everybody's settings, unless more is known about an account: those of a new account. Settings that this code does not know get the value of the
 * account that recorded.
 */
export function settingsForAll({ user_settings, ...register }: Recording["register"]): JsonObject {
  const usual = settingsOfNewAccounts(register.realm_user_settings_defaults, register.realm_default_language);
  return filledUp(usual, user_settings);
}

export function peopleOf(recording: Recording, base: JsonObject, channels: readonly Channel[]): readonly User[] {
  const { register } = recording;
  // Lists leave pictures to the client; everybody's own user object contains them.
  const avatars = new Map(Object.values(recording.own_user).map((own) => [own.user_id, own.avatar_url]));
  const statuses = statusesIn(register.user_status);
  const profiles = new Map(
    [register.realm_users, register.realm_non_active_users]
      .flatMap(peopleIn)
      .map(({ user_id, profile_data }) => [user_id, profileDataIn(profile_data)]),
  );
  const bots = new Map(botsIn(register.realm_bots).map((bot) => [bot.user_id, botDetails(bot, channels)]));
  const people = recording.users.map((user): User => {
    const known = userOf({ ...user, avatar_url: avatars.get(user.user_id) ?? user.avatar_url }, false);
    const own = user.user_id === register.user_id ? differing(register.user_settings, base) : undefined;
    return {
      ...known,
      settings: own ?? settingsSeen(user, base),
      status: statuses[user.user_id] ?? {},
      profile_data: profiles.get(user.user_id) ?? {},
      bot: bots.get(user.user_id) ?? {},
    };
  });
  return [...people, ...register.cross_realm_bots.map((user) => userOf(user, true))];
}
const differing = (settings: JsonObject, base: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => JSON.stringify(base[key]) !== JSON.stringify(value)),
  );

/** The person's channels by id, as the server stores them. */
function botDetails(bot: ReturnType<typeof botsIn>[number], channels: readonly Channel[]): JsonObject {
  const idOf = (name: string | null): number | null =>
    channels.find((channel) => channel.name === name)?.stream_id ?? null;
  const [service] = bot.services;
  const isEmbedded = bot.bot_type === EMBEDDED && isObject(service);
  return {
    default_sending_stream: idOf(bot.default_sending_stream),
    default_events_register_stream: idOf(bot.default_events_register_stream),
    default_all_public_streams: bot.default_all_public_streams,
    ...defined({
      services: bot.services.length === 0 ? undefined : bot.services,
      service_name: isEmbedded ? (service.service_name ?? "") : undefined,
      config: isEmbedded ? (service.config_data ?? {}) : undefined,
    }),
  };
}
const EMBEDDED = 4;

function userOf(user: RecordedUser, is_system_bot: boolean): User {
  const delivery_email = user.delivery_email ?? user.email;
  return {
    ...NEW_ACCOUNT,
    ...user,
    delivery_email,
    is_system_bot,
    avatar_source: is_system_bot || isOwnPicture(user.avatar_url) ? "U" : "G",
    avatar_url: user.avatar_url ?? gravatarOf(delivery_email, user.avatar_version),
  };
}

const isOwnPicture = (url: string | null | undefined): boolean => typeof url === "string" && !url.startsWith(GRAVATAR);

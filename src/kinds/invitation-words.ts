import type { Synonyms } from "../model/synonyms.ts";
import { GROUP_VALUE_WORDS } from "./group-value-words.ts";

/** Other words that people write for the fields that invitations and invitation links share. */
export const INVITATION_WORDS: NonNullable<Synonyms["fields"]> = {
  invite_as: ["role", "as", "invited_as", "user_role", "type"],
  channels: ["streams", "stream_ids", "channel_ids", "subscriptions", "subscribe"],
  groups: GROUP_VALUE_WORDS.groups,
  include_realm_default_subscriptions: ["default_channels", "defaults", "include_defaults", "default_streams"],
  welcome_message_custom_text: ["message", "text", "welcome", "welcome_message", "custom_text"],
};

import { PRIVACY_SYNONYMS } from "../../access/privacy-synonyms.ts";
import type { Synonyms } from "../../model/synonyms.ts";
import { GROUP_VALUE_WORDS } from "../group-value-words.ts";

export const synonyms: Synonyms = {
  section: ["streams", "stream"],
  fields: {
    ...GROUP_VALUE_WORDS,
    ...PRIVACY_SYNONYMS.fields,
    folder: ["channel_folder", "folder_name", "category", "parent"],
    subscribers: ["members", "people", "participants", "subscriptions"],
    permissions: ["rights", "settings", "acl", "can"],
    can_send_message_group: [
      "post",
      "posting",
      "posters",
      "post_policy",
      "stream_post_policy",
      "who_can_post",
      "can_post",
      "can_send",
      "write",
      "announcement_only",
      "is_announcement_only",
    ],
    can_subscribe_group: ["join", "can_join", "who_can_join", "can_subscribe"],
    can_administer_channel_group: ["admins", "administrators", "owners", "can_administer"],
    topics_policy: ["topics", "empty_topics", "allow_empty_topics", "mandatory_topics"],
    message_retention_days: ["retention", "retention_days", "keep_days", "keep"],
  },
  lines: PRIVACY_SYNONYMS.lines,
  elsewhere: {
    default: "default_channels: [general]",
    is_default: "default_channels: [general]",
    default_stream: "default_channels: [general]",
  },
};

import type { Synonyms } from "../../model/synonyms.ts";

const IN_GROUP = "user_groups: {staff: {members: [ada@example.org]}}";
const IN_CHANNEL = "channels: {general: {subscribers: {users: [ada@example.org]}}}";

export const personWords = (): Synonyms => ({
  section: ["users", "persons", "accounts", "members", "admins", "administrators", "owners", "roles"],
  fields: { role: ["roles", "type", "rank", "permission", "permissions", "access", "access_level"] },
  lines: {
    is_owner: ["role: owner", "role"],
    owner: ["role: owner", "role"],
    is_admin: ["role: administrator", "role"],
    admin: ["role: administrator", "role"],
    administrator: ["role: administrator", "role"],
    is_moderator: ["role: moderator", "role"],
    moderator: ["role: moderator", "role"],
    is_guest: ["role: guest", "role"],
    guest: ["role: guest", "role"],
  },
  elsewhere: {
    group: IN_GROUP,
    groups: IN_GROUP,
    user_groups: IN_GROUP,
    teams: IN_GROUP,
    channel: IN_CHANNEL,
    channels: IN_CHANNEL,
    streams: IN_CHANNEL,
    subscriptions: IN_CHANNEL,
  },
});

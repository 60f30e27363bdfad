import { KNOWN_RIGHTS } from "../../src/model/permission-settings.ts";
import type { Snapshot, SnapshotChannel, SnapshotGroup, SnapshotUser } from "../../src/model/snapshot.ts";

const user = (id: number, name: string, role: SnapshotUser["role"], isBot = false): SnapshotUser => ({
  user_id: id,
  email: `${name}@example.org`,
  delivery_email: `${name}@example.org`,
  full_name: name,
  role,
  is_bot: isBot,
  bot_type: isBot ? 1 : null,
  bot_owner_id: isBot ? 1 : null,
  is_active: true,
});

const group = (
  id: number,
  name: string,
  members: readonly number[],
  subgroups: readonly number[] = [],
): SnapshotGroup => ({
  id,
  name,
  description: "",
  members: [...members],
  direct_subgroup_ids: [...subgroups],
  is_system_group: name.startsWith("role:"),
  deactivated: false,
  creator_id: null,
  date_created: null,
});

const channel = (id: number, name: string, isPrivate: boolean, sender: number): SnapshotChannel => ({
  stream_id: id,
  name,
  description: "",
  invite_only: isPrivate,
  is_web_public: false,
  history_public_to_subscribers: true,
  is_archived: false,
  message_retention_days: null,
  creator_id: 1,
  date_created: 1,
  folder_id: null,
  topics_policy: "inherit",
  ...Object.fromEntries(KNOWN_RIGHTS.stream.map((setting) => [setting, 10])),
  can_send_message_group: sender,
});

/** A small realm in the server's words: two members, an owner, a guest, a bot; one private channel. */
export function testSnapshot(): Snapshot {
  return {
    format: "realmctl.snapshot",
    version: 1,
    taken_at: "2026-11-21T12:04:31.000Z",
    server: { zulip_version: "12.1", feature_level: 482 },
    realm: { url: "https://chat.example.org", name: "Example" },
    account: { user_id: 1, email: "own@example.org", full_name: "own", role: 100, is_bot: false },
    permission_settings: { realm: {}, stream: {}, group: {} },
    settings: {},
    users: [
      user(1, "own", 100),
      user(2, "ann", 400),
      user(3, "bob", 400),
      user(4, "gus", 600),
      user(5, "bot", 400, true),
    ],
    user_groups: [group(10, "role:nobody", []), group(11, "role:everyone", [1, 2, 3, 4, 5]), group(20, "staff", [2])],
    channels: [channel(1, "open", false, 11), channel(2, "secret", true, 11), channel(3, "still", false, 20)],
    default_channels: [],
    channel_folders: [],
    linkifiers: [],
    domains: [],
    navigation_views: [],
    subscribers: { 1: [1, 4], 2: [1], 3: [] },
    invites: null,
  };
}

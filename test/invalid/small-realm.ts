import { Realm } from "../../src/model/realm.ts";
import type { SnapshotGroup, SnapshotUser } from "../../src/model/snapshot.ts";

/** An organization just large enough to be named wrongly. */
export function smallRealm(): Realm {
  const users = [
    user(1, "Ada Okafor", "ada@example.org"),
    user(2, "Grace Lund", null),
    user(3, "Bob Mora", "bob@example.org", false),
  ];
  const groups = [
    "role:owners",
    "role:administrators",
    "role:moderators",
    "role:fullmembers",
    "role:members",
    "role:everyone",
    "role:internet",
    "role:nobody",
  ];
  return new Realm({
    format: "realmctl.snapshot",
    version: 1,
    taken_at: "2026-11-21T12:00:00Z",
    server: { zulip_version: "12.1", feature_level: 482 },
    realm: { url: "https://chat.example.org", name: "Example" },
    account: { user_id: 1, email: "ada@example.org", full_name: "Ada Okafor", role: 100, is_bot: false },
    permission_settings: null,
    settings: {},
    users,
    user_groups: [
      ...groups.map((name, at) => group(at + 1, name, name === "role:nobody" ? [] : [1, 2])),
      group(20, "engineering", [1, 2]),
      group(21, "staff", [1]),
      group(22, "retired", [], true),
    ],
    channels: [],
    default_channels: [],
    channel_folders: [
      { id: 1, name: "Company", description: "", is_archived: false },
      { id: 2, name: "Old", description: "", is_archived: true },
    ],
    linkifiers: [],
    domains: [],
    navigation_views: [],
    subscribers: null,
    invites: null,
  });
}

function user(user_id: number, full_name: string, delivery_email: string | null, is_active = true): SnapshotUser {
  const email = `user${user_id}@chat.example.org`;
  return {
    user_id,
    email,
    delivery_email,
    full_name,
    role: 400,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    is_active,
  };
}

function group(id: number, name: string, members: readonly number[], deactivated = false): SnapshotGroup {
  const is_system_group = name.startsWith("role:");
  return {
    id,
    name,
    description: "",
    members: [...members],
    direct_subgroup_ids: [],
    is_system_group,
    deactivated,
    creator_id: null,
    date_created: null,
  };
}

import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS } from "../../src/model/permission-settings.ts";
import fc from "../support/random.ts";
import type { Overlay } from "../support/realm.ts";

/** Realms in which access depends on everything at once: nested groups, guests, bots, deactivated people, every kind of privacy. */
export const PEOPLE = {
  "ada@acme.example": 6,
  "ben@acme.example": 7,
  "chiara@acme.example": 8,
  "dmitri@acme.example": 9,
  "farah@acme.example": 11,
  "ivo@partner.example": 14,
  "jana@acme.example": 15,
} as const;
const ADDRESSES = Object.keys(PEOPLE);
const IDS: readonly number[] = [...Object.values(PEOPLE), 17, 18];
const GROUPS = ["staff", "crew", "board", "leads"] as const;
const ROLES = ["role:nobody", "role:owners", "role:administrators", "role:moderators", "role:members", "role:everyone"];
const PRIVACIES = [
  { invite_only: false, is_web_public: true, history_public_to_subscribers: true },
  { invite_only: false, is_web_public: false, history_public_to_subscribers: true },
  { invite_only: true, is_web_public: false, history_public_to_subscribers: true },
  { invite_only: true, is_web_public: false, history_public_to_subscribers: false },
] as const;
const EVERYWHERE: readonly string[] = [
  "can_add_subscribers_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
  "can_manage_all_groups",
  "can_move_messages_between_channels_group",
  "can_move_messages_between_topics_group",
  "can_resolve_topics_group",
];

const ids = fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 3 }).map((list) => list.sort((a, b) => a - b));
const value = fc.oneof(
  fc.constantFrom<string>(...ROLES, ...GROUPS),
  fc.record({ direct_members: ids, direct_subgroups: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 2 }) }),
);
const settings = (names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });

/** Each group may contain those before it, because no group on a server contains itself. */
const groups = fc.tuple(
  ...GROUPS.map((name, index) =>
    fc
      .record({
        members: fc.uniqueArray(fc.constantFrom(...ADDRESSES), { maxLength: 4 }),
        subgroups: fc.subarray(GROUPS.slice(0, index)),
        settings: settings(Object.keys(GROUP_PERMISSIONS)),
      })
      .map(({ members, subgroups, settings: own }) => ({ name, members, subgroups, ...own })),
  ),
);

const channels = fc.tuple(
  ...["hall", "vault", "lobby"].map((name) =>
    fc
      .record({
        privacy: fc.constantFrom(...PRIVACIES),
        is_archived: fc.nat({ max: 4 }).map((roll) => roll === 0),
        settings: settings(Object.keys(CHANNEL_PERMISSIONS)),
      })
      .map(({ privacy, is_archived, settings: own }) => ({ name, ...privacy, is_archived, ...own })),
  ),
);

export const realms: fc.Arbitrary<Overlay> = fc
  .record({
    groups,
    channels,
    organization: fc.record(
      Object.fromEntries(EVERYWHERE.map((name) => [name, fc.constantFrom(9, 10, 11, 12, 14, 15, 30, 31, 33)])),
      { requiredKeys: [] },
    ),
    subscribers: fc.tuple(
      ...["hall", "vault", "lobby"].map((name) =>
        fc.uniqueArray(fc.constantFrom(...ADDRESSES), { maxLength: 4 }).map((list) => [name, list] as const),
      ),
    ),
  })
  .map(({ groups: user_groups, channels: all, organization, subscribers }) => ({
    user_groups,
    channels: all,
    settings: Object.fromEntries(
      Object.entries(organization).flatMap(([name, id]) => (id === undefined ? [] : [[name, id]])),
    ),
    subscribers: Object.fromEntries(subscribers),
  }));

import fc from "../support/random.ts";
import type { Overlay } from "../support/realm.ts";

export interface Scenario {
  readonly overlay: Overlay;
  readonly yaml: string;
}

const GROUPS = ["staff", "engineering", "leads"] as const;
const GROUP_IDS = {
  "role:nobody": 9,
  "role:owners": 10,
  "role:moderators": 12,
  "role:members": 14,
  staff: 30,
  engineering: 31,
  leads: 32,
};
const NAMES = ["role:nobody", "role:moderators", "role:members", ...GROUPS] as const;
const BOT = "ci-bot@localhost";
const PEOPLE = ["ada@acme.example", "ben@acme.example", "farah@acme.example", "hana@acme.example", BOT] as const;
const SETTINGS = [
  "can_send_message_group",
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_remove_subscribers_group",
  "can_administer_channel_group",
] as const;
/** Who can put themselves into a group. */
const ENTRIES = ["can_join_group", "can_add_members_group", "can_manage_group"] as const;
const MANAGING = ["role:owners", "role:moderators", "leads"] as const;
const PRIVACY = {
  web_public: [false, true],
  public: [false, true],
  private_shared_history: [true, true],
  private_protected_history: [true, false],
} as const;
const isOnWeb = ({ privacy }: { readonly privacy: string }): boolean => privacy === "web_public";
const CHANNELS = ["one", "two"] as const;

const people = fc
  .uniqueArray(fc.constantFrom(...PEOPLE), { maxLength: 4 })
  .map((list) => ["ada@acme.example", ...list.filter((email) => email !== "ada@acme.example")]);
const settings = fc.record(Object.fromEntries(SETTINGS.map((setting) => [setting, fc.constantFrom(...NAMES)])));
/** Seldom open: a group that everybody can join hides all other doors. */
const entry = fc.record(
  Object.fromEntries(
    ENTRIES.map((setting) => [
      setting,
      fc.oneof({ weight: 3, arbitrary: fc.constant("role:nobody") }, fc.constantFrom(...NAMES)),
    ]),
  ),
);
const OTHERS = [...PEOPLE.slice(1), "ivo@partner.example"] as const;
const subscribed = fc.subarray([...OTHERS]).map((list) => ["ada@acme.example", ...list]);
const channel = fc.record({
  privacy: fc.constantFrom("web_public", "public", "private_shared_history", "private_protected_history"),
  settings,
  /** Now, or as the file declares it, with the members of a group. */
  subscribers: subscribed,
  groups: fc.subarray(["leads", "engineering"], { maxLength: 1 }),
  exact: fc.boolean(),
  says: fc.boolean(),
});

/**
 * Groups get other members while channels get other groups, another privacy and other subscribers (among them a guest): changes that could give
 * access in between.
 */
export const scenario: fc.Arbitrary<Scenario> = fc
  .record({
    members: fc.tuple(people, people, people),
    wanted: fc.tuple(people, people, people),
    live: fc.tuple(channel, channel),
    file: fc.tuple(channel, channel),
    made: channel,
    spectators: fc.tuple(fc.boolean(), fc.boolean()),
    /** Who gets the bot; its owner is Dmitri. */
    entries: fc.tuple(entry, entry, entry),
    opened: fc.tuple(entry, entry, entry),
    managing: fc.tuple(fc.constantFrom(...MANAGING), fc.constantFrom(...MANAGING)),
    given: fc.option(fc.constantFrom("hana@acme.example", "farah@acme.example", "ada@acme.example"), {
      nil: undefined,
    }),
  })
  .map(({ members, wanted, live, file, made, spectators: [had, has], entries, opened, managing, given }) => {
    const [managed, manages] = managing;
    const overlay: Overlay = {
      feature_level: 442,
      settings: { enable_spectator_access: had, can_manage_all_groups: idOf(managed) },
      user_groups: GROUPS.map((name, index) => ({
        name,
        members: members[index] ?? [],
        ...Object.fromEntries(Object.entries(entries[index] ?? {}).map(([setting, value]) => [setting, idOf(value)])),
      })),
      channels: live.map(({ privacy, settings: groups }, index) => {
        const [invite_only, history_public_to_subscribers] = privacyOf(privacy);
        return {
          name: CHANNELS[index] ?? "",
          invite_only,
          is_web_public: isOnWeb({ privacy }),
          history_public_to_subscribers,
          ...Object.fromEntries(Object.entries(groups).map(([setting, name]) => [setting, idOf(name)])),
        };
      }),
      subscribers: Object.fromEntries(CHANNELS.map((name, index) => [name, live[index]?.subscribers ?? []])),
    };
    const item = ({ privacy, settings: permissions, subscribers: users, groups, exact, says }: typeof made) => ({
      privacy,
      permissions,
      ...(says ? { subscribers: { users, groups, exact } } : {}),
    });
    const yaml = {
      version: 1,
      // What is web-public in a file needs it.
      settings: {
        enable_spectator_access: has || [...file, made].some(isOnWeb),
        permissions: { can_manage_all_groups: manages },
      },
      ...(given === undefined ? {} : { bots: { "ci-bot": { owner: given } } }),
      user_groups: Object.fromEntries([
        ...GROUPS.map((name, index) => [name, { members: wanted[index] ?? [], permissions: opened[index] ?? {} }]),
        ["fresh", { members: wanted[0], subgroups: ["leads"] }],
      ]),
      channels: Object.fromEntries([
        ...CHANNELS.map((name, index) => [name, item(file[index] ?? made)]),
        ["three", { ...item(made), permissions: { ...item(made).permissions, can_subscribe_group: "fresh" } }],
      ]),
    };
    return { overlay, yaml: JSON.stringify(yaml, null, 1) };
  });

function privacyOf(word: string): readonly [boolean, boolean] {
  const known = Object.entries(PRIVACY).find(([name]) => name === word);
  return known === undefined ? PRIVACY.public : known[1];
}

function idOf(name: string): number {
  return Object.entries(GROUP_IDS).find(([known]) => known === name)?.[1] ?? GROUP_IDS["role:nobody"];
}

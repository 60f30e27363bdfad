import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { crew, hall, type Settings, strictState, wordsOf } from "../../test/support/strict-organization.ts";
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS } from "../model/permission-settings.ts";
import { Realm } from "../model/realm.ts";
import { channelHolders, groupHolders, guestsCanHold, organizationHolders, readersOf } from "./grants.ts";
import { isOpeningSetting, READ, SEE } from "./rules.ts";
import { type AccessChannel, type Privacy, stateOf } from "./state.ts";

const realm = new Realm(realmOf({}));
const state = stateOf(realm);
const { members } = state.accounts;
/** Ada and Ben are members, Ivo is a guest, Jana's account is deactivated. */
const ada = realm.userId("ada@acme.example");
const ben = realm.userId("ben@acme.example");
const ivo = realm.userId("ivo@partner.example");
const jana = realm.userId("jana@acme.example");
const nameOf = (id: number): string => realm.userName(id);

test("members are everybody who is active except guests, including bots", () => {
  const expected = realm.snapshot.users.filter(({ is_active, role }) => is_active && role !== 600);
  expect([...members].sort()).toEqual(expected.map(({ user_id }) => user_id).sort());
  expect([ivo, jana].some((id) => members.has(id))).toBe(false);
});

describe("who reads a channel", () => {
  const rows: readonly {
    readonly fact: string;
    readonly privacy: Privacy;
    readonly named?: readonly number[];
    readonly subscribed?: readonly number[];
    readonly reads: readonly number[];
  }[] = [
    { fact: "the web: everybody, including guests", privacy: "web_public", reads: [...members, ivo] },
    { fact: "public: everybody but guests", privacy: "public", reads: [...members] },
    {
      fact: "public: guests where they are subscribed",
      privacy: "public",
      subscribed: [ada, ivo],
      reads: [...members, ivo],
    },
    { fact: "public: nobody whose account is deactivated", privacy: "public", subscribed: [jana], reads: [...members] },
    { fact: "public: a setting opens nothing to guests", privacy: "public", named: [ivo], reads: [...members] },
    { fact: "private: nobody by itself", privacy: "private_shared_history", reads: [] },
    {
      fact: "private: subscribers, guests too",
      privacy: "private_shared_history",
      subscribed: [ben, ivo],
      reads: [ben, ivo],
    },
    {
      fact: "private: nobody whose account is deactivated",
      privacy: "private_shared_history",
      subscribed: [jana],
      reads: [],
    },
    { fact: "private: whom a setting names", privacy: "private_protected_history", named: [ada], reads: [ada] },
    { fact: "private: of these no guests", privacy: "private_protected_history", named: [ada, ivo], reads: [ada] },
    {
      fact: "private: both together",
      privacy: "private_protected_history",
      named: [ada],
      subscribed: [ivo, ada],
      reads: [ivo, ada],
    },
  ];

  test.each(rows)("$fact", ({ privacy, named = [], subscribed = [], reads }) => {
    const channel: AccessChannel = {
      kind: "channel",
      name: "hall",
      privacy,
      archived: false,
      settings: new Map([["can_subscribe_group", { groups: [], users: named.map(nameOf) }]]),
      subscribers: state.population.of(subscribed),
    };
    const { people, bound } = readersOf(state, channel);
    expect({ people: [...people].sort(), bound }).toEqual({ people: [...reads].sort(), bound: undefined });
  });
});

test.each(Object.keys(CHANNEL_PERMISSIONS))(
  "%s opens a private channel to those whom it names, or it is no opening setting",
  (setting) => {
    const channel: AccessChannel = {
      kind: "channel",
      name: "hall",
      privacy: "private_shared_history",
      archived: false,
      settings: new Map([[setting, { groups: [], users: [nameOf(ada)] }]]),
      subscribers: state.population.nobody,
    };
    expect(readersOf(state, channel).people.has(ada)).toBe(isOpeningSetting(setting));
  },
);

describe("who holds a right on a channel", () => {
  const rows: readonly {
    readonly fact: string;
    readonly right: string;
    readonly is?: Partial<Pick<AccessChannel, "privacy" | "archived">>;
    readonly settings?: Settings;
    /** null: the subscribers were not read */
    readonly subscribed?: readonly number[] | null;
    readonly has: readonly string[] | undefined;
    readonly bound?: string;
  }[] = [
    { fact: "reading", right: READ, has: ["members"] },
    {
      fact: "knowing that a private channel exists: administrators, and people who can read or administer it",
      right: SEE,
      is: { privacy: "private_shared_history" },
      settings: { can_administer_channel_group: ["elif", "ivo"], can_subscribe_group: ["farah"] },
      subscribed: [ivo],
      has: ["administrators", "elif", "farah", "ivo"],
    },
    { fact: "a word that is not a right", right: "can_fly_group", has: undefined },
    { fact: "a setting that the server does not have", right: "can_send_message_group", has: undefined },
    {
      fact: "subscribing: everybody who can read it, except guests",
      right: "can_subscribe_group",
      settings: { can_subscribe_group: [] },
      subscribed: [ivo],
      has: ["members"],
    },
    {
      fact: "writing: people whom the setting names, and their bots",
      right: "can_send_message_group",
      settings: { can_send_message_group: ["dmitri", "ivo"] },
      has: ["ci-bot", "dmitri"],
    },
    {
      fact: "writing in a web-public channel: also guests without a subscription",
      right: "can_send_message_group",
      is: { privacy: "web_public" },
      settings: { can_send_message_group: ["ivo"] },
      has: ["ivo"],
    },
    {
      fact: "writing in an archived channel: nobody",
      right: "can_send_message_group",
      is: { archived: true },
      settings: { can_send_message_group: ["dmitri"] },
      has: [],
    },
    {
      fact: "writing in a private channel: subscribers and their bots",
      right: "can_send_message_group",
      is: { privacy: "private_protected_history" },
      settings: { can_send_message_group: ["dmitri", "elif"], can_subscribe_group: ["elif"] },
      subscribed: [9],
      has: ["ci-bot", "dmitri"],
    },
    {
      fact: "writing in a private channel with shared history: also people whom its settings let in",
      right: "can_send_message_group",
      is: { privacy: "private_shared_history" },
      settings: { can_send_message_group: ["dmitri", "elif"], can_subscribe_group: ["elif"] },
      subscribed: [9],
      has: ["ci-bot", "dmitri", "elif"],
    },
    {
      fact: "deleting: people whom the setting names, without their bots",
      right: "can_delete_any_message_group",
      settings: { can_delete_any_message_group: ["dmitri"] },
      has: ["dmitri"],
    },
    {
      fact: "deleting in a web-public channel: guests only where they are subscribed",
      right: "can_delete_any_message_group",
      is: { privacy: "web_public" },
      settings: { can_delete_any_message_group: ["ivo"] },
      has: [],
    },
    {
      fact: "deleting in a web-public channel, with a subscribed guest",
      right: "can_delete_any_message_group",
      is: { privacy: "web_public" },
      settings: { can_delete_any_message_group: ["ivo"] },
      subscribed: [ivo],
      has: ["ivo"],
    },
    {
      fact: "resolving topics: also people whom the organization's setting names",
      right: "can_resolve_topics_group",
      settings: { can_resolve_topics_group: ["dmitri"] },
      has: ["dmitri", "hana"],
    },
    {
      fact: "removing subscribers: administrators, and people who administer the channel",
      right: "can_remove_subscribers_group",
      settings: { can_remove_subscribers_group: [], can_administer_channel_group: ["elif", "ivo"] },
      has: ["administrators", "elif"],
    },
    {
      fact: "removing subscribers from an archived channel",
      right: "can_remove_subscribers_group",
      is: { archived: true },
      settings: { can_remove_subscribers_group: ["dmitri"] },
      has: ["administrators", "dmitri"],
    },
    {
      fact: "removing subscribers from a private channel whose subscribers are unknown: people who certainly know of it",
      right: "can_remove_subscribers_group",
      is: { privacy: "private_shared_history" },
      settings: { can_remove_subscribers_group: ["dmitri"] },
      subscribed: null,
      has: ["administrators"],
      bound: "least",
    },
    {
      fact: "adding subscribers to an archived channel",
      right: "can_add_subscribers_group",
      is: { archived: true },
      settings: { can_add_subscribers_group: ["dmitri"] },
      has: ["administrators", "dmitri"],
    },
    {
      fact: "deleting in a private channel whose subscribers are unknown: at most people whom the setting names",
      right: "can_delete_any_message_group",
      is: { privacy: "private_shared_history" },
      settings: { can_delete_any_message_group: ["dmitri"] },
      subscribed: null,
      has: ["dmitri"],
      bound: "most",
    },
    {
      fact: "reading a private channel whose subscribers are unknown: at least people whom its settings let in",
      right: READ,
      is: { privacy: "private_shared_history" },
      settings: { can_subscribe_group: ["dmitri"] },
      subscribed: null,
      has: ["dmitri"],
      bound: "least",
    },
    {
      fact: "writing in a private channel whose subscribers are unknown: at most people whom the setting names",
      right: "can_send_message_group",
      is: { privacy: "private_shared_history" },
      settings: { can_send_message_group: ["elif"] },
      subscribed: null,
      has: ["elif"],
      bound: "most",
    },
    {
      fact: "resolving topics: administering the channel is not enough",
      right: "can_resolve_topics_group",
      settings: { can_resolve_topics_group: [], can_administer_channel_group: ["elif"] },
      has: ["hana"],
    },
    {
      fact: "deleting in a private channel: nobody who cannot read it",
      right: "can_delete_any_message_group",
      is: { privacy: "private_shared_history" },
      settings: { can_delete_any_message_group: ["dmitri", "elif"], can_subscribe_group: ["elif"] },
      has: ["elif"],
    },
    {
      fact: "deleting in a web-public channel whose subscribers are unknown: guests at most",
      right: "can_delete_any_message_group",
      is: { privacy: "web_public" },
      settings: { can_delete_any_message_group: ["dmitri", "ivo"] },
      subscribed: null,
      has: ["dmitri", "ivo"],
      bound: "most",
    },
    {
      fact: "deleting in a public channel whose subscribers are unknown: guests at most",
      right: "can_delete_any_message_group",
      settings: { can_delete_any_message_group: ["dmitri", "ivo"] },
      subscribed: null,
      has: ["dmitri", "ivo"],
      bound: "most",
    },
    {
      fact: "deleting without guests is certain",
      right: "can_delete_any_message_group",
      settings: { can_delete_any_message_group: ["dmitri"] },
      subscribed: null,
      has: ["dmitri"],
    },
    {
      fact: "administering: people whom the setting names, and administrators",
      right: "can_administer_channel_group",
      is: { archived: true },
      settings: { can_administer_channel_group: ["dmitri", "ivo"] },
      has: ["administrators", "dmitri"],
    },
  ];

  test.each(rows)("$fact", ({ right, is, settings = {}, subscribed = [], has, bound }) => {
    const subscribers = subscribed === null ? undefined : strictState.population.of(subscribed);
    const channel = hall(settings, { subscribers, ...is });
    const found = channelHolders(strictState, channel, right);
    expect(found && [wordsOf(found.people), found.bound]).toEqual(has && [has, bound]);
  });
});

test("nobody deletes messages in an archived channel", () => {
  const settings = { can_delete_any_message_group: ["dmitri"] };
  const held = channelHolders(strictState, hall(settings, { archived: true }), "can_delete_any_message_group");
  expect(held?.people).toBe(strictState.population.nobody);
});

test("bots write where their owners do, whether more people write than there are bots, or fewer", () => {
  const base = realmOf({});
  const [member] = base.users.filter(({ user_id }) => user_id === ben);
  if (member === undefined) throw new RangeError("Ben is not in the reading");
  const botsOf = (owner: number, ids: readonly number[]) =>
    ids.map((user_id) => {
      const email = `b${user_id}-bot@acme.example`;
      return { ...member, user_id, email, delivery_email: email, is_bot: true, bot_type: 1, bot_owner_id: owner };
    });
  const without = base.users.filter(({ is_bot }) => !is_bot);
  const own = new Realm({ ...base, users: [...without, ...botsOf(ada, [80, 81, 82]), ...botsOf(ben, [90, 91])] });
  const all = stateOf(own);
  const writersOf = (named: readonly number[]) => {
    const users = named.map((id) => own.userName(id));
    const settings = new Map([["can_send_message_group", { groups: [], users }]]);
    const nobody = all.population.nobody;
    const channel: AccessChannel = {
      kind: "channel",
      name: "hall",
      privacy: "public",
      archived: false,
      settings,
      subscribers: nobody,
    };
    return [...(channelHolders(all, channel, "can_send_message_group")?.people ?? [])].sort((a, b) => a - b);
  };
  expect(all.accounts.owners.size).toBe(5);
  expect(writersOf([ada])).toEqual([ada, 80, 81, 82]);
  expect(writersOf([ben, 91, 80])).toEqual([ben, 80, 90, 91]);
  const others = [...all.accounts.members].filter((id) => id !== ada && id < 80);
  expect(others.length).toBeGreaterThan(5);
  expect(writersOf(others)).toEqual([...others, 90, 91].sort((a, b) => a - b));
});

describe("who holds a right on a group", () => {
  test.each([
    { fact: "a word that is not a right", right: "can_fly_group", has: undefined },
    { fact: "a setting that the server does not have", right: "can_leave_group", has: undefined },
    {
      fact: "people whom it names, people who manage the group, and people who manage all groups",
      right: "can_join_group",
      has: true,
    },
    {
      fact: "mentioning: people whom the setting names, also guests",
      right: "can_mention_group",
      has: ["dmitri", "ivo"],
    },
  ])("$fact", ({ right, has }) => {
    const group = crew({
      can_join_group: ["dmitri", "ivo"],
      can_manage_group: ["elif", "ivo"],
      can_mention_group: ["dmitri", "ivo"],
    });
    const found = groupHolders(strictState, group, right);
    expect(found && wordsOf(found.people)).toEqual(has === true ? ["dmitri", "elif", "hana"] : has);
  });

  test.each(Object.keys(GROUP_PERMISSIONS))(
    "%s: nobody changes the group of a role, not even who manages all groups",
    (right) => {
      const mentions = right === "can_mention_group";
      const group = crew({ [right]: ["dmitri"], can_manage_group: ["elif"] }, { name: "role:moderators" });
      expect(wordsOf(groupHolders(strictState, group, right)?.people ?? [])).toEqual(mentions ? ["dmitri"] : []);
    },
  );
});

test.each([
  { fact: "a word that is not a setting of the organization", right: "can_fly_group", has: undefined },
  { fact: "a setting that guests can have", right: "can_resolve_topics_group", has: ["hana", "ivo"] },
  { fact: "a setting that guests cannot have", right: "can_create_groups", has: ["hana"] },
])("who holds a right in the organization: $fact", ({ right, has }) => {
  const found = organizationHolders(strictState, right);
  expect(found && wordsOf(found)).toEqual(has);
});

test.each([
  { scope: "channel", right: READ, can: true },
  { scope: "channel", right: "can_send_message_group", can: true },
  { scope: "channel", right: "can_remove_subscribers_group", can: false },
  { scope: "user_group", right: "can_mention_group", can: true },
  { scope: "user_group", right: "can_join_group", can: false },
  // What such a right allows is not known.
  { scope: "user_group", right: "can_fly_group", can: true },
  { scope: "organization", right: "can_resolve_topics_group", can: true },
  { scope: "organization", right: "can_create_groups", can: false },
] as const)("whether guests can ever hold $right of a $scope: $can", ({ scope, right, can }) =>
  expect(guestsCanHold(scope, right)).toBe(can),
);

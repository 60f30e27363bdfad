import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { crew, hall, type Settings, strictState, wordsOf } from "../../test/support/strict-organization.ts";
import { Realm } from "../model/realm.ts";
import { channelHolders, groupHolders, guestsCanHold, organizationHolders, readersOf } from "./rights.ts";
import { READ, SEE } from "./rules.ts";
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
    { fact: "the web: everybody, guests too", privacy: "web_public", reads: [...members, ivo] },
    { fact: "public: everybody but guests", privacy: "public", reads: [...members] },
    {
      fact: "public: guests where they are subscribed",
      privacy: "public",
      subscribed: [ada, ivo],
      reads: [...members, ivo],
    },
    { fact: "public: nobody whose account is gone", privacy: "public", subscribed: [jana], reads: [...members] },
    { fact: "public: a setting opens nothing to guests", privacy: "public", named: [ivo], reads: [...members] },
    { fact: "private: nobody by itself", privacy: "private_shared_history", reads: [] },
    {
      fact: "private: subscribers, guests too",
      privacy: "private_shared_history",
      subscribed: [ben, ivo],
      reads: [ben, ivo],
    },
    { fact: "private: nobody whose account is gone", privacy: "private_shared_history", subscribed: [jana], reads: [] },
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

describe("who holds a right on a channel", () => {
  const rows: readonly {
    readonly fact: string;
    readonly right: string;
    readonly is?: Partial<Pick<AccessChannel, "privacy" | "archived">>;
    readonly settings?: Settings;
    /** null: not read */
    readonly subscribed?: readonly number[] | null;
    readonly has: readonly string[] | undefined;
    readonly bound?: string;
  }[] = [
    { fact: "reading", right: READ, has: ["members"] },
    {
      fact: "knowing of a private one: who reads or administers it, and administrators",
      right: SEE,
      is: { privacy: "private_shared_history" },
      settings: { can_administer_channel_group: ["elif", "ivo"], can_subscribe_group: ["farah"] },
      subscribed: [ivo],
      has: ["administrators", "elif", "farah", "ivo"],
    },
    { fact: "no right at all", right: "can_fly_group", has: undefined },
    { fact: "a setting that the server does not have", right: "can_send_message_group", has: undefined },
    {
      fact: "subscribing: whoever reads it, but for guests",
      right: "can_subscribe_group",
      settings: { can_subscribe_group: [] },
      subscribed: [ivo],
      has: ["members"],
    },
    {
      fact: "writing: whom the setting names, and their bots",
      right: "can_send_message_group",
      settings: { can_send_message_group: ["dmitri", "ivo"] },
      has: ["ci-bot", "dmitri"],
    },
    {
      fact: "writing on the web: guests without a subscription, too",
      right: "can_send_message_group",
      is: { privacy: "web_public" },
      settings: { can_send_message_group: ["ivo"] },
      has: ["ivo"],
    },
    {
      fact: "writing in an archived one: nobody",
      right: "can_send_message_group",
      is: { archived: true },
      settings: { can_send_message_group: ["dmitri"] },
      has: [],
    },
    {
      fact: "writing in a private one: subscribers and their bots",
      right: "can_send_message_group",
      is: { privacy: "private_protected_history" },
      settings: { can_send_message_group: ["dmitri", "elif"], can_subscribe_group: ["elif"] },
      subscribed: [9],
      has: ["ci-bot", "dmitri"],
    },
    {
      fact: "writing in a private one with shared history: whom its settings let in, too",
      right: "can_send_message_group",
      is: { privacy: "private_shared_history" },
      settings: { can_send_message_group: ["dmitri", "elif"], can_subscribe_group: ["elif"] },
      subscribed: [9],
      has: ["ci-bot", "dmitri", "elif"],
    },
    {
      fact: "deleting: whom the setting names, without their bots",
      right: "can_delete_any_message_group",
      settings: { can_delete_any_message_group: ["dmitri"] },
      has: ["dmitri"],
    },
    {
      fact: "deleting on the web: guests where they are subscribed",
      right: "can_delete_any_message_group",
      is: { privacy: "web_public" },
      settings: { can_delete_any_message_group: ["ivo"] },
      has: [],
    },
    {
      fact: "the same, subscribed",
      right: "can_delete_any_message_group",
      is: { privacy: "web_public" },
      settings: { can_delete_any_message_group: ["ivo"] },
      subscribed: [ivo],
      has: ["ivo"],
    },
    {
      fact: "resolving topics: whom the organization names, too",
      right: "can_resolve_topics_group",
      settings: { can_resolve_topics_group: ["dmitri"] },
      has: ["dmitri", "hana"],
    },
    {
      fact: "removing subscribers: administrators, and who administers the channel",
      right: "can_remove_subscribers_group",
      settings: { can_remove_subscribers_group: [], can_administer_channel_group: ["elif", "ivo"] },
      has: ["administrators", "elif"],
    },
    {
      fact: "the same in an archived one",
      right: "can_remove_subscribers_group",
      is: { archived: true },
      settings: { can_remove_subscribers_group: ["dmitri"] },
      has: ["administrators", "dmitri"],
    },
    {
      fact: "the same in a private one whose subscribers are not known: who knows of it for certain",
      right: "can_remove_subscribers_group",
      is: { privacy: "private_shared_history" },
      settings: { can_remove_subscribers_group: ["dmitri"] },
      subscribed: null,
      has: ["administrators"],
    },
    {
      fact: "adding subscribers in an archived one",
      right: "can_add_subscribers_group",
      is: { archived: true },
      settings: { can_add_subscribers_group: ["dmitri"] },
      has: ["administrators", "dmitri"],
    },
    {
      fact: "deleting in a private one whose subscribers are not known: at most whom the setting names",
      right: "can_delete_any_message_group",
      is: { privacy: "private_shared_history" },
      settings: { can_delete_any_message_group: ["dmitri"] },
      subscribed: null,
      has: ["dmitri"],
      bound: "most",
    },
    {
      fact: "reading a private one whose subscribers are not known: at least whom its settings let in",
      right: READ,
      is: { privacy: "private_shared_history" },
      settings: { can_subscribe_group: ["dmitri"] },
      subscribed: null,
      has: ["dmitri"],
      bound: "least",
    },
    {
      fact: "writing in a private one whose subscribers are not known: at most whom the setting names",
      right: "can_send_message_group",
      is: { privacy: "private_shared_history" },
      settings: { can_send_message_group: ["elif"] },
      subscribed: null,
      has: ["elif"],
      bound: "most",
    },
    {
      fact: "resolving topics: nobody for administering the channel",
      right: "can_resolve_topics_group",
      settings: { can_resolve_topics_group: [], can_administer_channel_group: ["elif"] },
      has: ["hana"],
    },
    {
      fact: "deleting on the web, whose subscribers are not known: guests at most",
      right: "can_delete_any_message_group",
      is: { privacy: "web_public" },
      settings: { can_delete_any_message_group: ["dmitri", "ivo"] },
      subscribed: null,
      has: ["dmitri", "ivo"],
      bound: "most",
    },
    {
      fact: "deleting in a public one whose subscribers are not known: guests at most",
      right: "can_delete_any_message_group",
      settings: { can_delete_any_message_group: ["dmitri", "ivo"] },
      subscribed: null,
      has: ["dmitri", "ivo"],
      bound: "most",
    },
    {
      fact: "the same without guests is certain",
      right: "can_delete_any_message_group",
      settings: { can_delete_any_message_group: ["dmitri"] },
      subscribed: null,
      has: ["dmitri"],
    },
    {
      fact: "administering: whom the setting names, and administrators",
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

describe("who holds a right on a group", () => {
  test.each([
    { fact: "no right at all", right: "can_fly_group", has: undefined },
    { fact: "a setting that the server does not have", right: "can_leave_group", has: undefined },
    { fact: "whom it names, who manages the group, and who manages all", right: "can_join_group", has: true },
    { fact: "mentioning: whom the setting names, guests too", right: "can_mention_group", has: ["dmitri", "ivo"] },
  ])("$fact", ({ right, has }) => {
    const group = crew({
      can_join_group: ["dmitri", "ivo"],
      can_manage_group: ["elif", "ivo"],
      can_mention_group: ["dmitri", "ivo"],
    });
    const found = groupHolders(strictState, group, right);
    expect(found && wordsOf(found.people)).toEqual(has === true ? ["dmitri", "elif", "hana"] : has);
  });
});

test.each([
  { fact: "no setting of the organization", right: "can_fly_group", has: undefined },
  { fact: "one that guests can have", right: "can_resolve_topics_group", has: ["hana", "ivo"] },
  { fact: "one that they cannot", right: "can_create_groups", has: ["hana"] },
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
  { scope: "user_group", right: "can_fly_group", can: false },
  { scope: "organization", right: "can_resolve_topics_group", can: true },
  { scope: "organization", right: "can_create_groups", can: false },
] as const)("whether guests can ever hold $right of a $scope: $can", ({ scope, right, can }) =>
  expect(guestsCanHold(scope, right)).toBe(can),
);

import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { Realm } from "../model/realm.ts";
import { readersOf } from "./rights.ts";
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

test("members are everybody who is active but guests, bots too", () => {
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

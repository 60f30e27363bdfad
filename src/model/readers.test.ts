import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { membersIn, readersOf } from "./readers.ts";
import { Realm } from "./realm.ts";

const realm = new Realm(realmOf({}));
const idOf = (name: string): number =>
  realm.snapshot.users.find(({ full_name }) => full_name.startsWith(name))?.user_id ?? 0;
const [ada, ben, ivo, jana] = ["Ada", "Ben", "Ivo", "Jana"].map(idOf);
const members = [...membersIn(realm)];

test("members are everybody who is active but guests, bots too", () => {
  const expected = realm.snapshot.users.filter(({ is_active, role }) => is_active && role !== 600);
  expect(members).toEqual(expected.map(({ user_id }) => user_id));
  expect([ivo, jana].some((id) => id === undefined || id === 0 || members.includes(id))).toBe(false);
});

describe("who reads a channel", () => {
  /** Ada and Ben are members, Ivo is a guest, Jana's account is deactivated. */
  const rows: readonly {
    readonly privacy: string;
    readonly named?: readonly (number | undefined)[];
    readonly subscribed?: readonly (number | undefined)[] | undefined;
    readonly reads: readonly (number | undefined)[];
    readonly fact: string;
  }[] = [
    { fact: "the web: everybody, guests too", privacy: "web_public", reads: [...members, ivo] },
    { fact: "public: everybody but guests", privacy: "public", reads: members },
    {
      fact: "public: guests where they are subscribed",
      privacy: "public",
      subscribed: [ada, ivo],
      reads: [...members, ivo],
    },
    { fact: "public: nobody whose account is gone", privacy: "public", subscribed: [jana], reads: members },
    { fact: "public: a setting opens nothing to guests", privacy: "public", named: [ivo], reads: members },
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
  const ids = (list: readonly (number | undefined)[]): readonly number[] => list.flatMap((id) => id ?? []);

  test.each(rows)("$fact", ({ privacy, named = [], subscribed, reads }) => {
    const subscribers = subscribed === undefined ? undefined : ids(subscribed);
    const found = readersOf(privacy, [new Set<number>(), new Set(ids(named))], subscribers, realm);
    const byNumber = (a: number, b: number): number => a - b;
    expect([...found].sort(byNumber)).toEqual([...ids(reads)].sort(byNumber));
  });

  test("who is in no group and reads nothing else is the same set for every channel", () => {
    expect(readersOf("public", [], undefined, realm)).toBe(membersIn(realm));
    expect(readersOf("public", [], members, realm)).toBe(membersIn(realm));
  });
});

import { describe, expect, test } from "vitest";
import { realmOf } from "../../../test/support/realm.ts";
import { Realm } from "../../model/realm.ts";
import { showsSubscribing } from "./live.ts";

// One call subscribes Dmitri and Elif, another unsubscribes Ben; Chiara is there before and after.

const realm = new Realm(realmOf({}));
const [ben, chiara, dmitri, elif, farah] = ["ben", "chiara", "dmitri", "elif", "farah"].map(
  (name) => `${name}@acme.example`,
);
const change = {
  field: "subscribers",
  before: [ben ?? "", chiara ?? ""],
  after: [chiara ?? "", dmitri ?? "", elif ?? ""],
};
const by = (operation: string, ...people: readonly (string | undefined)[]) => ({
  realm,
  call: {
    n: 1,
    operation,
    path: {},
    params: { principals: people.map((name) => realm.userId(name ?? "")) },
    for: [],
    expects: [],
    creates: [],
    after: [],
  },
});
const live = (...people: readonly (string | undefined)[]) => people.map((name) => name ?? "");

describe("whether a sent call was carried out", () => {
  test.each([
    ["subscribe", live(ben, chiara, dmitri, elif), true],
    ["subscribe", live(chiara, dmitri, elif, farah), true],
    ["subscribe", live(ben, chiara, dmitri), false],
    ["subscribe", live(ben, chiara), false],
    ["unsubscribe", live(chiara), true],
    ["unsubscribe", live(chiara, dmitri, elif), true],
    ["unsubscribe", live(ben, chiara), false],
    ["update-stream", live(chiara, dmitri, elif), false],
  ] as const)("%s, with %j subscribed: %s", (operation, subscribers, isShown) => {
    const people = operation === "unsubscribe" ? [ben] : [dmitri, elif];
    expect(showsSubscribing(change, [...subscribers], by(operation, ...people))).toBe(isShown);
  });
  test("if no other field shows it", () =>
    expect(showsSubscribing({ ...change, field: "name" }, live(chiara), by("unsubscribe", ben))).toBe(false));
});

test.each([
  ["before", live(ben, chiara), true],
  ["if some people were subscribed", live(ben, chiara, dmitri, elif), true],
  ["if some people were unsubscribed", live(chiara), true],
  ["if somebody else was subscribed", live(ben, chiara, farah), false],
  ["if somebody who stays was unsubscribed", live(ben, dmitri), false],
])("the calls of the plan can have produced the list, %s: %s", (_, subscribers, isShown) => {
  expect(showsSubscribing(change, subscribers, { realm })).toBe(isShown);
});

test("a deactivated person who stays subscribed is not in the reading, and was not unsubscribed", () => {
  const without = new Realm(realmOf({ users: { [chiara ?? ""]: { is_active: false } } }));
  expect(showsSubscribing(change, live(ben, dmitri), { realm: without })).toBe(true);
});

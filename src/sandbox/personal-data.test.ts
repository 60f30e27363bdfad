import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";

describe("alert words", () => {
  const words = async (realm: TestRealm) =>
    (await realm.call("member", "GET", "/users/me/alert_words")).body.alert_words;
  test("are the account's own, each once in any case, and its clients are told", async () => {
    const realm = testRealm();
    const events = await realm.listen("member");
    const sent = { alert_words: [" forge ", "Forge", "", "anvil"] };
    expect((await realm.call("member", "POST", "/users/me/alert_words", sent)).body.alert_words).toEqual([
      "forge",
      "anvil",
    ]);
    expect(await words(realm)).toEqual(["forge", "anvil"]);
    await realm.call("member", "DELETE", "/users/me/alert_words", { alert_words: ["FORGE", "none"] });
    expect(await words(realm)).toEqual(["anvil"]);
    expect((await realm.call("owner", "GET", "/users/me/alert_words")).body.alert_words).toEqual([]);
    const told = (await events()).filter(({ type }) => type === "alert_words").map(({ alert_words }) => alert_words);
    expect(told).toEqual([["forge", "anvil"], ["anvil"]]);
    const registered = await realm.call("member", "POST", "/register", { fetch_event_types: ["alert_words"] });
    expect(registered.body.alert_words).toEqual(["anvil"]);
  });
  test("have at most 100 characters", async () => {
    const sent = { alert_words: ["x".repeat(101)] };
    expect((await testRealm().call("member", "POST", "/users/me/alert_words", sent)).body.msg).toBe(
      "alert_words[0] is too long (limit: 100 characters)",
    );
  });
});

test.each([
  [493, 200],
  [494, 400],
])("%i: a person's storage: %i", async (level, status) => {
  const realm = testRealm(level);
  expect((await realm.call("member", "GET", "/bot_storage")).status).toBe(status);
  expect((await realm.call("bot", "GET", "/bot_storage")).status).toBe(200);
});

test("a bot stores texts by key, reads and removes some or all", async () => {
  const realm = testRealm();
  const call = async (method: string, params: { readonly [name: string]: unknown } = {}) =>
    (await realm.call("bot", method, "/bot_storage", params)).body;
  expect((await call("GET")).storage).toEqual({});
  await call("PUT", { storage: { a: "1", b: "2" } });
  await call("PUT", { storage: { b: "3", c: "" } });
  expect((await call("GET")).storage).toEqual({ a: "1", b: "3", c: "" });
  expect((await call("GET", { keys: ["b"] })).storage).toEqual({ b: "3" });
  expect((await call("GET", { keys: ["nope"] })).msg).toBe("Key does not exist.");
  expect((await call("DELETE", { keys: ["a", "nope"] })).msg).toBe("Key does not exist.");
  await call("DELETE", { keys: ["a"] });
  expect((await call("GET")).storage).toEqual({ b: "3", c: "" });
  await call("DELETE");
  expect((await call("GET")).storage).toEqual({});
  expect((await call("PUT", { storage: { a: 1 } })).msg).toMatch(/is not a string/);
  for (const key of "0123456789") await call("PUT", { storage: { [key]: "x".repeat(999_999) } });
  expect((await call("PUT", { storage: { more: "" } })).msg).toBe(
    "Request exceeds storage limit by 4 characters. The limit is 10000000 characters.",
  );
});

test.each([
  ["letters", "x".repeat(9_999_999), ""],
  [
    "one letter too many",
    "x".repeat(10_000_000),
    "Request exceeds storage limit by 1 characters. The limit is 10000000 characters.",
  ],
])("a bot stores ten million characters in one request: %s", async (_, value, msg) => {
  const realm = testRealm();
  expect((await realm.call("bot", "PUT", "/bot_storage", { storage: { a: value } })).body.msg).toBe(msg);
  const { storage } = (await realm.call("bot", "GET", "/bot_storage")).body;
  expect(storage).toEqual(msg === "" ? { a: value } : {});
});

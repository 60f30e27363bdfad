import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** zulip-api.md §4: one row per fact. "Zulip", "general" and "sandbox" are default channels of the recorded realm. */
let realm: TestRealm;
let open: number;
let shut: number;
beforeEach(async () => {
  realm = testRealm();
  const make = async (name: string, params: JsonObject = {}) =>
    Number(
      (await realm.call("member", "POST", "/channels/create", { name, subscribers: [realm.id("member")], ...params }))
        .body.id,
    );
  open = await make("open");
  shut = await make("shut", { invite_only: true });
});
const defaults = async (as = "owner") =>
  (await realm.call(as, "POST", "/register", { fetch_event_types: ["default_streams"] })).body.realm_default_streams;
const change = (as: string, method: string, stream_id: unknown) =>
  realm.call(as, method, "/default_streams", { stream_id });

describe("POST and DELETE /default_streams", () => {
  test("an administrator who can read a private channel gets the reason", async () => {
    await realm.call("member", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "shut" }],
      principals: [realm.id("admin")],
    });
    expect((await change("admin", "POST", shut)).body.msg).toBe("Private channels cannot be made default.");
    expect(await defaults()).toEqual([1, 2, 3]);
  });
  test("adding twice has the effect of adding once, and removing twice is not an error", async () => {
    for (let n = 0; n < 2; n += 1) expect((await change("admin", "POST", open)).status).toBe(200);
    expect(await defaults()).toEqual([1, 2, 3, open]);
    for (let n = 0; n < 2; n += 1) expect((await change("admin", "DELETE", open)).status).toBe(200);
    expect([await defaults(), await defaults("guest")]).toEqual([[1, 2, 3], []]);
  });
  test("existing people are not subscribed", async () => {
    await change("admin", "POST", open);
    const { subscribers } = (await realm.call("owner", "GET", `/streams/${open}/members`)).body;
    expect(subscribers).toEqual([realm.id("member")]);
  });
});

describe("is_default_stream in a PATCH", () => {
  const patch = async (as: string, id: number, params: JsonObject) =>
    (await realm.call(as, "PATCH", `/streams/${id}`, params)).body.msg;
  const PRIVATE = "A default channel cannot be private.";
  test.each<[params: JsonObject, channel: "open" | "shut", msg: string]>([
    [{ is_default_stream: true }, "open", ""],
    [{ is_default_stream: false }, "open", ""],
    [{ is_default_stream: true }, "shut", PRIVATE],
    [{ is_default_stream: false }, "shut", ""],
    [{ is_private: true, is_default_stream: true }, "open", PRIVATE],
    [{ is_private: true, is_default_stream: false }, "open", ""],
    [{ is_private: false, is_default_stream: true }, "shut", ""],
  ])("%j of the channel that is %s: %j", async (params, channel, msg) => {
    const id = channel === "open" ? open : shut;
    await realm.call("member", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: channel }],
      principals: [realm.id("owner")],
    });
    expect(await patch("owner", id, params)).toBe(msg);
    expect(await defaults()).toEqual(params.is_default_stream === true && msg === "" ? [1, 2, 3, id] : [1, 2, 3]);
  });
});

describe("is_default_stream at creation", () => {
  test.each<[as: string, params: JsonObject, msg: string]>([
    ["admin", {}, ""],
    ["member", {}, "Insufficient permission"],
    ["admin", { invite_only: true }, "A default channel cannot be private."],
  ])("by the %s with %j: %j", async (as, params, msg) => {
    const sent = { name: "new", subscribers: [], is_default_stream: true, ...params };
    const made = await realm.call(as, "POST", "/channels/create", sent);
    expect(made.body.msg).toBe(msg);
    const bulk = { subscriptions: [{ name: "newer" }], is_default_stream: true, ...params };
    expect((await realm.call(as, "POST", "/users/me/subscriptions", bulk)).body.msg).toBe(msg);
    expect(await defaults()).toHaveLength(msg === "" ? 5 : 3);
  });
  test("an existing channel does not become a default channel", async () => {
    const bulk = { subscriptions: [{ name: "open" }], is_default_stream: true };
    expect((await realm.call("admin", "POST", "/users/me/subscriptions", bulk)).status).toBe(200);
    expect(await defaults()).toEqual([1, 2, 3]);
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** api.md operation 12 and zulip-api.md §3.1, §3.2, §5.3: one row per fact. */
let realm: TestRealm;
const objects = (list: unknown): readonly JsonObject[] =>
  isList(list) ? list.filter((each): each is JsonObject => isObject(each)) : [];
const subscribe = (as: string, name: string, params: JsonObject = {}) =>
  realm.call(as, "POST", "/users/me/subscriptions", { subscriptions: [{ name }], ...params });
/** In addition to the recorded channels, to which everybody but the guest is subscribed: one of each kind without any of the callers. */
beforeEach(async () => {
  realm = testRealm(442, { realm_enable_spectator_access: true });
  const outsider = realm.id("owner2");
  for (const [name, params] of [
    ["open", {}],
    ["web", { is_web_public: true }],
    ["shut", { invite_only: true }],
    ["door", { invite_only: true, can_subscribe_group: realm.group("role:members") }],
    ["ours", { invite_only: true, can_administer_channel_group: realm.group("role:moderators") }],
    ["gone", {}],
    ["owned", { invite_only: true, principals: [outsider, realm.id("owner")] }],
  ] as const) {
    expect((await subscribe("owner2", name, { ...params })).body.msg).toBe("");
  }
  const gone = (await realm.call("owner2", "GET", "/get_stream_id", { stream: "gone" })).body.stream_id;
  await realm.call("owner2", "DELETE", `/streams/${String(gone)}`);
});

describe("GET /streams", () => {
  test("is_default is shown only on request, and adds no channels", async () => {
    const of = async (flags: JsonObject) =>
      objects((await realm.call("member", "GET", "/streams", flags)).body.streams);
    expect((await of({})).some((channel) => "is_default" in channel)).toBe(false);
    const defaults = (await of({ include_default: true })).map(({ name, is_default }) => [name, is_default]);
    expect(defaults).toEqual([
      ["Zulip", true],
      ["general", true],
      ["open", false],
      ["sandbox", true],
      ["web", false],
    ]);
  });
  test.each([
    [355, "admin", 200, "shut"],
    [355, "member", 400, undefined],
    [356, "member", 200, undefined],
    [356, "admin", 200, "shut"],
    [442, "admin", 200, "shut"],
  ])("level %i: include_all_active of a %s: %i", async (level, as, status, found) => {
    realm = testRealm(level);
    await subscribe("owner2", "shut", { invite_only: true });
    const { status: got, body } = await realm.call(as, "GET", "/streams", { include_all_active: true });
    expect(got).toBe(status);
    if (status === 400) expect(body.msg).toBe("User not authorized for this query");
    else expect(objects(body.streams).some(({ name }) => name === "shut")).toBe(found !== undefined);
  });
});

describe("one channel", () => {
  const id = async (name: string): Promise<number> =>
    Number((await realm.call("owner2", "GET", "/get_stream_id", { stream: name })).body.stream_id);
  test.each<[as: string, stream: string, msg: string]>([
    ["member", "open", ""],
    ["member", "OPEN", ""],
    ["member", "door", ""],
    ["member", "shut", "Invalid channel name 'shut'"],
  ])("%s asks for the number of %s: %j", async (as, stream, msg) => {
    expect((await realm.call(as, "GET", "/get_stream_id", { stream })).body.msg).toBe(msg);
  });
  test("its subscribers are those with an active account", async () => {
    await subscribe("owner2", "open", { principals: [realm.id("member5")] });
    await realm.call("owner", "DELETE", `/users/${realm.id("member5")}`);
    const { subscribers } = (await realm.call("member", "GET", `/streams/${await id("open")}/members`)).body;
    expect(subscribers).toEqual([realm.id("owner2")]);
  });
  test.each([
    ["owner", "member", true],
    ["owner", "owner2", false],
  ])("%s asks whether %s is in general: %s", async (as, who, is_subscribed) => {
    await realm.call("owner", "DELETE", "/users/me/subscriptions", {
      subscriptions: ["general"],
      principals: [realm.id("owner2")],
    });
    expect((await realm.call(as, "GET", `/users/${realm.id(who)}/subscriptions/3`)).body).toMatchObject({
      is_subscribed,
    });
  });
  test("a deactivated account has no channels", async () => {
    expect((await realm.call("member", "GET", "/users/15/channels")).body.msg).toBe("User is deactivated");
  });
  test("the channels of another person are limited to those that the caller may know", async () => {
    const of = async (as: string) => {
      const { subscribed_channel_ids: ids } = (await realm.call(as, "GET", `/users/${realm.id("owner2")}/channels`))
        .body;
      return isList(ids) ? ids.length : 0;
    };
    expect((await of("admin")) - (await of("member"))).toBe(3);
  });
});

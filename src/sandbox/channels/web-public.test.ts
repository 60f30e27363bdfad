import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** One row per fact of zulip-api.md §3.9, and of §3.8 where it concerns web-public channels. */
const ALLOWED = { realm_enable_spectator_access: true };
const create = (realm: TestRealm, as: string, params: JsonObject = {}) =>
  realm.call(as, "POST", "/channels/create", { name: "x", subscribers: [realm.id(as)], ...params });
async function made(realm: TestRealm, as: string, params: JsonObject = {}): Promise<number> {
  const { body } = await create(realm, as, params);
  expect(body.msg).toBe("");
  return Number(body.id);
}
const patch = async (realm: TestRealm, as: string, id: number, params: JsonObject) =>
  (await realm.call(as, "PATCH", `/streams/${id}`, params)).body.msg;
async function read(realm: TestRealm, id: number): Promise<JsonObject> {
  const { body } = await realm.call("owner", "GET", "/streams", { include_all: true });
  const found = (isList(body.streams) ? body.streams : []).find((each) => isObject(each) && each.stream_id === id);
  if (!isObject(found)) throw new Error(`no channel ${id}`);
  return found;
}
const [OFF, REFUSED] = ["Web-public channels are not enabled.", "Insufficient permission"];

describe("§3.9 who may make a channel web-public", () => {
  test.each<[fact: string, as: string, facts: JsonObject, msg: string]>([
    [
      "the server may not have web-public channels",
      "owner",
      { ...ALLOWED, server_web_public_streams_enabled: false },
      OFF,
    ],
    ["the realm may not have them", "owner", { realm_enable_spectator_access: false }, OFF],
    ["the realm's plan may not have them", "owner", { ...ALLOWED, realm_plan_type: 2 }, OFF],
    ["with both, owners may", "owner", ALLOWED, ""],
    ["administrators are not in such a group at first", "admin", ALLOWED, REFUSED],
    ["members are not in such a group either", "member", ALLOWED, REFUSED],
  ])("%s: %s", async (_fact, as, facts, msg) => {
    const web = { is_web_public: true };
    expect((await create(testRealm(442, facts), as, web)).body.msg).toBe(msg);
    const bulk = { subscriptions: [{ name: "x" }], ...web };
    expect((await testRealm(442, facts).call(as, "POST", "/users/me/subscriptions", bulk)).body.msg).toBe(msg);
    const realm = testRealm(442, facts);
    expect(await patch(realm, as, await made(realm, as), web)).toBe(msg);
  });

  test("the group decides: owners outside it may not, administrators inside it may", async () => {
    const realm = testRealm(442, ALLOWED);
    const set = (group: string) =>
      realm.call("owner", "PATCH", "/realm", { can_create_web_public_channel_group: { new: realm.group(group) } });
    await set("role:administrators");
    expect((await create(realm, "admin", { is_web_public: true })).body.msg).toBe("");
    await set("role:nobody");
    expect((await create(realm, "owner", { name: "y", is_web_public: true })).body.msg).toBe(REFUSED);
  });

  test.each<[sent: JsonObject, msg: string]>([
    [{ is_web_public: true }, REFUSED],
    [{ is_private: false, is_web_public: true }, REFUSED],
    [{ is_web_public: false }, ""],
    [{ is_private: false }, ""],
    [{ description: "d" }, ""],
  ])(
    "the right is checked whenever the flag is sent as true, even if it is already true: %j → %s",
    async (sent, msg) => {
      const realm = testRealm(442, ALLOWED);
      const id = await made(realm, "owner", { is_web_public: true });
      const nobody = { new: realm.group("role:nobody") };
      await realm.call("owner", "PATCH", "/realm", { can_create_web_public_channel_group: nobody });
      expect(await patch(realm, "owner", id, sent)).toBe(msg);
    },
  );

  test("the realm's switch requires a plan that has the feature", async () => {
    const limited = testRealm(442, { realm_plan_type: 2 });
    const { body } = await limited.call("owner", "PATCH", "/realm", { enable_spectator_access: true });
    expect(body.msg).toBe("Available on Zulip Cloud Standard. Upgrade to access.");
  });
});

describe("§3.3, quirk 5: private and web-public at once", () => {
  const both = { invite_only: true, is_web_public: true };
  const names = async (realm: TestRealm) => {
    const { body } = await realm.call("owner", "GET", "/streams", { include_all: true });
    return (isList(body.streams) ? body.streams : []).map((each) => (isObject(each) ? each.name : undefined));
  };
  test("it can be created only without subscribers", async () => {
    const realm = testRealm(442, ALLOWED);
    const failed = await create(realm, "owner", both);
    expect(failed).toEqual({ status: 500, body: { result: "error", msg: "Internal server error" } });
    const bulk = await realm.call("owner", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "x" }],
      ...both,
    });
    expect(bulk.status).toBe(500);
    expect(await names(realm)).not.toContain("x");
    const id = await made(realm, "owner", { ...both, subscribers: [] });
    expect(await read(realm, id)).toMatchObject({ ...both, history_public_to_subscribers: false });
  });
  test("other errors are reported first", async () => {
    const realm = testRealm(442, ALLOWED);
    expect((await create(realm, "owner", { ...both, subscribers: [4242] })).body.msg).toBe("No such user");
  });
  test("no change of privacy is possible, and the attempt changes nothing", async () => {
    const realm = testRealm(442, ALLOWED);
    const lets = { can_add_subscribers_group: realm.group("role:members") };
    const id = await made(realm, "owner", { ...both, ...lets, subscribers: [] });
    const before = await read(realm, id);
    for (const way of [{ is_web_public: false }, { is_private: false }])
      expect((await realm.call("owner", "PATCH", `/streams/${id}`, way)).status).toBe(500);
    expect(await read(realm, id)).toEqual(before);
  });
});

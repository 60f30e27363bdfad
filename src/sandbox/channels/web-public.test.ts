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

  test.each([
    ["guest", true],
    ["member", true],
  ])("a %s reads it without being subscribed: %s", async (as, sees) => {
    const realm = testRealm(442, ALLOWED);
    const id = await made(realm, "owner", { is_web_public: true });
    const { body } = await realm.call(as, "GET", "/streams", { include_web_public: true, include_public: false });
    const ids = (isList(body.streams) ? body.streams : []).map((each) => (isObject(each) ? each.stream_id : null));
    expect(ids.includes(id)).toBe(sees);
    expect((await realm.call(as, "GET", "/get_stream_id", { stream: "x" })).body.stream_id).toBe(id);
  });
});

describe("§3.8 to and from web-public", () => {
  const STATES = {
    web: { is_private: false, is_web_public: true, history_public_to_subscribers: true },
    public: { is_private: false, is_web_public: false, history_public_to_subscribers: true },
    shared: { is_private: true, is_web_public: false, history_public_to_subscribers: true },
    protected: { is_private: true, is_web_public: false, history_public_to_subscribers: false },
  };
  const names = ["web", "public", "shared", "protected"] as const;
  test.each(names.flatMap((from) => names.map((to) => [from, to] as const)))("%s → %s", async (from, to) => {
    const realm = testRealm(442, ALLOWED);
    const id = await made(realm, "owner");
    expect(await patch(realm, "owner", id, STATES[from])).toBe("");
    expect(await patch(realm, "owner", id, STATES[to])).toBe("");
    const { is_private, ...rest } = STATES[to];
    expect(await read(realm, id)).toMatchObject({ invite_only: is_private, ...rest });
  });

  test.each<[from: keyof typeof STATES, sent: JsonObject, msg: string]>([
    ["web", { is_private: true }, "Invalid parameters"],
    ["web", { is_private: true, is_web_public: false }, ""],
    ["web", { history_public_to_subscribers: false }, "Invalid parameters"],
    ["web", { is_private: false }, ""],
    ["public", { is_web_public: true }, ""],
    ["shared", { is_web_public: true }, "Invalid parameters"],
    ["shared", { is_private: false, is_web_public: true }, ""],
    ["protected", { is_web_public: true }, "Invalid parameters"],
    ["protected", { is_private: false, is_web_public: true }, ""],
    ["protected", { is_private: false, history_public_to_subscribers: false }, "Invalid parameters"],
  ])("%s, PATCH %j → %j", async (from, sent, msg) => {
    const realm = testRealm(442, ALLOWED);
    const id = await made(realm, "owner");
    await patch(realm, "owner", id, STATES[from]);
    const before = await read(realm, id);
    expect(await patch(realm, "owner", id, sent)).toBe(msg);
    if (msg !== "") expect(await read(realm, id)).toEqual(before);
    else expect(await read(realm, id)).not.toMatchObject({ invite_only: true, is_web_public: true });
  });

  test("a private channel can be web-public, with protected history, without subscribers (§3.3, quirk 5)", async () => {
    const realm = testRealm(442, ALLOWED);
    const params = { name: "x", subscribers: [], invite_only: true, is_web_public: true };
    const { body } = await realm.call("owner", "POST", "/channels/create", params);
    expect(body.msg).toBe("");
    const { streams } = (await realm.call("owner", "GET", "/streams", { include_all: true })).body;
    const odd = { invite_only: true, is_web_public: true, history_public_to_subscribers: false };
    expect(streams).toContainEqual(expect.objectContaining({ name: "x", ...odd }));
  });

  test.each<[sent: JsonObject, history: boolean]>([
    [{}, true],
    [{ history_public_to_subscribers: false }, true],
    [{ invite_only: true }, false],
    [{ invite_only: true, history_public_to_subscribers: true }, true],
  ])("a new channel with %j has public history: %s", async (sent, history) => {
    const realm = testRealm();
    expect(await read(realm, await made(realm, "owner", sent))).toMatchObject({
      history_public_to_subscribers: history,
    });
  });

  test.each<[fact: string, sent: JsonObject, refused: boolean]>([
    ["no topic settings: not checked", {}, false],
    ["everyone may start them", { can_create_topic_group: "role:everyone" }, false],
    ["members may start them", { can_create_topic_group: "role:members" }, true],
  ])("creation with protected history, %s", async (_fact, sent, refused) => {
    const realm = testRealm();
    const group = sent.can_create_topic_group;
    const setting = typeof group === "string" ? { can_create_topic_group: realm.group(group) } : {};
    const { status, body } = await create(realm, "owner", { invite_only: true, ...setting });
    const parameters = "history_public_to_subscribers, can_create_topic_group";
    expect([status, body.parameters, body.code]).toEqual(
      refused ? [400, parameters, "BAD_REQUEST"] : [200, undefined, undefined],
    );
  });

  test.each([
    ["can_create_private_channel_group", "public", "shared"],
    ["can_create_public_channel_group", "shared", "public"],
  ] as const)("%s rules the way from %s to %s", async (setting, from, to) => {
    const realm = testRealm();
    const id = await made(realm, "owner");
    await patch(realm, "owner", id, STATES[from]);
    await realm.call("owner", "PATCH", "/realm", { [setting]: { new: realm.group("role:nobody") } });
    expect(await patch(realm, "owner", id, STATES[to])).toBe(REFUSED);
    // History alone is not a conversion.
    expect(await patch(realm, "owner", id, { history_public_to_subscribers: true })).toBe("");
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
    expect((await create(realm, "owner", { ...both, subscribers: [] })).status).toBe(200);
    expect(await names(realm)).toContain("x");
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

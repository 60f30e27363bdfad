import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** zulip-api.md §2.1 to §2.6: one row per fact that from.test.ts and sandbox.test.ts do not cover. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
const ALWAYS = [
  "last_event_id",
  "msg",
  "queue_id",
  "result",
  "zulip_feature_level",
  "zulip_merge_base",
  "zulip_version",
];
const register = async (as: string, params: JsonObject = {}) =>
  (await realm.call(as, "POST", "/register", params)).body;
const fetched = async (as: string, type: string, params: JsonObject = {}) =>
  register(as, { fetch_event_types: [type], ...params });
const able = (...names: string[]): JsonObject => ({
  client_capabilities: Object.fromEntries(["notification_settings_null", ...names].map((name) => [name, true])),
});
const rows = (list: unknown): readonly JsonObject[] =>
  isList(list) ? list.filter((each): each is JsonObject => isObject(each)) : [];

describe("§2.1 what a client can ask for", () => {
  test("nothing: the version and a queue", async () => {
    expect(Object.keys(await register("owner", { fetch_event_types: [] })).sort()).toEqual(ALWAYS);
  });
  test.each<[params: JsonObject, keys: readonly string[]]>([
    [{ fetch_event_types: ["realm_domains"] }, ["realm_domains"]],
    [{ fetch_event_types: ["realm_domains", "drafts"] }, ["drafts", "realm_domains"]],
    [{ event_types: ["realm_domains"] }, ["realm_domains"]],
    [{ event_types: ["stream"], fetch_event_types: ["realm_domains"] }, ["realm_domains"]],
    [{ fetch_event_types: ["nothing_of_the_kind"] }, []],
    [{ event_types: ["navigation_view"] }, []],
    [{ fetch_event_types: ["navigation_views"] }, ["navigation_views"]],
    [{ event_types: ["user_group"] }, []],
    [{ event_types: ["realm_user_groups"] }, ["realm_user_groups"]],
    [{ event_types: ["channel_folder"] }, []],
    [{ fetch_event_types: ["message"] }, ["max_message_id"]],
    [{ fetch_event_types: ["update_message_flags"] }, []],
    [{ fetch_event_types: ["message", "update_message_flags"] }, ["max_message_id", "unread_msgs"]],
    [{ fetch_event_types: ["muted_topics"] }, ["muted_topics"]],
    [{ fetch_event_types: ["muted_topics", "user_topic"] }, ["user_topics"]],
  ])("%j brings %j", async (params, keys) => {
    expect(
      Object.keys(await register("owner", params))
        .filter((key) => !ALWAYS.includes(key))
        .sort(),
    ).toEqual(keys);
  });
  test.each<[params: JsonObject, types: readonly string[]]>([
    [{}, ["channel_folder", "stream"]],
    [{ fetch_event_types: [] }, ["channel_folder", "stream"]],
    [{ event_types: ["stream"] }, ["stream"]],
    [{ event_types: ["stream"], fetch_event_types: ["channel_folders"] }, ["stream"]],
    [{ event_types: [], fetch_event_types: [] }, []],
  ])("%j: the queue gets %j", async (params, types) => {
    const { queue_id, last_event_id } = await register("owner", params);
    expect(last_event_id).toBe(-1);
    await realm.call("owner", "POST", "/channel_folders/create", { name: "F", description: "" });
    await realm.call("owner", "PATCH", "/streams/3", { topics_policy: "allow_empty_topic" });
    const { events } = (await realm.call("owner", "GET", "/events", { queue_id, last_event_id: -1, dont_block: true }))
      .body;
    const received = rows(events).map(({ type }) => String(type));
    expect([...new Set(received)].filter((type) => type !== "message").sort()).toEqual(types);
  });
  test.each<[params: JsonObject, msg: string]>([
    [{ client_capabilities: {} }, 'client_capabilities["notification_settings_null"] field is missing: Field required'],
    [{ client_capabilities: { notification_settings_null: true } }, ""],
    [{ client_capabilities: { notification_settings_null: true, flying: true } }, ""],
    [
      { client_capabilities: { notification_settings_null: "yes" } },
      'client_capabilities["notification_settings_null"] is not a boolean',
    ],
    [{ include_subscribers: "true" }, ""],
    [{ include_subscribers: "partial" }, ""],
    [{ client_gravatar: null }, ""],
    [{ include_subscribers: "some" }, "Invalid include_subscribers"],
    [{ fetch_event_types: [1] }, "fetch_event_types[0] is not a string"],
    [{ fetch_event_types: [1], event_types: [2] }, "event_types[0] is not a string"],
    [{ slim_presence: 1, narrow: {} }, "narrow is not a list"],
    [{ narrow: [["channel", "general"]], all_public_streams: true }, ""],
    [{ narrow: [["near", "1"]] }, "Operator near not supported."],
    [{ narrow: [["is", "followed"]] }, "Operand followed not supported."],
    [{ narrow: [["is", "starred"]] }, ""],
  ])("%j: %j", async (params, msg) => {
    expect((await register("owner", params)).msg).toBe(msg);
  });
  test("guests cannot ask for all public channels", async () => {
    expect((await register("guest", { all_public_streams: true })).msg).toBe("User not authorized for this query");
    expect((await register("guest", { all_public_streams: false })).msg).toBe("");
  });
});

describe("§2.2 who gets what", () => {
  test("linkifiers in their order, for clients that know them", async () => {
    for (const pattern of ["a", "b"])
      await realm.call("owner", "POST", "/realm/filters", { pattern, url_template: "x" });
    await realm.call("owner", "PATCH", "/realm/linkifiers", { ordered_linkifier_ids: [2, 1] });
    const { realm_linkifiers } = await fetched("guest", "realm_linkifiers", able("linkifier_url_template"));
    expect(rows(realm_linkifiers).map(({ id }) => id)).toEqual([2, 1]);
  });
  test.each<[as: string, capability: string | undefined, names: readonly string[]]>([
    ["admin", undefined, ["Zulip", "general", "secret"]],
    ["admin", "archived_channels", ["Zulip", "general", "sandbox", "secret"]],
    ["member", "archived_channels", ["Zulip", "general", "sandbox"]],
    ["owner", "archived_channels", ["Zulip", "general", "sandbox", "secret"]],
  ])("channels, for the %s with %s: %j", async (as, capability, names) => {
    await realm.call("member2", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      invite_only: true,
    });
    await realm.call("owner", "DELETE", "/streams/2");
    const { streams } = await fetched(as, "stream", capability === undefined ? able() : able(capability));
    expect(rows(streams).map(({ name }) => name)).toEqual(names);
    expect(rows(streams).some((channel) => "is_default" in channel)).toBe(false);
  });
  test("folders, always including archived ones", async () => {
    await realm.call("owner", "POST", "/channel_folders/create", { name: "F", description: "" });
    await realm.call("owner", "PATCH", "/channel_folders/1", { is_archived: true });
    expect(rows((await fetched("guest", "channel_folders")).channel_folders)).toMatchObject([
      { name: "F", is_archived: true },
    ]);
  });
  test("pictures from Gravatar are left to the client, unless it cannot compute them", async () => {
    const picture = async (params: JsonObject) => {
      const { realm_users, avatar_url_medium } = await fetched("owner", "realm_user", params);
      // Everybody may see the address of a bot.
      const member = rows(realm_users).find(({ user_id }) => user_id === realm.id("bot"));
      return [member?.avatar_url ?? null, avatar_url_medium];
    };
    const medium = expect.stringMatching(/\?d=identicon&s=500&version=1$/);
    expect(await picture({})).toEqual([null, medium]);
    expect(await picture({ client_gravatar: false })).toEqual([expect.stringMatching(/\?d=identicon&v/), medium]);
  });
  test("muted topics by channel name, for clients that do not know other visibility policies", async () => {
    for (const [topic, visibility_policy] of [
      ["quiet", 1],
      ["loud", 3],
    ])
      await realm.call("member", "POST", "/user_topics", { stream_id: 3, topic, visibility_policy });
    const muted = async () => (await fetched("member", "muted_topics")).muted_topics;
    expect(await muted()).toEqual([["general", "quiet", realm.now()]]);
    await realm.call("owner", "DELETE", "/streams/3");
    expect(await muted()).toEqual([]);
  });
  test("the server's time, in seconds", async () => {
    expect((await fetched("member", "presence")).server_timestamp).toBe(realm.now());
  });
  test.each<[as: string, bots: readonly string[]]>([
    ["owner", ["bot", "memberbot", "webhookbot"]],
    ["member", ["memberbot"]],
    ["member2", []],
  ])("bots that the %s may administer, each with its key until 474", async (as, bots) => {
    const { realm_bots } = await fetched(as, "realm_bot");
    const mine = rows(realm_bots).filter(({ user_id }) => bots.some((bot) => realm.id(bot) === user_id));
    expect([rows(realm_bots).length, mine.length]).toEqual([bots.length, bots.length]);
    expect(rows(realm_bots).every(({ api_key }) => typeof api_key === "string" && api_key.length === 32)).toBe(true);
    realm = testRealm(474);
    const gone = ["api_key", "avatar_url", "bot_type", "email", "full_name", "is_active", "owner_id"];
    for (const bot of rows((await fetched(as, "realm_bot")).realm_bots))
      expect(gone.filter((key) => key in bot)).toEqual([]);
  });
  // The members of the group, without further checks: a guest whom a setting names has the right in this list, and is refused all the same.
  test.each<[as: string, setting: string, keys: readonly string[]]>([
    ["guest", "can_create_public_channel_group", ["can_create_public_streams", "can_create_streams"]],
    ["guest", "can_create_private_channel_group", ["can_create_private_streams", "can_create_streams"]],
    ["guest", "can_invite_users_group", ["can_invite_others_to_realm"]],
    ["owner", "can_create_web_public_channel_group", ["can_create_web_public_streams", "can_create_streams"]],
  ])("%s in %s alone: %j", async (as, setting, keys) => {
    const GROUPS = [
      "can_create_public_channel_group",
      "can_create_private_channel_group",
      "can_create_web_public_channel_group",
      "can_invite_users_group",
    ];
    const alone =
      as === "owner" ? realm.group("role:owners") : { direct_members: [realm.id(as)], direct_subgroups: [] };
    const sent = GROUPS.map((each) => [each, { new: each === setting ? alone : realm.group("role:nobody") }] as const);
    expect((await realm.call("owner", "PATCH", "/realm", Object.fromEntries(sent))).status).toBe(200);
    const body = await fetched(as, "realm_user");
    expect(
      Object.keys(body)
        .filter((key) => key.startsWith("can_") && body[key] === true)
        .sort(),
    ).toEqual([...keys].sort());
  });
  test("subscriptions in three lists, with subscribers only on request", async () => {
    await realm.call("owner", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "other" }] });
    await realm.call("owner", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      invite_only: true,
    });
    await realm.call("member", "DELETE", "/users/me/subscriptions", { subscriptions: ["sandbox"] });
    const lists = async (params: JsonObject) => {
      const body = await fetched("member", "subscription", params);
      return ["subscriptions", "unsubscribed", "never_subscribed"].map((key) => rows(body[key]));
    };
    const plain = await lists({});
    expect(plain.map((list) => list.map(({ name }) => name))).toEqual([["Zulip", "general"], ["sandbox"], ["other"]]);
    expect(plain.flat().some((channel) => "subscribers" in channel)).toBe(false);
    const full = await lists({ include_subscribers: "true" });
    expect(full.flat().every(({ subscribers }) => isList(subscribers))).toBe(true);
    expect(full[2]?.[0]?.subscribers).toEqual([realm.id("owner")]);
  });
  test.each<[capability: string | undefined, names: readonly (readonly string[])[]]>([
    [undefined, [["Zulip"], [], []]],
    ["archived_channels", [["Zulip", "general"], ["sandbox"], ["other"]]],
  ])("archived channels are in the same lists, for clients with %s: %j", async (capability, names) => {
    await realm.call("owner", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "other" }] });
    await realm.call("member", "DELETE", "/users/me/subscriptions", { subscriptions: ["sandbox"] });
    for (const stream of ["general", "sandbox", "other"]) {
      const { stream_id } = (await realm.call("owner", "GET", "/get_stream_id", { stream })).body;
      await realm.call("owner", "DELETE", `/streams/${stream_id}`);
    }
    const body = await fetched("member", "subscription", capability === undefined ? able() : able(capability));
    const lists = ["subscriptions", "unsubscribed", "never_subscribed"].map((key) => rows(body[key]));
    expect(lists.map((list) => list.map(({ name }) => name))).toEqual(names);
  });
  test("views and settings are the caller's own", async () => {
    await realm.call("member", "POST", "/navigation_views", { fragment: "inbox", is_pinned: true });
    await realm.call("member", "PATCH", "/settings", { enter_sends: true });
    expect([
      (await fetched("member", "navigation_views")).navigation_views,
      (await fetched("owner", "navigation_views")).navigation_views,
    ]).toEqual([[{ fragment: "inbox", is_pinned: true, name: null }], []]);
    const enterSends = async (as: string) => Object((await fetched(as, "user_settings")).user_settings).enter_sends;
    expect([await enterSends("member"), await enterSends("owner")]).toEqual([true, false]);
  });
  test("no fetch type includes invitations", async () => {
    await realm.call("owner", "POST", "/invites", { invitee_emails: "somebody@new.example", stream_ids: [] });
    expect(JSON.stringify(await register("owner"))).not.toContain("somebody@new.example");
  });
});

describe("§2.6 queues", () => {
  const poll = async (as: string, params: JsonObject) =>
    (await realm.call(as, "GET", "/events", { dont_block: true, ...params })).body;
  test("events are numbered from 0 and stay until they are acknowledged", async () => {
    const { queue_id = "" } = await register("owner", { event_types: ["stream"], fetch_event_types: [] });
    for (const folder_id of [null, null]) await realm.call("owner", "PATCH", "/streams/3", { folder_id });
    const ids = async (last_event_id: number) =>
      rows((await poll("owner", { queue_id, last_event_id })).events).map(({ id }) => id);
    expect([await ids(-1), await ids(-1), await ids(0), await ids(1)]).toEqual([[0, 1], [0, 1], [1], []]);
    expect((await poll("owner", { queue_id, last_event_id: 0 })).msg).toBe(
      "An event newer than 0 has already been pruned!",
    );
  });
  test("a request without a queue creates one, and returns its id", async () => {
    const body = await poll("owner", { last_event_id: -1 });
    expect(body).toMatchObject({ events: [], queue_id: expect.any(String) });
    expect(await poll("owner", { queue_id: body.queue_id ?? "", last_event_id: -1 })).toMatchObject({
      result: "success",
    });
  });
  test.each<[params: JsonObject, msg: string]>([
    [{ queue_id: "q" }, "Missing 'last_event_id' argument"],
    [{ queue_id: "q", last_event_id: "x" }, "last_event_id is not valid JSON"],
    [{ queue_id: "q", last_event_id: -1 }, "Bad event queue ID: q"],
  ])("%j: %s", async (params, msg) => {
    expect((await poll("owner", params)).msg).toBe(msg);
  });
  test("a queue that was deleted, or belongs to somebody else, is a bad queue", async () => {
    const { queue_id } = await register("owner", { fetch_event_types: [] });
    const refusal = { code: "BAD_EVENT_QUEUE_ID", queue_id, msg: `Bad event queue ID: ${String(queue_id)}` };
    const remove = async (as: string) => realm.call(as, "DELETE", "/events", { queue_id });
    expect(await remove("admin")).toMatchObject({ status: 400, body: refusal });
    expect(await remove("owner")).toMatchObject({ status: 200 });
    expect(await remove("owner")).toMatchObject({ status: 400, body: refusal });
    expect(await poll("owner", { queue_id: queue_id ?? "", last_event_id: -1 })).toMatchObject(refusal);
  });
  test.each<[params: JsonObject, afterSeconds: number, alive: boolean]>([
    [{}, 600, true],
    [{}, 601, false],
    [{ queue_lifespan_secs: 60 }, 61, false],
    [{ idle_queue_timeout: 60 }, 61, false],
    [{ idle_queue_timeout: 3600 }, 3500, true],
  ])("a queue registered with %j lives for %i idle seconds: %s", async (params, afterSeconds, alive) => {
    realm = testRealm(481);
    const body = await register("owner", { fetch_event_types: [], ...params });
    const seconds = Number(params.idle_queue_timeout ?? params.queue_lifespan_secs ?? 600);
    expect(body.idle_queue_timeout_secs).toBe(seconds);
    realm.advance(afterSeconds * 1000);
    const reply = await poll("owner", { queue_id: body.queue_id ?? "", last_event_id: -1 });
    expect(reply.result).toBe(alive ? "success" : "error");
  });
  test("polling keeps it alive", async () => {
    const { queue_id } = await register("owner", { fetch_event_types: [] });
    for (let n = 0; n < 3; n += 1) {
      realm.advance(500_000);
      expect((await poll("owner", { queue_id: queue_id ?? "", last_event_id: -1 })).result).toBe("success");
    }
  });
});

/** §12.1: older numbers of four settings; a group that has none, and every object, counts as the largest that the setting could name. */
test.each<[setting: string, policy: string, numbers: { readonly [group: string]: number }]>([
  [
    "can_mention_many_users_group",
    "wildcard_mention_policy",
    { everyone: 1, members: 2, fullmembers: 3, moderators: 7, administrators: 5, owners: 1, nobody: 6 },
  ],
  [
    "can_create_public_channel_group",
    "create_public_stream_policy",
    { members: 1, fullmembers: 3, moderators: 4, administrators: 2, owners: 1, nobody: 1 },
  ],
  [
    "can_create_private_channel_group",
    "create_private_stream_policy",
    { members: 1, fullmembers: 3, moderators: 4, administrators: 2, owners: 1, nobody: 1 },
  ],
  [
    "can_create_web_public_channel_group",
    "create_web_public_stream_policy",
    { moderators: 4, administrators: 2, owners: 7, nobody: 6 },
  ],
])("%s is also %s", async (setting, policy, numbers) => {
  const found: { [group: string]: unknown } = {};
  for (const group of Object.keys(numbers)) {
    await realm.call("owner", "PATCH", "/realm", { [setting]: { new: realm.group(`role:${group}`) } });
    found[group] = (await fetched("owner", "realm"))[`realm_${policy}`];
  }
  expect(found).toEqual(numbers);
});

test("capabilities that are not an object are refused as such", async () => {
  const { body } = await testRealm().call("owner", "POST", "/register", { client_capabilities: [] });
  expect(body.msg).toBe("client_capabilities is not a dict");
});

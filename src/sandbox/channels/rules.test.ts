import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** One row per fact of zulip-api.md §3. */
let realm: TestRealm;
let everyone: number;
let members: number;
let nobody: number;
let internet: number;
beforeEach(() => {
  realm = testRealm();
  everyone = realm.group("role:everyone");
  members = realm.group("role:members");
  nobody = realm.group("role:nobody");
  internet = realm.group("role:internet");
});

async function create(as: string, name: string, params: JsonObject = {}): Promise<number> {
  const { body } = await realm.call(as, "POST", "/channels/create", { name, subscribers: [realm.id(as)], ...params });
  expect(body.msg).toBe("");
  return Number(body.id);
}
async function read(id: number): Promise<JsonObject> {
  const { body } = await realm.call("owner", "GET", "/streams", { include_all: true, exclude_archived: false });
  const streams = Array.isArray(body.streams) ? body.streams : [];
  const found: unknown = streams.find((stream) => stream.stream_id === id);
  if (typeof found !== "object" || found === null) throw new Error(`no channel ${id}`);
  return { ...found };
}
const patch = (as: string, id: number, params: object) => realm.call(as, "PATCH", `/streams/${id}`, { ...params });

describe("§3.5.1 {new, old}", () => {
  test.each([
    [
      "the empty object is role:nobody",
      { new: "members", old: { direct_members: [], direct_subgroups: [] } },
      "'old' value does not match the expected value.",
    ],
  ])("%s", async (_, change, msg) => {
    const ids: { [name: string]: number } = { members, everyone, nobody };
    const filled = JSON.parse(JSON.stringify(change), (__, value) => (typeof value === "string" ? ids[value] : value));
    const { body } = await patch("owner", realm.channel("general"), { can_send_message_group: filled });
    expect(body.msg).toBe(msg);
    if (msg !== "") expect(body).toMatchObject({ code: "EXPECTATION_MISMATCH", field_name: "old" });
  });
});

describe("§3.5.2 each step commits separately, in this order", () => {
  test("a taken name is reported after policy, privacy, retention and description were written", async () => {
    const id = await create("owner", "x");
    const { status, body } = await patch("owner", id, {
      can_send_message_group: { new: members },
      new_name: "General",
      description: "written",
      message_retention_days: 7,
      is_private: true,
      topics_policy: "disable_empty_topic",
    });
    expect([status, body.code]).toEqual([409, "CHANNEL_ALREADY_EXISTS"]);
    expect(await read(id)).toMatchObject({
      name: "x",
      description: "written",
      message_retention_days: 7,
      invite_only: true,
      topics_policy: "disable_empty_topic",
      can_send_message_group: everyone,
    });
  });
  test("malformed parameters are reported before anything is written", async () => {
    const id = await create("owner", "x");
    await patch("owner", id, { description: "lost", is_private: "maybe" });
    expect((await read(id)).description).toBe("");
  });
  test("group settings are written one by one: the first stays when the second is refused", async () => {
    const id = await create("owner", "x");
    const { body } = await patch("owner", id, {
      can_subscribe_group: { new: everyone },
      can_move_messages_out_of_channel_group: { new: members },
    });
    expect(body.msg).toBe("'can_subscribe_group' setting cannot be set to 'role:everyone' group.");
    expect((await read(id)).can_move_messages_out_of_channel_group).toBe(members);
  });
  test("a caller who gives up the right to administer the channel can finish this call, but the next one fails", async () => {
    const id = await create("member", "x");
    const gift = { can_administer_channel_group: { new: nobody }, can_resolve_topics_group: { new: members } };
    expect((await patch("member", id, gift)).body.msg).toBe("");
    expect((await patch("member", id, { description: "d" })).body.msg).toBe(
      "You do not have permission to administer this channel.",
    );
  });
});

describe("§3.5.3 what PATCH refuses", () => {
  test.each([
    ["guest", { description: "x" }, "You do not have permission to administer this channel."],
    ["member", { description: "x" }, "You do not have permission to administer this channel."],
    ["owner", { message_retention_days: '"never"' }, "Bad value for 'message_retention_days': never"],
    ["owner", { message_retention_days: "unlimited" }, 'message_retention_days["json[str]"] is not valid JSON'],
    ["owner", { new_name: "general" }, "Channel already has that name."],
    ["owner", { new_name: " " }, "Channel name can't be empty."],
    ["owner", { new_name: "a\u0007" }, "Invalid character in channel name, at position 2."],
    ["owner", { description: "z".repeat(1025) }, "description is too long (limit: 1024 characters)"],
    ["owner", { topics_policy: '"inherit"' }, "Invalid topics_policy"],
    ["owner", { can_send_message_group: {} }, 'can_send_message_group["new"] field is missing: Field required'],
    ["owner", { can_send_message_group: { new: "x" } }, 'can_send_message_group["new"]["int"] is not an integer'],
  ])("%s %j → %s", async (as, params, msg) => {
    expect((await patch(as, realm.channel("general"), params)).body.msg).toBe(msg);
  });
  test("a caller who may not read a channel does not learn that it exists", async () => {
    const id = await create("member", "secret", { invite_only: true });
    for (const as of ["member2", "guest", "moderator"])
      expect((await patch(as, id, { description: "x" })).body.msg).toBe("Invalid channel ID");
  });
  test.each([
    [{ is_private: false }, "Channel content access is required."],
    [{ can_add_subscribers_group: { new: "members" } }, "Channel content access is required."],
    [{ can_subscribe_group: { new: "members" } }, "Channel content access is required."],
    [{ can_send_message_group: { new: "members" } }, ""],
    [{ history_public_to_subscribers: true }, ""],
    [{ new_name: "known" }, ""],
  ])("an owner outside a private channel: %j → %s", async (params, msg) => {
    const id = await create("member", "secret", { invite_only: true });
    const filled = JSON.parse(JSON.stringify(params), (_, value) => (value === "members" ? members : value));
    expect((await patch("owner", id, filled)).body.msg).toBe(msg);
  });
});

describe("§3.7 group values", () => {
  const NEVER_EVERYONE = ["can_add_subscribers_group", "can_administer_channel_group", "can_subscribe_group"];
  const MAYBE_EVERYONE = [
    "can_create_topic_group",
    "can_delete_any_message_group",
    "can_delete_own_message_group",
    "can_move_messages_out_of_channel_group",
    "can_move_messages_within_channel_group",
    "can_remove_subscribers_group",
    "can_resolve_topics_group",
    "can_send_message_group",
  ];
  test.each([...NEVER_EVERYONE, ...MAYBE_EVERYONE])("%s: everyone, nobody and the internet", async (setting) => {
    const id = await create("owner", "x");
    const answer = async (value: unknown) => (await patch("owner", id, { [setting]: { new: value } })).body.msg;
    const refusal = (group: string): string => `'${setting}' setting cannot be set to '${group}' group.`;
    expect(await answer(internet)).toBe(refusal("role:internet"));
    expect(await answer(nobody)).toBe("");
    expect(await answer(everyone)).toBe(NEVER_EVERYONE.includes(setting) ? refusal("role:everyone") : "");
    // The restrictions do not apply inside an object.
    expect(await answer({ direct_members: [realm.id("member")], direct_subgroups: [everyone] })).toBe("");
  });
  test.each([
    [
      "an object that is an unknown group alone",
      { direct_members: [], direct_subgroups: [4242] },
      "Invalid user group",
    ],
    [
      "an unknown group twice, which is a real object",
      { direct_members: [], direct_subgroups: [4242, 4242] },
      "Invalid user group ID: 4242",
    ],
  ])("%s", async (_, value, msg) => {
    const { body } = await patch("owner", realm.channel("general"), { can_send_message_group: { new: value } });
    expect(body.msg).toBe(msg);
  });
  test.each([
    ["an empty object", () => ({ direct_members: [], direct_subgroups: [] }), () => nobody],
    ["one group", () => ({ direct_members: [], direct_subgroups: [members] }), () => members],
    [
      "ids twice and unsorted",
      () => ({ direct_members: [12, 9, 12], direct_subgroups: [] }),
      () => ({ direct_members: [9, 12], direct_subgroups: [] }),
    ],
    [
      "one group twice, which does not become a single group,",
      () => ({ direct_members: [], direct_subgroups: [members, members] }),
      () => ({ direct_members: [], direct_subgroups: [members] }),
    ],
  ])("%s is read back in normal form", async (_, sent, shown) => {
    const id = await create("owner", "x");
    await patch("owner", id, { can_send_message_group: { new: sent() } });
    expect((await read(id)).can_send_message_group).toEqual(shown());
  });
});

describe("§3.8 privacy", () => {
  const STATES = {
    public: { is_private: false, history_public_to_subscribers: true, is_web_public: false },
    shared: { is_private: true, history_public_to_subscribers: true, is_web_public: false },
    protected: { is_private: true, history_public_to_subscribers: false, is_web_public: false },
  };
  const names = ["public", "shared", "protected"] as const;
  test.each(names.flatMap((from) => names.map((to) => [from, to] as const)))("%s → %s", async (from, to) => {
    const id = await create("owner", "x");
    await patch("owner", id, STATES[from]);
    expect((await patch("owner", id, STATES[to])).body.msg).toBe("");
    const { is_private, ...rest } = STATES[to];
    expect(await read(id)).toMatchObject({ invite_only: is_private, ...rest });
  });
  test("is_private alone protects the history, also when it is sent again", async () => {
    const id = await create("owner", "x");
    await patch("owner", id, STATES.shared);
    await patch("owner", id, { is_private: true });
    expect((await read(id)).history_public_to_subscribers).toBe(false);
  });
  test("protected history and restricted topics exclude each other", async () => {
    const id = await create("owner", "x");
    await patch("owner", id, { can_create_topic_group: { new: members } });
    const refused = await patch("owner", id, STATES.protected);
    expect(refused.body).toMatchObject({ parameters: "history_public_to_subscribers, can_create_topic_group" });
    expect(
      (await patch("owner", id, { ...STATES.protected, can_create_topic_group: { new: everyone } })).body.msg,
    ).toBe("");
  });
  test("the rights to create channels apply to conversions too, even for owners", async () => {
    const id = await create("owner", "x");
    await realm.call("owner", "PATCH", "/realm", { can_create_private_channel_group: { new: nobody } });
    expect((await patch("owner", id, STATES.shared)).body.msg).toBe("Insufficient permission");
  });
  test.each([
    [384, ""],
    [442, "Insufficient permission"],
  ])("at level %i, saying again that a public channel is public: %s", async (level, msg) => {
    const older = testRealm(level);
    const id = older.channel("general");
    await older.call("owner", "PATCH", "/realm", {
      can_create_public_channel_group: { new: older.group("role:nobody") },
    });
    expect((await older.call("owner", "PATCH", `/streams/${id}`, { is_private: false })).body.msg).toBe(msg);
    expect((await older.call("owner", "PATCH", `/streams/${id}`, { is_web_public: false })).body.msg).toBe("");
  });
});

describe("§3.10 names", () => {
  test.each([
    ["GENERAL", 409],
    ["straße", 200],
    ["STRASSE", 200],
    ["😀".repeat(60), 200],
    ["😀".repeat(61), 400],
    ["a\u200bb", 200],
    ["a\u0378b", 200],
    ["a\ufffeb", 400],
    ["a\u0085b", 400],
    ["role:x", 200],
    ["\u3000general\u3000", 409],
  ])("%s → %i", async (name, status) => {
    expect((await realm.call("owner", "POST", "/channels/create", { name, subscribers: [] })).status).toBe(status);
  });
  test("names differ if comparing them would map one character to two", async () => {
    await create("owner", "straße");
    expect((await realm.call("owner", "POST", "/channels/create", { name: "STRASSE", subscribers: [] })).status).toBe(
      200,
    );
    expect((await realm.call("owner", "POST", "/channels/create", { name: "STRAßE", subscribers: [] })).status).toBe(
      409,
    );
  });
  test("an archived channel keeps its name until it is renamed", async () => {
    const id = await create("owner", "old");
    await realm.call("owner", "DELETE", `/streams/${id}`);
    expect((await realm.call("owner", "POST", "/channels/create", { name: "Old", subscribers: [] })).status).toBe(409);
    await patch("owner", id, { new_name: "older" });
    expect((await realm.call("owner", "POST", "/channels/create", { name: "Old", subscribers: [] })).status).toBe(200);
  });
  test("below 417 a name conflict has another text and no separate code", async () => {
    realm = testRealm(384);
    const { status, body } = await patch("owner", realm.channel("general"), { new_name: "sandbox" });
    expect([status, body.msg, body.code]).toEqual([400, "Channel name is already in use.", "BAD_REQUEST"]);
  });
});

describe("§3.12 archiving", () => {
  test("removes the default flag and the realm's references, keeps the rest", async () => {
    const id = await create("owner", "x", { is_default_stream: true, description: "kept" });
    await realm.call("owner", "PATCH", "/realm", { signup_announcements_stream_id: id });
    expect((await realm.call("admin", "DELETE", `/streams/${id}`)).body.msg).toBe("");
    expect((await realm.call("admin", "DELETE", `/streams/${id}`)).body.msg).toBe("Channel is already deactivated");
    expect(await read(id)).toMatchObject({ is_archived: true, description: "kept", subscriber_count: 1 });
    const { body } = await realm.call("owner", "POST", "/register", {
      fetch_event_types: ["realm", "default_streams"],
    });
    expect(body.realm_signup_announcements_stream_id).toBe(-1);
    await patch("owner", id, { is_archived: false });
    expect(body.realm_default_streams).not.toContain(id);
  });
  test("a private channel without subscribers cannot be unarchived", async () => {
    const { body } = await realm.call("owner", "POST", "/channels/create", {
      name: "x",
      subscribers: [],
      invite_only: true,
    });
    await realm.call("owner", "DELETE", `/streams/${body.id}`);
    expect((await patch("owner", Number(body.id), { is_archived: false })).body.msg).toBe(
      "Channel is private and have no subscribers",
    );
  });
  test.each(["description", "new_name"])("%s of an archived channel can be changed", async (property) => {
    const id = await create("owner", "x");
    await realm.call("owner", "DELETE", `/streams/${id}`);
    expect((await patch("owner", id, { [property]: "changed" })).body.msg).toBe("");
  });
});

describe("§3.13 topics_policy", () => {
  const GENERAL_CHAT_ONLY =
    "To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.";
  test("the server's own notices count as a named topic", async () => {
    await realm.call("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    const id = await create("owner", "x");
    expect((await patch("owner", id, { topics_policy: "empty_topic_only" })).body.msg).toBe(GENERAL_CHAT_ONLY);
    const quiet = await realm.call("owner", "POST", "/channels/create", { name: "y", subscribers: [] });
    expect((await patch("owner", Number(quiet.body.id), { topics_policy: "empty_topic_only" })).body.msg).toBe("");
  });
  test("at creation it is a JSON string, in PATCH raw text", async () => {
    const raw = await realm.call("owner", "POST", "/channels/create", {
      name: "x",
      subscribers: [],
      topics_policy: "inherit",
    });
    expect(raw.body.msg).toBe("topics_policy is not valid JSON");
    await create("owner", "x", { topics_policy: '"allow_empty_topic"' });
  });
  test("values other than inherit require the realm's right", async () => {
    const id = await create("member", "x");
    await realm.call("owner", "PATCH", "/realm", { can_set_topics_policy_group: { new: nobody } });
    expect((await patch("member", id, { topics_policy: "disable_empty_topic" })).body.msg).toBe(
      "Insufficient permission",
    );
    expect((await patch("member", id, { topics_policy: "inherit" })).body.msg).toBe("");
    expect((await patch("admin", id, { topics_policy: "disable_empty_topic" })).body.msg).toBe("");
  });
});

describe("§3.3 and §3.4 creation", () => {
  test("the caller is subscribed only if listed, but administers the channel in any case", async () => {
    const { body } = await realm.call("member", "POST", "/channels/create", { name: "x", subscribers: [] });
    expect(await read(Number(body.id))).toMatchObject({
      subscriber_count: 0,
      can_administer_channel_group: { direct_members: [realm.id("member")], direct_subgroups: [] },
    });
  });
  test("channels/create drops three settings, the bulk route stores all", async () => {
    const settings = {
      can_create_topic_group: members,
      can_delete_any_message_group: members,
      can_delete_own_message_group: members,
    };
    const forgotten = await create("owner", "x", settings);
    expect(await read(forgotten)).toMatchObject({
      can_create_topic_group: everyone,
      can_delete_any_message_group: nobody,
      can_delete_own_message_group: nobody,
    });
    await realm.call("owner", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "y" }], ...settings });
    const { body } = await realm.call("owner", "GET", "/get_stream_id", { stream: "y" });
    expect(await read(Number(body.stream_id))).toMatchObject(settings);
  });
  test.each([
    [384, 404],
    [417, 200],
  ])("channels/create at level %i: %i", async (level, status) => {
    realm = testRealm(level);
    const answer = realm.call("owner", "POST", "/channels/create", { name: "x", subscribers: [] });
    // Where the path does not exist, the answer is a page, not JSON.
    const got = await answer.then((reply) => reply.status).catch(() => 404);
    expect(got).toBe(status);
  });
  test("one invalid principal undoes everything", async () => {
    const { body } = await realm.call("owner", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "x" }, { name: "y" }],
      principals: [realm.id("member"), 4242],
    });
    expect(body.msg).toBe("No such user");
    expect((await realm.call("owner", "GET", "/get_stream_id", { stream: "x" })).status).toBe(400);
  });
});

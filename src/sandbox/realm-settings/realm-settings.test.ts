import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { REALM_PERMISSIONS } from "../permissions.ts";
import { FLAG_SETTINGS } from "./params.ts";

/** The facts of zulip-api.md §12.1. */
describe.each(FLAG_SETTINGS)("%s", (setting) => {
  test("personal settings do, too; all others have the settings of a new account, changed by the recorded values", async () => {
    const realm = testRealm();
    const before = (await realm.call("owner", "POST", "/register", { fetch_event_types: ["realm"] })).body[
      `realm_${setting}`
    ];
    const events = await realm.listen("guest");
    const changed = await realm.call("owner", "PATCH", "/realm", { [setting]: !before });
    const again = await realm.call("owner", "PATCH", "/realm", { [setting]: !before });
    expect(changed.body).toEqual({ result: "success", msg: "", [setting]: !before });
    expect(again.body).toEqual({ result: "success", msg: "" });
    const dict = { type: "realm", op: "update_dict", property: "default", data: { [setting]: !before } };
    const plain = { type: "realm", op: "update", property: setting, value: !before };
    expect(await events()).toEqual([setting === "allow_message_editing" ? dict : plain]);
  });
});

test("workplace_users_group, which no recording has, may be any group but role:internet, or an object; administrators may set it", async () => {
  const setting = "workplace_users_group";
  const realm = testRealm(REALM_PERMISSIONS[setting]?.level);
  const set = async (value: unknown) =>
    (await realm.call("admin", "PATCH", "/realm", { [setting]: { new: value } })).body;
  for (const group of ["role:everyone", "role:members", "role:moderators", "role:owners", "role:nobody"])
    expect((await set(realm.group(group))).msg).toBe("");
  expect((await set(realm.group("role:internet"))).msg).toBe(
    `'${setting}' setting cannot be set to 'role:internet' group.`,
  );
  const value = {
    direct_members: [realm.id("member2"), realm.id("member")],
    direct_subgroups: [realm.group("role:owners")],
  };
  expect((await set(value))[setting]).toEqual(value);
});

describe("group settings", () => {
  const setting = "can_resolve_topics_group";
  test.each<[unknown, string]>([
    [14, `${setting} does not have the expected format`],
    [{ old: 14 }, `${setting}["new"] field is missing: Field required`],
    [{ new: "x" }, `${setting}["new"]["int"] is not an integer`],
    [{ new: { direct_members: [6], direct_subgroups: [9999] } }, "Invalid user group ID: 9999"],
    [{ new: { direct_members: [], direct_subgroups: [9999] } }, "Invalid user group"],
  ])("%j: %s", async (value, msg) => {
    expect((await testRealm().call("owner", "PATCH", "/realm", { [setting]: value })).body.msg).toBe(msg);
  });
  test("the event is a dict, with the value in normal form", async () => {
    const realm = testRealm();
    const events = await realm.listen("member");
    const change = (value: unknown) => realm.call("owner", "PATCH", "/realm", { [setting]: { new: value } });
    const [moderators, nobody] = [realm.group("role:moderators"), realm.group("role:nobody")];
    await change({ direct_members: [], direct_subgroups: [moderators] });
    await change(moderators);
    await change({ direct_members: [], direct_subgroups: [] });
    const received = (value: number) => ({
      type: "realm",
      op: "update_dict",
      property: "default",
      data: { [setting]: value },
    });
    expect(await events()).toEqual([received(moderators), received(nobody)]);
  });
});

test("a setting of the organization that becomes an unnamed group uses up two numbers of groups; one that was unnamed already, none", async () => {
  const realm = testRealm();
  const made = async (name: string) =>
    Number(
      (await realm.call("owner", "POST", "/user_groups/create", { name, description: "", members: [] })).body.group_id,
    );
  const unnamed = { direct_members: [realm.id("owner")], direct_subgroups: [realm.group("role:moderators")] };
  const first = await made("first");
  const usual = (await made("second")) - first;
  let last = first + usual;
  for (const [settings, used] of [
    [["can_create_groups"], 2],
    [["can_create_groups", "can_manage_all_groups", "can_create_private_channel_group"], 4],
    [["can_create_groups"], 0],
  ] as const) {
    const members = used === 0 ? [] : [...unnamed.direct_members];
    const subgroups =
      used === 0 ? [realm.group("role:moderators"), realm.group("role:owners")] : unnamed.direct_subgroups;
    const value = { direct_members: members, direct_subgroups: subgroups };
    await realm.call("owner", "PATCH", "/realm", Object.fromEntries(settings.map((each) => [each, { new: value }])));
    const next = await made(`group ${used}`);
    expect(next - last - usual).toBe(used);
    last = next;
  }
});

describe("values of the other settings", () => {
  const badValue = (name: string, value: unknown) => ({
    msg: `Bad value for '${name}': ${value}`,
    var_name: name,
    bad_value: value,
    code: "REQUEST_VARIABLE_INVALID",
  });
  test.each<[string, unknown, object]>([
    ["description", "😀".repeat(1000), { description: "updated" }],
    ["default_code_block_language", "go", { default_code_block_language: "updated" }],
    ["digest_weekday", true, {}],
    [
      "move_messages_within_stream_limit_seconds",
      '"long"',
      badValue("move_messages_within_stream_limit_seconds", "long"),
    ],
    ["mandatory_topics", true, { ignored_parameters_unsupported: ["mandatory_topics"] }],
  ])("%s = %j: %j", async (setting, value, answer) => {
    const { status, body } = await testRealm().call("owner", "PATCH", "/realm", { [setting]: value });
    if ("msg" in answer)
      expect({ status, body }).toEqual({ status: 400, body: { result: "error", code: "BAD_REQUEST", ...answer } });
    else expect(body).toEqual({ result: "success", msg: "", ...answer });
  });
});

describe("settings that name a channel", () => {
  const settings = [
    "new_stream_announcements_stream_id",
    "signup_announcements_stream_id",
    "zulip_update_announcements_stream_id",
  ];
  test.each(settings)("%s", async (setting) => {
    const realm = testRealm();
    const set = async (id: unknown) => (await realm.call("owner", "PATCH", "/realm", { [setting]: id })).body;
    const channel = realm.channel("sandbox");
    expect(await set(channel)).toMatchObject({ [setting]: channel });
    expect(await set(channel)).not.toHaveProperty(setting);
    expect(await set(-1)).toMatchObject({ [setting]: -1 });
    expect(await set(-1)).toMatchObject({ [setting]: -1 });
    expect(await set(9999)).toMatchObject({ msg: "Invalid channel ID" });
    expect(await set("general")).toMatchObject({ msg: `${setting} is not valid JSON` });
    await realm.call("owner", "DELETE", `/streams/${channel}`);
    expect(await set(channel)).toMatchObject({ msg: "Invalid channel ID" });
  });
});

describe("a call that is refused", () => {
  test.each<[string, object, object]>([
    ["by a check, changes nothing", { name: "Kept", video_chat_provider: 9 }, { name: "updated" }],
    [
      "for a time limit, has not come to the plain settings",
      { name: "Kept", message_content_edit_limit_seconds: 0 },
      { name: "updated" },
    ],
    [
      "for a time limit, keeps an earlier one that is unlimited",
      { message_content_delete_limit_seconds: '"unlimited"', move_messages_within_stream_limit_seconds: 0 },
      {},
    ],
    ["for a group, keeps plain settings", { name: "Kept", can_resolve_topics_group: { new: 9999 } }, {}],
    ["for a channel, keeps plain settings", { name: "Kept", signup_announcements_stream_id: 9999 }, {}],
    ["for string_id, keeps plain settings", { name: "Kept", string_id: "x" }, {}],
  ])("%s", async (_, refused, changedLater) => {
    const realm = testRealm();
    expect((await realm.call("owner", "PATCH", "/realm", { ...refused })).status).toBe(400);
    const retried = "name" in refused ? { name: "Kept" } : { message_content_delete_limit_seconds: '"unlimited"' };
    const { body } = await realm.call("owner", "PATCH", "/realm", retried);
    expect(body).toEqual({ result: "success", msg: "", ...changedLater });
  });
});

describe("names at other levels", () => {
  test.each<[number, string, unknown, object]>([
    [453, "gif_rating_policy", 2, { gif_rating_policy: 2 }],
    [453, "giphy_rating", 2, { ignored_parameters_unsupported: ["giphy_rating"] }],
    [391, "mandatory_topics", true, { mandatory_topics: true }],
    [391, "topics_policy", "disable_empty_topic", { ignored_parameters_unsupported: ["topics_policy"] }],
    [357, "allow_edit_history", false, { allow_edit_history: false }],
  ])("at %i: %s = %j", async (level, setting, value, answer) => {
    const { body } = await testRealm(level).call("owner", "PATCH", "/realm", { [setting]: value });
    expect(body).toEqual({ result: "success", msg: "", ...answer });
  });
});

describe("authentication_methods", () => {
  const read = async (realm: TestRealm) =>
    Object((await realm.call("owner", "POST", "/register", { fetch_event_types: ["realm"] })).body)
      .realm_authentication_methods;
  test("a method that is switched off stays available; the others do not change; everybody gets an event with all of them", async () => {
    const realm = testRealm();
    const before = await read(realm);
    const received = await realm.listen("guest");
    await realm.call("owner", "PATCH", "/realm", { authentication_methods: { GitHub: false, Email: true } });
    const after = { ...before, GitHub: { ...before.GitHub, enabled: false } };
    expect(await read(realm)).toEqual(after);
    expect(await received()).toEqual([
      { type: "realm", op: "update_dict", property: "default", data: { authentication_methods: after } },
    ]);
  });
  test("sending all of them unchanged changes nothing", async () => {
    const realm = testRealm();
    const received = await realm.listen("owner");
    const names = Object.keys(await read(realm));
    const authentication_methods = Object.fromEntries(names.map((name) => [name, true]));
    const { body } = await realm.call("owner", "PATCH", "/realm", { authentication_methods });
    expect([body, await received()]).toEqual([{ result: "success", msg: "" }, []]);
  });
  test("the answer repeats what was sent; 1 counts as true, and any other number but 0 switches on", async () => {
    const realm = testRealm();
    const sent = { Email: 1, Google: 2, GitHub: 0, GitLab: false };
    const { body } = await realm.call("owner", "PATCH", "/realm", { authentication_methods: sent });
    expect(body.authentication_methods).toEqual(sent);
    expect(await read(realm)).toMatchObject({
      Email: { enabled: true },
      Google: { enabled: true },
      GitHub: { enabled: false },
      GitLab: { enabled: false },
    });
    const all = Object.fromEntries(
      Object.entries(await read(realm)).map(([name, method]) => [name, Object(method).enabled === true ? 1 : 0]),
    );
    expect((await realm.call("owner", "PATCH", "/realm", { authentication_methods: all })).body).toEqual({
      result: "success",
      msg: "",
    });
  });
});

describe("an error does not undo what was written before it", () => {
  test.each<[fact: string, sent: object, kept: string]>([
    ["a group", { can_create_groups: { new: 12 }, can_manage_all_groups: { new: 4242 } }, "realm_can_create_groups"],
    [
      "methods to sign in",
      { authentication_methods: { GitHub: false, Email: true }, moderation_request_channel_id: 4242 },
      "realm_authentication_methods",
    ],
  ])("%s", async (_fact, sent, kept) => {
    const realm = testRealm();
    const read = async () =>
      Object((await realm.call("owner", "POST", "/register", { fetch_event_types: ["realm"] })).body)[kept];
    const before = await read();
    expect((await realm.call("owner", "PATCH", "/realm", { ...sent })).status).toBe(400);
    expect(await read()).not.toEqual(before);
  });
});

test.each([
  [463, { type: "realm", op: "update", property: "description", value: "d" }],
  [
    464,
    {
      type: "realm",
      op: "update_dict",
      property: "default",
      data: { description: "d", rendered_description: "<p>d</p>" },
    },
  ],
])("at level %i, the event about a new description has the form of that level", async (level, event) => {
  const realm = testRealm(level);
  const received = await realm.listen("guest");
  await realm.call("owner", "PATCH", "/realm", { description: "d" });
  expect(await received()).toEqual([event]);
});

test.each([
  [391, "mandatory_topics", [true, true, false]],
  [357, "allow_edit_history", [false, false, true]],
] as const)("at level %i, a change of %s causes an event", async (level, setting, values) => {
  const realm = testRealm(level);
  const received = await realm.listen("guest");
  for (const value of values) await realm.call("owner", "PATCH", "/realm", { [setting]: value });
  expect((await received()).map(({ property, value }) => [property, value])).toEqual([
    [setting, values[0]],
    [setting, values[2]],
  ]);
});

test("an event contains a number below 0 as it was sent; it is stored as no channel", async () => {
  const realm = testRealm();
  const received = await realm.listen("guest");
  await realm.call("owner", "PATCH", "/realm", { signup_announcements_stream_id: -5 });
  expect(await received()).toEqual([
    { type: "realm", op: "update", property: "signup_announcements_stream_id", value: -5 },
  ]);
  const { body } = await realm.call("owner", "POST", "/register", { fetch_event_types: ["realm"] });
  expect(body.realm_signup_announcements_stream_id).toBe(-1);
});

test("the number 0 is not a channel of the realm", async () => {
  const { body } = await testRealm().call("owner", "PATCH", "/realm", { signup_announcements_stream_id: 0 });
  expect(body.msg).toBe("Invalid channel ID");
});

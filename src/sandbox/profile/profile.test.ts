import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { createSandbox } from "../sandbox.ts";

const RECORDED = JSON.parse(readFileSync(new URL("../../../test/recordings/realm.json", import.meta.url), "utf8"));
const FIELDS = "/realm/profile_fields";
const create = async (realm: TestRealm, sent: object) => (await realm.call("owner", "POST", FIELDS, { ...sent })).body;
const choice = (text: unknown, order: unknown = "1") => ({ text, order });

/** The facts of zulip-api.md §12.3. */
describe("creating a field", () => {
  test.each<[object, string]>([
    [{ field_type: 1, name: "n".repeat(41), hint: "h".repeat(81) }, "hint is too long (limit: 80 characters)"],
    [{ field_type: 1, name: "n".repeat(40), hint: "h".repeat(80) }, ""],
    [
      { field_type: 2, name: "x", display_in_profile_summary: true },
      "Field type not supported for display in profile summary.",
    ],
    [
      { field_type: 6, name: "x", display_in_profile_summary: true },
      "Field type not supported for display in profile summary.",
    ],
    [{ field_type: 3, name: "" }, "Field must have at least one choice."],
    [{ field_type: 3, name: "x", field_data: {} }, "Field must have at least one choice."],
    [{ field_type: 3, name: "x", field_data: { a: { text: "x" } } }, "order key is missing from field_data"],
    [{ field_type: 3, name: "x", field_data: { a: { order: "1" } } }, "text key is missing from field_data"],
    [{ field_type: 3, name: "x", field_data: { a: choice(" ") } }, 'field_data["text"] cannot be blank.'],
    [{ field_type: 3, name: "x", field_data: { a: choice("x", "") } }, 'field_data["order"] cannot be blank.'],
    [
      { field_type: 3, name: "x", field_data: { a: choice("x", 1) } },
      'field_data["a"]["dict[str,str]"]["order"] is not a string',
    ],
    [{ field_type: 3, name: "x", field_data: { a: "x" } }, "field_data is not a dict"],
    [{ field_type: 3, name: "x", field_data: { " ": choice("x") } }, "'value' cannot be blank."],
    [
      { field_type: 3, name: "x", field_data: { a: choice("x"), b: choice("x") } },
      "Field must not have duplicate choices.",
    ],
    [{ field_type: 3, name: "x", field_data: { a: { ...choice("x"), c: "d" } } }, "Unexpected arguments: c"],
    [{ field_type: 3, name: "x", field_data: [] }, "field_data is not a dict"],
    [{ field_type: 7, name: "x" }, "subtype key is missing from field_data"],
    [{ field_type: 7, name: "x", field_data: { subtype: "" } }, 'field_data["subtype"] cannot be blank.'],
    [{ field_type: 7, name: "x", field_data: { subtype: "myspace" } }, "Invalid external account type"],
    [{ field_type: 7, name: "x", field_data: { subtype: "constructor" } }, "Invalid external account type"],
    [
      { field_type: 7, name: "x", field_data: { subtype: "custom" } },
      "Custom external account must define URL pattern",
    ],
    [
      { field_type: 7, name: "x", field_data: { subtype: "custom", url_pattern: "https://x.example/" } },
      "URL pattern must contain '%(username)s'.",
    ],
    [
      { field_type: 7, name: "x", field_data: { subtype: "custom", url_pattern: "x %(username)s" } },
      'field_data["url_pattern"] is not a URL',
    ],
    [{ field_type: 7, name: "x", field_data: { subtype: "github", name: "x" } }, "Unexpected arguments: name"],
    [{ field_type: 7, field_data: { subtype: "twitter" } }, ""],
    [{ field_type: 7, name: "taken", field_data: { subtype: "github" } }, ""],
    [
      { field_type: 7, field_data: { subtype: "custom", url_pattern: "https://x.example/%(username)s" } },
      "Label cannot be blank.",
    ],
    [{ field_type: 2, name: " taken " }, "A field with that label already exists."],
    [{ field_type: 2, name: "Taken" }, ""],
    [{ field_type: 1, name: "x", required: "yes" }, "required is not valid JSON"],
  ])("%j: %s", async (sent, msg) => {
    const realm = testRealm();
    await create(realm, { field_type: 1, name: "taken" });
    expect((await create(realm, sent)).msg).toBe(msg);
  });

  test.each<[level: number, sent: object, msg: string]>([
    [
      475,
      { field_type: 2, display_in_profile_summary: true },
      "Field type not supported for display in profile summary.",
    ],
    [476, { field_type: 2, display_in_profile_summary: true }, ""],
    [
      476,
      { field_type: 6, display_in_profile_summary: true },
      "Field type not supported for display in profile summary.",
    ],
    [454, { field_type: 2, use_for_user_matching: true }, ""],
    [455, { field_type: 2, use_for_user_matching: true }, "Field type not supported for use for user matching."],
    [455, { field_type: 2, use_for_user_matching: false }, ""],
    [455, { field_type: 1, use_for_user_matching: true }, ""],
    [455, { field_type: 7, use_for_user_matching: true, field_data: { subtype: "x" } }, ""],
    [452, { field_type: 7, field_data: { subtype: "x" } }, "Invalid external account type"],
    [453, { field_type: 7, field_data: { subtype: "twitter" } }, "Invalid external account type"],
    [453, { field_type: 7, field_data: { subtype: "__proto__" } }, "Invalid external account type"],
  ])("%i: %j: %s", async (level, sent, msg) => {
    expect((await create(testRealm(level), { name: "a", ...sent })).msg).toBe(msg);
  });
  test.each([
    [452, "Twitter username", "Twitter username", "twitter"],
    [453, "Twitter username", "X username", "x"],
    [453, "Twitter", "Twitter", "twitter"],
  ])(
    "%i: the upgrade to Zulip 12 renames the field for Twitter, if it has the usual name: %s",
    (level, before, name, subtype) => {
      const field = { id: 7, type: 7, hint: "", field_data: '{"subtype":"twitter"}', order: 1 };
      const custom_profile_fields = [{ ...field, name: before, required: false, editable_by_user: true }];
      const from = { ...RECORDED, register: { ...RECORDED.register, custom_profile_fields } };
      expect(createSandbox({ from, featureLevel: level }).state().profile_fields[7]).toMatchObject({
        ...field,
        name,
        field_data: JSON.stringify({ subtype }),
      });
    },
  );
  test("a field is shown as used for matching only if it is; a change of a field of another type is refused", async () => {
    const realm = testRealm(455);
    for (const [name, field_type] of Object.entries({ a: 1, b: 2 })) await create(realm, { field_type, name });
    const shown = async () => (await realm.call("guest", "GET", FIELDS)).body.custom_fields;
    const change = async (id: number) =>
      (await realm.call("owner", "PATCH", `${FIELDS}/${id}`, { use_for_user_matching: true })).body.msg;
    expect(await shown()).not.toContainEqual(expect.objectContaining({ use_for_user_matching: expect.anything() }));
    expect(await change(2)).toBe("Field type not supported for use for user matching.");
    expect(await change(1)).toBe("");
    expect(await shown()).toContainEqual(expect.objectContaining({ name: "a", use_for_user_matching: true }));
  });

  test("at most two fields can be in the summary, which is checked first", async () => {
    const realm = testRealm();
    for (const name of ["a", "b"]) await create(realm, { field_type: 1, name, display_in_profile_summary: true });
    const third = await create(realm, { field_type: 9, display_in_profile_summary: true });
    expect(third.msg).toBe("Only 2 custom profile fields can be displayed in the profile summary.");
  });
  test("label and hint of a known service come from the server; the order of a new field is its id", async () => {
    const realm = testRealm();
    await create(realm, { field_type: 7, name: "Mine", hint: "x", field_data: { subtype: "github" } });
    await create(realm, {
      field_type: 3,
      name: " Shift ",
      hint: " h ",
      field_data: { a: choice("Alpha") },
      display_in_profile_summary: true,
    });
    const common = { required: false, editable_by_user: true };
    expect((await realm.call("guest", "GET", FIELDS)).body.custom_fields).toEqual([
      { id: 1, name: "GitHub username", type: 7, hint: "", field_data: '{"subtype":"github"}', order: 1, ...common },
      {
        id: 2,
        name: "Shift",
        type: 3,
        hint: " h ",
        field_data: '{"a":{"text":"Alpha","order":"1"}}',
        order: 2,
        ...common,
        display_in_profile_summary: true,
      },
    ]);
  });
});

describe("changing a field", () => {
  test.each<[number, object, string]>([
    [1, {}, ""],
    [1, { name: "one" }, ""],
    [1, { name: " other ", hint: "h" }, ""],
    [1, { name: "two" }, "A field with that label already exists."],
    [2, { field_data: { b: choice("Beta") } }, ""],
    [3, { name: "Git" }, "Default custom field cannot be updated."],
    [3, { hint: "x" }, "Default custom field cannot be updated."],
    [3, { field_data: { subtype: "twitter" } }, "Default custom field cannot be updated."],
    [3, { name: "GitHub username", hint: "", field_data: { subtype: "github" } }, ""],
    [3, { display_in_profile_summary: true, required: true, editable_by_user: false }, ""],
    [9, { name: "x" }, "Field id 9 not found."],
  ])("%i with %j: %s", async (id, sent, msg) => {
    const realm = testRealm();
    await create(realm, { field_type: 1, name: "one" });
    await create(realm, { field_type: 3, name: "two", field_data: { a: choice("Alpha") } });
    await create(realm, { field_type: 7, field_data: { subtype: "github" } });
    expect((await realm.call("owner", "PATCH", `${FIELDS}/${id}`, { ...sent })).body.msg).toBe(msg);
  });

  test.each<[readonly number[], string]>([
    [[2, 1], ""],
    [[2, 1, 99], ""],
  ])("the order %j: %s", async (order, msg) => {
    const realm = testRealm();
    for (const name of ["a", "b"]) await create(realm, { field_type: 1, name });
    expect((await realm.call("owner", "PATCH", FIELDS, { order })).body.msg).toBe(msg);
  });

  test.each(["moderator", "member", "guest", "bot"])("a %s may not", async (as) => {
    const realm = testRealm();
    const refusal = { msg: "Must be an organization administrator", code: "UNAUTHORIZED_PRINCIPAL" };
    for (const [method, path] of [
      ["POST", FIELDS],
      ["PATCH", FIELDS],
      ["PATCH", `${FIELDS}/1`],
      ["DELETE", `${FIELDS}/1`],
    ] as const)
      expect((await realm.call(as, method, path)).body).toMatchObject(refusal);
  });

  test("removing a choice deletes people's values with it, and so does removing the field", async () => {
    const realm = testRealm();
    const events = await realm.listen("guest");
    await create(realm, { field_type: 3, name: "two", field_data: { a: choice("Alpha"), b: choice("Beta") } });
    const say = (as: string, value: string) =>
      realm.call(as, "PATCH", "/users/me/profile_data", { data: [{ id: 1, value }] });
    const said = async (as: string) => (await realm.call(as, "GET", "/users/me")).body.profile_data;
    await say("member", "a");
    await say("member2", "b");
    await realm.call("owner", "PATCH", `${FIELDS}/1`, { field_data: { b: choice("Beta", "2") } });
    expect([await said("member"), await said("member2")]).toEqual([{}, { 1: { value: "b" } }]);
    await realm.call("owner", "DELETE", `${FIELDS}/1`);
    expect(await said("member2")).toEqual({});
    expect((await realm.call("owner", "DELETE", `${FIELDS}/1`)).body.msg).toBe("Field id 1 not found.");
    expect((await events()).map(({ type }) => type)).toEqual([
      "custom_profile_fields",
      "realm_user",
      "realm_user",
      "custom_profile_fields",
      "custom_profile_fields",
    ]);
  });
});

/** zulip-api.md §16.12: one field of each type, with the type's number as its id. */
describe("valid values", () => {
  const NAMES = ["short", "long", "choice", "date", "link", "people", "account", "pronouns"];
  const DATA: { readonly [type: number]: object } = { 3: { v: choice("Vim") }, 7: { subtype: "github" } };
  async function realmWithFields(): Promise<TestRealm> {
    const realm = testRealm();
    for (const [index, name] of NAMES.entries())
      await create(realm, { field_type: index + 1, name, field_data: DATA[index + 1] });
    await create(realm, { field_type: 1, name: "locked", editable_by_user: false });
    return realm;
  }
  test.each<[number, unknown, string]>([
    [1, "s".repeat(50), ""],
    [1, "", ""],
    [2, "l".repeat(500), ""],
    [3, "v", ""],
    [3, [10], "choice is not a string"],
    [3, "toString", "'toString' is not a valid choice for 'choice'."],
    [4, "2024-02-29", ""],
    [4, "2023-02-29", "date is not a date"],
    [4, "1990-2-28", "date is not a date"],
    [4, "0999-12-31", "date is not a date"],
    [5, "https://example.org/x?y#z", ""],
    [5, "http://localhost:8000", ""],
    [5, "example.org", "link is not a URL"],
    [5, "javascript://example.org", "link is not a URL"],
    [6, [], ""],
    [6, [10], ""],
    [6, [99_999, 88_888], "Invalid user IDs: 99999, 88888"],
    [6, [17], "User with ID 17 is a bot"],
    [6, [15], "User with ID 15 is deactivated"],
    [6, "10", "User IDs is not a list"],
    [7, "a".repeat(51), "GitHub username is too long (limit: 50 characters)"],
    [8, "they", ""],
    [9, "x", "You are not allowed to change this field. Contact an administrator to update it."],
    [99, "x", "Field id 99 not found."],
  ])("field %i, %j: %s", async (id, value, msg) => {
    const realm = await realmWithFields();
    const sent = { data: [{ id, value }] };
    expect((await realm.call("member", "PATCH", "/users/me/profile_data", sent)).body.msg).toBe(msg);
  });

  test.each<[unknown, string]>([
    [["x"], "data[0] is not a dict"],
    [
      [
        { id: 1, value: "x" },
        { id: "a", value: "x" },
      ],
      'data[1]["id"] is not an integer',
    ],
  ])("%j: %s", async (data, msg) => {
    const realm = await realmWithFields();
    expect((await realm.call("member", "PATCH", "/users/me/profile_data", { data })).body.msg).toBe(msg);
  });

  test("one invalid value refuses all; administrators change locked fields; bots have none", async () => {
    const realm = await realmWithFields();
    const say = (as: string, ...data: readonly object[]) => realm.call(as, "PATCH", "/users/me/profile_data", { data });
    await say("member", { id: 1, value: "good" }, { id: 4, value: "bad" });
    expect((await realm.call("member", "GET", "/users/me")).body.profile_data).toEqual({});
    expect((await say("admin", { id: 9, value: "x" })).status).toBe(200);
    expect((await say("bot", { id: 1, value: "x" })).body.msg).toBe("This endpoint does not accept bot requests.");
  });
  test("texts are Markdown", async () => {
    const realm = await realmWithFields();
    await realm.call("member", "PATCH", "/users/me/profile_data", { data: [{ id: 1, value: "some **bold** words" }] });
    expect((await realm.call("member", "GET", "/users/me")).body.profile_data).toEqual({
      1: { value: "some **bold** words", rendered_value: "<p>some <strong>bold</strong> words</p>" },
    });
  });
  test("events contain the rendered text unless it is empty; unchanged values cause no event", async () => {
    const realm = await realmWithFields();
    const events = await realm.listen("owner");
    for (const value of ["a", "a", ""])
      await realm.call("member", "PATCH", "/users/me/profile_data", { data: [{ id: 1, value }] });
    const received = (await events()).map(({ person }) => Object(person).custom_profile_field);
    expect(received).toEqual([
      { id: 1, value: "a", rendered_value: "<p>a</p>" },
      { id: 1, value: "" },
    ]);
  });
  test("DELETE removes values; a missing value is not an error", async () => {
    const realm = await realmWithFields();
    await realm.call("member", "PATCH", "/users/me/profile_data", { data: [{ id: 6, value: [10] }] });
    const events = await realm.listen("owner");
    const remove = async (data: unknown) =>
      (await realm.call("member", "DELETE", "/users/me/profile_data", { data })).body.msg;
    expect([await remove([6, 1]), await remove([99]), await remove([9])]).toEqual([
      "",
      "Field id 99 not found.",
      "You are not allowed to change this field. Contact an administrator to update it.",
    ]);
    const person = { user_id: realm.id("member"), custom_profile_field: { id: 6, value: null } };
    expect(await events()).toEqual([{ type: "realm_user", op: "update", person }]);
  });
});

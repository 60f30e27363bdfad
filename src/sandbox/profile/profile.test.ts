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
    [{ field_type: 1, name: "n".repeat(40), hint: "h".repeat(80) }, ""],
    [
      { field_type: 2, name: "x", display_in_profile_summary: true },
      "Field type not supported for display in profile summary.",
    ],
    [
      { field_type: 6, name: "x", display_in_profile_summary: true },
      "Field type not supported for display in profile summary.",
    ],
    [{ field_type: 3, name: "x", field_data: { a: { order: "1" } } }, "text key is missing from field_data"],
    [{ field_type: 3, name: "x", field_data: { a: { ...choice("x"), c: "d" } } }, "Unexpected arguments: c"],
    [
      { field_type: 7, field_data: { subtype: "custom", url_pattern: "https://x.example/%(username)s" } },
      "Label cannot be blank.",
    ],
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
});

describe("changing a field", () => {
  test.each<[object, string]>([
    [{ name: "Git" }, "Default custom field cannot be updated."],
    [{ hint: "x" }, "Default custom field cannot be updated."],
    [{ field_data: { subtype: "twitter" } }, "Default custom field cannot be updated."],
    [{ name: "GitHub username", hint: "", field_data: { subtype: "github" }, required: true }, ""],
  ])("of a known service with %j: %s", async (sent, msg) => {
    const realm = testRealm();
    await create(realm, { field_type: 7, field_data: { subtype: "github" } });
    expect((await realm.call("owner", "PATCH", `${FIELDS}/1`, { ...sent })).body.msg).toBe(msg);
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
    [4, "0999-12-31", "date is not a date"],
    [5, "https://example.org/x?y#z", ""],
    [5, "http://localhost:8000", ""],
    [5, "javascript://example.org", "link is not a URL"],
    [6, [], ""],
    [6, [10], ""],
    [6, [99_999, 88_888], "Invalid user IDs: 99999, 88888"],
    [6, "10", "User IDs is not a list"],
    [7, "a".repeat(51), "GitHub username is too long (limit: 50 characters)"],
    [8, "they", ""],
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

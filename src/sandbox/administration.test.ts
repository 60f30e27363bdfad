import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../model/json.ts";

/** zulip-api.md §6, §7, §8 and §11: the facts that the tests of each area do not cover, one row each. */
const rows = (list: unknown): readonly JsonObject[] =>
  isList(list) ? list.filter((each): each is JsonObject => isObject(each)) : [];
const linkifiers = async (realm: TestRealm, as = "guest") =>
  rows((await realm.call(as, "GET", "/realm/linkifiers")).body.linkifiers);
const views = async (realm: TestRealm) =>
  rows((await realm.call("member", "GET", "/navigation_views")).body.navigation_views);
const folders = async (realm: TestRealm) =>
  rows((await realm.call("guest", "GET", "/channel_folders", { include_archived: true })).body.channel_folders);

describe("§6 linkifiers", () => {
  const HASH = { pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example/{id}" };
  const NAMED = { pattern: "(?P<a>[a-z])-(?P<n>[0-9]+)", url_template: "https://x.example/{a}/{n}" };

  test("POST and PATCH strip both texts, and their answers contain only the expected fields", async () => {
    const realm = testRealm();
    const sent = { pattern: ` ${HASH.pattern}\n`, url_template: `\t${HASH.url_template} ` };
    expect((await realm.call("owner", "POST", "/realm/filters", sent)).body).toEqual({
      result: "success",
      msg: "",
      id: 1,
    });
    expect(await linkifiers(realm)).toEqual([{ ...HASH, id: 1 }]);
    const changed = await realm.call("owner", "PATCH", "/realm/filters/1", { pattern: " x ", url_template: " y " });
    expect(changed.body).toEqual({ result: "success", msg: "" });
    expect(await linkifiers(realm)).toEqual([{ id: 1, pattern: "x", url_template: "y" }]);
  });
  test.each<[more: JsonObject, stored: JsonObject]>([
    [{}, { example_input: null, reverse_template: null, alternative_url_templates: [] }],
    [{ example_input: "" }, { example_input: null }],
    [{ example_input: "see b-7 there" }, { example_input: "see b-7 there", reverse_template: null }],
    [
      { example_input: "b-7", reverse_template: "" },
      { example_input: "b-7", reverse_template: null },
    ],
    [
      { alternative_url_templates: ["https://y.example/{n}", "/{a}"] },
      { alternative_url_templates: ["https://y.example/{n}", "/{a}"] },
    ],
  ])("at 478, %j is stored as %j", async (more, stored) => {
    const realm = testRealm(478);
    expect((await realm.call("owner", "POST", "/realm/filters", { ...NAMED, ...more })).body.msg).toBe("");
    expect(await linkifiers(realm)).toMatchObject([{ ...NAMED, ...stored }]);
  });
  test.each<[more: JsonObject, msg: RegExp]>([
    [{ reverse_template: "{a}-{n}" }, /Example text.*auto-conversion field/],
    [
      { example_input: "b-7", reverse_template: "{a}-{n}-{n}" },
      /^Example text does not match auto-conversion field\.$/,
    ],
    [{ alternative_url_templates: ["{"] }, /^Invalid URL template\.$/],
    [{ alternative_url_templates: "x" }, /^alternative_url_templates is not valid JSON$/],
    [{ alternative_url_templates: [1] }, /^alternative_url_templates\[0\] is not a string$/],
  ])("at 478, %j: %s", async (more, msg) => {
    const { status, body } = await testRealm(478).call("owner", "POST", "/realm/filters", { ...NAMED, ...more });
    expect([status, String(body.msg)]).toEqual([400, expect.stringMatching(msg)]);
  });
});

describe("§8 navigation views", () => {
  test("fragment and name are stored stripped, also by PATCH; inner white space stays", async () => {
    const realm = testRealm();
    const sent = { fragment: " narrow/x y ", is_pinned: true, name: " A  B " };
    expect((await realm.call("member", "POST", "/navigation_views", sent)).body).toEqual({
      result: "success",
      msg: "",
    });
    expect(await views(realm)).toEqual([{ fragment: "narrow/x y", is_pinned: true, name: "A  B" }]);
    await realm.call("member", "PATCH", "/navigation_views/narrow/x%20y", { name: " C " });
    expect(await views(realm)).toEqual([{ fragment: "narrow/x y", is_pinned: true, name: "C" }]);
  });
});

describe("§11 folders", () => {
  const make = (realm: TestRealm, name: string, description = "") =>
    realm.call("owner", "POST", "/channel_folders/create", { name, description });

  test.each<[name: string, description: string, msg: string]>([
    ["😀".repeat(60), "", ""],
    ["😀".repeat(61), "", "name is too long (limit: 60 characters)"],
    ["n", "😀".repeat(1024), ""],
    ["n", "😀".repeat(1025), "description is too long (limit: 1024 characters)"],
    ["a\u200bb", "", ""],
    ["\ufffe", "", "Invalid character in channel folder name, at position 1."],
  ])("a name %j with %j: %j", async (name, description, msg) => {
    expect((await make(testRealm(), name, description)).body.msg).toBe(msg);
  });
  test("values that are already set cause no event", async () => {
    const realm = testRealm();
    await make(realm, "A", "d");
    const events = await realm.listen("member");
    const same = { name: "A", description: "d", is_archived: false };
    expect((await realm.call("owner", "PATCH", "/channel_folders/1", same)).body.msg).toBe("");
    expect(await events()).toEqual([]);
  });
  test("before 414 they are sorted by id, even if their names sort the other way", async () => {
    const realm = testRealm(413);
    for (const name of ["B", "A"]) await make(realm, name);
    expect((await folders(realm)).map(({ id }) => id)).toEqual([1, 2]);
  });
  test("a bot that is an administrator may write, as administrators may", async () => {
    const realm = testRealm();
    await realm.call("owner", "PATCH", `/bots/${realm.id("bot")}`, { role: 200 });
    for (const [index, as] of ["admin", "bot"].entries()) {
      const sent = { name: `F${index}`, description: "" };
      expect((await realm.call(as, "POST", "/channel_folders/create", sent)).body.msg).toBe("");
    }
  });
});

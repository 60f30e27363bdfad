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
  test.each(["owner", "member", "guest", "bot"])("a %s can read them", async (as) => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/realm/filters", HASH);
    expect(await linkifiers(realm, as)).toHaveLength(1);
  });
  test("a deleted linkifier is no longer listed, and its id is not used again", async () => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/realm/filters", HASH);
    expect((await realm.call("owner", "DELETE", "/realm/filters/1")).body.msg).toBe("");
    expect(await linkifiers(realm)).toEqual([]);
    expect((await realm.call("owner", "POST", "/realm/filters", HASH)).body.id).toBe(2);
  });
  test("the order is that of the list that was sent", async () => {
    const realm = testRealm();
    for (const pattern of ["a", "b", "c"])
      await realm.call("owner", "POST", "/realm/filters", { pattern, url_template: "x" });
    await realm.call("owner", "PATCH", "/realm/linkifiers", { ordered_linkifier_ids: [3, 1, 2] });
    expect((await linkifiers(realm)).map(({ id }) => id)).toEqual([3, 1, 2]);
    await realm.call("owner", "PATCH", "/realm/filters/1", { pattern: "d", url_template: "x" });
    expect((await linkifiers(realm)).map(({ pattern }) => pattern)).toEqual(["c", "d", "b"]);
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

describe("§7 domains", () => {
  test("a change appears when it is read; its answer has no other fields", async () => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/realm/domains", { domain: "a.example", allow_subdomains: false });
    const changed = await realm.call("owner", "PATCH", "/realm/domains/a.example", { allow_subdomains: true });
    expect(changed.body).toEqual({ result: "success", msg: "" });
    const { domains } = (await realm.call("bot", "GET", "/realm/domains")).body;
    expect(domains).toEqual([{ domain: "a.example", allow_subdomains: true }]);
    expect((await realm.call("owner", "DELETE", "/realm/domains/a.example")).body).toEqual({
      result: "success",
      msg: "",
    });
    expect((await realm.call("owner", "DELETE", "/realm/domains/a.example")).body.msg).toBe(
      "No entry found for domain a.example.",
    );
  });
  test("the restriction stays as long as there is a domain", async () => {
    const realm = testRealm();
    for (const domain of ["a.example", "b.example"])
      await realm.call("owner", "POST", "/realm/domains", { domain, allow_subdomains: false });
    await realm.call("owner", "PATCH", "/realm", { emails_restricted_to_domains: true });
    const restricted = async () =>
      (await realm.call("owner", "POST", "/register", { fetch_event_types: ["realm"] })).body
        .realm_emails_restricted_to_domains;
    await realm.call("owner", "DELETE", "/realm/domains/a.example");
    expect(await restricted()).toBe(true);
    await realm.call("owner", "DELETE", "/realm/domains/b.example");
    expect(await restricted()).toBe(false);
  });
  test.each([
    ["owner", ""],
    ["admin", "Must be an organization owner"],
  ])("the %s sets the restriction", async (as, msg) => {
    const { body } = await testRealm().call(as, "PATCH", "/realm", { emails_restricted_to_domains: true });
    expect(body.msg).toBe(msg);
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
  test("a built-in view has no name; after deletion it can be created again", async () => {
    const realm = testRealm();
    for (const is_pinned of [false, true]) {
      await realm.call("member", "POST", "/navigation_views", { fragment: "inbox", is_pinned });
      expect(await views(realm)).toEqual([{ fragment: "inbox", is_pinned, name: null }]);
      expect((await realm.call("member", "DELETE", "/navigation_views/inbox")).status).toBe(200);
    }
    expect(await views(realm)).toEqual([]);
  });
  test.each<[fragment: string, name: string, status: number]>([
    ["narrow/B", "C", 200],
    ["narrow/b", "C", 400],
    ["narrow/c", "b", 200],
    ["narrow/c", "B", 400],
    ["n".repeat(500), "m".repeat(500), 200],
  ])("beside narrow/b (B): %s (%s) → %i", async (fragment, name, status) => {
    const realm = testRealm();
    await realm.call("member", "POST", "/navigation_views", { fragment: "narrow/b", is_pinned: true, name: "B" });
    const reply = await realm.call("member", "POST", "/navigation_views", { fragment, is_pinned: true, name });
    expect(reply.status).toBe(status);
  });
  test("another account's names and fragments do not matter", async () => {
    const realm = testRealm();
    for (const as of ["owner", "member", "guest", "bot"]) {
      const sent = { fragment: "narrow/b", is_pinned: true, name: "B" };
      expect((await realm.call(as, "POST", "/navigation_views", sent)).status).toBe(200);
    }
  });
  test.each<[path: string, params: JsonObject, body: JsonObject]>([
    ["/navigation_views/nope", { is_pinned: true }, { msg: "Navigation view does not exist.", code: "BAD_REQUEST" }],
    ["/navigation_views/inbox", { is_pinned: 1 }, { msg: "is_pinned is not a boolean", code: "BAD_REQUEST" }],
  ])("PATCH %s %j: %j", async (path, params, body) => {
    const reply = await testRealm().call("member", "PATCH", path, params);
    expect(reply).toMatchObject({ status: path.endsWith("nope") ? 404 : 400, body });
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
  test("PATCH changes only what was sent, and its answer has no other fields", async () => {
    const realm = testRealm();
    expect((await make(realm, "A", "d")).body).toEqual({ result: "success", msg: "", channel_folder_id: 1 });
    const changed = await realm.call("owner", "PATCH", "/channel_folders/1", { description: "e" });
    expect(changed.body).toEqual({ result: "success", msg: "" });
    expect(await folders(realm)).toMatchObject([{ name: "A", description: "e", rendered_description: "<p>e</p>" }]);
  });
  test("values that are already set cause no event", async () => {
    const realm = testRealm();
    await make(realm, "A", "d");
    const events = await realm.listen("member");
    const same = { name: "A", description: "d", is_archived: false };
    expect((await realm.call("owner", "PATCH", "/channel_folders/1", same)).body.msg).toBe("");
    expect(await events()).toEqual([]);
  });
  test("after reordering they are numbered from 0, including archived ones", async () => {
    const realm = testRealm();
    for (const name of ["A", "B", "C"]) await make(realm, name);
    await realm.call("owner", "PATCH", "/channel_folders/2", { is_archived: true });
    const refused = await realm.call("owner", "PATCH", "/channel_folders", { order: [3, 1] });
    expect(refused.body).toMatchObject({ msg: "Invalid order mapping.", code: "BAD_REQUEST" });
    await realm.call("owner", "PATCH", "/channel_folders", { order: [3, 2, 1] });
    expect((await folders(realm)).map(({ id, order }) => [id, order])).toEqual([
      [3, 0],
      [2, 1],
      [1, 2],
    ]);
  });
  test("before 414 they are sorted by id, even if their names sort the other way", async () => {
    const realm = testRealm(413);
    for (const name of ["B", "A"]) await make(realm, name);
    expect((await folders(realm)).map(({ id }) => id)).toEqual([1, 2]);
  });
  test("a channel can be removed from its folder, which can then be archived", async () => {
    const realm = testRealm();
    await make(realm, "A");
    await realm.call("owner", "PATCH", "/streams/2", { folder_id: 1 });
    await realm.call("owner", "PATCH", "/streams/2", { folder_id: null });
    expect((await realm.call("owner", "PATCH", "/channel_folders/1", { is_archived: true })).body.msg).toBe("");
  });
  test("a bot that is an administrator may write, as administrators may", async () => {
    const realm = testRealm();
    await realm.call("owner", "PATCH", `/bots/${realm.id("bot")}`, { role: 200 });
    for (const [index, as] of ["admin", "bot"].entries()) {
      const sent = { name: `F${index}`, description: "" };
      expect((await realm.call(as, "POST", "/channel_folders/create", sent)).body.msg).toBe("");
    }
  });
  test("anybody who administers a channel can put it into a folder", async () => {
    const realm = testRealm();
    await make(realm, "A");
    await realm.call("member", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "x" }], folder_id: 1 });
    const { stream_id } = (await realm.call("member", "GET", "/get_stream_id", { stream: "x" })).body;
    const set = async (as: string, folder_id: number | null) =>
      (await realm.call(as, "PATCH", `/streams/${String(stream_id)}`, { folder_id })).body.msg;
    expect([await set("member", null), await set("member", 1)]).toEqual(["", ""]);
    expect(await set("member2", null)).toBe("You do not have permission to administer this channel.");
  });
});

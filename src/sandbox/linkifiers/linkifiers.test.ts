import { describe, expect, test } from "vitest";
import { testRealm } from "../../../test/support/sandbox/realm.ts";

const HASH = { pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example/{id}" };

/** The facts of zulip-api.md §6.3. */
describe("a refusal names every field with an error; its message is the first error", () => {
  const taken = "Realm filter with this Realm and Pattern already exists.";
  test.each([
    ["", "{", { pattern: ["This field cannot be blank."], url_template: ["Invalid URL template."] }],
    ["(bad", "x", { __all__: ["Bad regular expression: missing ): (bad"] }],
    ["(?P<b>x)", "{a}", { __all__: ["Group 'a' in URL template is not present in linkifier pattern."] }],
    ["x", "{b}{a}", { __all__: ["Group 'a' in URL template is not present in linkifier pattern."] }],
    [HASH.pattern, "x", { __all__: ["Group 'id' in linkifier pattern is not present in URL template.", taken] }],
  ])("%j with %j", async (pattern, url_template, errors) => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/realm/filters", HASH);
    const { status, body } = await realm.call("admin", "POST", "/realm/filters", { pattern, url_template });
    expect({ status, body }).toEqual({
      status: 400,
      body: { result: "error", msg: Object.values(errors).flat()[0], errors, code: "BAD_REQUEST" },
    });
  });
});

describe("example and reverse template (levels 471 and 478)", () => {
  const base = { pattern: "(?P<a>[a-z])-(?P<n>[0-9]+)", url_template: "https://x.example/{a}/{n}" };
  test.each([
    [{ example_input: "nothing" }, "Example input does not match the linkifier pattern."],
    [{ example_input: "see b-7", reverse_template: "{a}-{n}" }, "Example text does not match auto-conversion field."],
    [{ example_input: "b-7", reverse_template: "{a}-{n" }, "Invalid auto-conversion field: missing '}' character."],
    [{ example_input: "b-7", reverse_template: "{}" }, "Invalid auto-conversion field: empty field name."],
    [
      { example_input: "b-7", reverse_template: "{x}" },
      "Group 'x' in auto-conversion field is not present in linkifier pattern.",
    ],
  ])("%j: %s", async (more, msg) => {
    const realm = testRealm(478);
    const { body } = await realm.call("owner", "POST", "/realm/filters", { ...base, ...more });
    expect(body).toMatchObject({ msg, errors: { __all__: [msg] } });
  });

  test("all fields are stored, and shown from their level on", async () => {
    const more = {
      example_input: "b-7",
      reverse_template: "{a}-{n}",
      alternative_url_templates: ["https://y.example/{n}"],
    };
    const newest = testRealm(478);
    await newest.call("owner", "POST", "/realm/filters", { ...base, ...more });
    const list = await newest.call("guest", "GET", "/realm/linkifiers");
    expect(list.body.linkifiers).toEqual([{ ...base, ...more, id: 1 }]);

    const older = testRealm(470);
    const made = await older.call("owner", "POST", "/realm/filters", { ...base, ...more });
    expect(made.body.ignored_parameters_unsupported).toEqual(Object.keys(more).sort());
    const shown = await older.call("guest", "GET", "/realm/linkifiers");
    expect(shown.body.linkifiers).toEqual([{ ...base, id: 1 }]);
  });
  test("among groups with the same name, the first counts", async () => {
    const realm = testRealm(471);
    const sent = { pattern: "(?P<a>x+)-(?P<a>y+)", url_template: "{a}", example_input: "xx-y" };
    const make = async (reverse_template: string) =>
      (await realm.call("owner", "POST", "/realm/filters", { ...sent, reverse_template })).body.msg;
    expect(await make("{a}")).toBe("Example text does not match auto-conversion field.");
    expect(await make("{a}-y")).toBe("");
  });
  test("an example for a pattern that only RE2 itself reads is accepted without a check", async () => {
    const sent = { pattern: "\\C", url_template: "x", example_input: "y" };
    expect((await testRealm(471).call("owner", "POST", "/realm/filters", sent)).status).toBe(200);
  });
  test("a doubled brace is a literal brace", async () => {
    const realm = testRealm(471);
    const sent = {
      pattern: "\\{(?P<n>[0-9])\\}",
      url_template: "{n}",
      example_input: "{4}",
      reverse_template: "{{{n}}}",
    };
    expect((await realm.call("owner", "POST", "/realm/filters", sent)).status).toBe(200);
  });
});

/** The facts of zulip-api.md §6.4. */
describe("patterns", () => {
  test.each([
    ["capital letters make a different pattern", { pattern: "ABC", url_template: "x" }, ""],
    [
      "the same twice",
      { pattern: "abc", url_template: "y" },
      "Realm filter with this Realm and Pattern already exists.",
    ],
    ["a group name twice", { pattern: "(?P<a>x)(?P<a>y)", url_template: "{a}" }, ""],
    ["the short form", { pattern: "(?<n>x)", url_template: "{n}" }, ""],
    ["a name that begins with a digit", { pattern: "(?P<1a>x)", url_template: "{1a}" }, ""],
    ["groups without a name", { pattern: "(x)(y)", url_template: "z" }, ""],
  ])("%s", async (_, sent, msg) => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/realm/filters", { pattern: "abc", url_template: "x" });
    expect((await realm.call("owner", "POST", "/realm/filters", sent)).body.msg).toBe(msg);
  });
  test("two of them cannot be swapped; an unchanged one can be sent, and causes an event", async () => {
    const realm = testRealm();
    for (const pattern of ["a", "b"])
      await realm.call("owner", "POST", "/realm/filters", { pattern, url_template: "x" });
    const received = await realm.listen("member", ["linkifier_url_template"]);
    const change = async (pattern: string) =>
      (await realm.call("owner", "PATCH", "/realm/filters/1", { pattern, url_template: "x" })).body.msg;
    expect(await change("b")).toBe("Realm filter with this Realm and Pattern already exists.");
    expect(await change("a")).toBe("");
    expect(await received()).toHaveLength(1);
  });
});

describe("the order", () => {
  test("new ones are last, and everybody gets the whole list, whatever their client knows", async () => {
    const realm = testRealm();
    const received = await realm.listen("guest", ["linkifier_url_template"]);
    const toldOld = await realm.listen("guest");
    for (const pattern of ["a", "b"])
      await realm.call("owner", "POST", "/realm/filters", { pattern, url_template: "x" });
    await realm.call("owner", "PATCH", "/realm/linkifiers", { ordered_linkifier_ids: [2, 1] });
    await realm.call("owner", "POST", "/realm/filters", { pattern: "c", url_template: "x" });
    await realm.call("owner", "PATCH", "/realm/filters/1", { pattern: "d", url_template: "x" });
    await realm.call("owner", "DELETE", "/realm/filters/3");
    const events = await received();
    const [a, b, c] = ["a", "b", "c"].map((pattern, index) => ({ pattern, url_template: "x", id: index + 1 }));
    const d = { ...a, pattern: "d" };
    const lists = [[a], [a, b], [b, a], [b, a, c], [b, d, c], [b, d]];
    expect(events).toEqual(lists.map((realm_linkifiers) => ({ type: "realm_linkifiers", realm_linkifiers })));
    expect(await toldOld()).toEqual(events);
  });
});

test.each(["moderator", "member", "guest", "bot"])("a %s may not change them", async (as) => {
  const realm = testRealm();
  const refusal = { msg: "Must be an organization administrator", code: "UNAUTHORIZED_PRINCIPAL" };
  expect((await realm.call(as, "POST", "/realm/filters", HASH)).body).toMatchObject(refusal);
  expect((await realm.call(as, "PATCH", "/realm/filters/1")).body).toMatchObject(refusal);
  expect((await realm.call(as, "DELETE", "/realm/filters/1")).body).toMatchObject(refusal);
  expect((await realm.call(as, "PATCH", "/realm/linkifiers")).body).toMatchObject(refusal);
});

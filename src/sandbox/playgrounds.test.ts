import { describe, expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";

const PATH = "/realm/playgrounds";
const GOOD = { name: "Play", pygments_language: "Python", url_template: "https://py.example/{code}" };
const blank = "This field cannot be blank.";
const missing = 'Missing the required variable "code" in the URL template';
const other = '"code" should be the only variable present in the URL template';

/** The facts of zulip-api.md §12.5. */
describe("a playground", () => {
  test.each<[object, object]>([
    [{ name: "" }, { name: [blank] }],
    [{ pygments_language: " " }, { pygments_language: [blank] }],
    [{ url_template: "" }, { url_template: [blank], __all__: [missing] }],
    [{ url_template: "{" }, { url_template: ["Invalid URL template."] }],
    [
      { name: " ", url_template: "{" },
      { url_template: ["Invalid URL template."], name: [blank] },
    ],
    [{ url_template: "x" }, { __all__: [missing] }],
    [{ url_template: "{other}" }, { __all__: [missing] }],
    [{ url_template: "{code}{more}" }, { __all__: [other] }],
    [{ name: "Play" }, { __all__: ["Realm playground with this Realm, Pygments language and Name already exists."] }],
  ])("%j is refused: %j", async (change, errors) => {
    const realm = testRealm();
    await realm.call("owner", "POST", PATH, GOOD);
    const { status, body } = await realm.call("owner", "POST", PATH, { ...GOOD, name: "Other", ...change });
    const msg = Object.values(errors).flat()[0];
    expect({ status, body }).toEqual({ status: 400, body: { result: "error", msg, errors, code: "BAD_REQUEST" } });
  });
  test.each<[object, number, string]>([
    [{ pygments_language: "a&b", name: "" }, 400, "Invalid characters in pygments language"],
    [{ pygments_language: "größe" }, 400, "Invalid characters in pygments language"],
    [{ pygments_language: "Go\n" }, 200, ""],
    [{ pygments_language: "G\no" }, 400, "Invalid characters in pygments language"],
    [{ pygments_language: "Go\n\n" }, 400, "Invalid characters in pygments language"],
    [{ pygments_language: "p".repeat(41) }, 500, "Internal server error"],
    [{ pygments_language: "p".repeat(40) }, 200, ""],
    [{ pygments_language: "C++, c#/.net-x_1" }, 200, ""],
    [{ name: "play" }, 200, ""],
    [{ name: "Other", url_template: "{code}{?code}" }, 200, ""],
    [{ url_template: undefined }, 400, "Missing 'url_template' argument"],
  ])("%j: %i %s", async (change, status, msg) => {
    const realm = testRealm();
    await realm.call("owner", "POST", PATH, GOOD);
    expect(await realm.call("owner", "POST", PATH, { ...GOOD, ...change })).toMatchObject({ status, body: { msg } });
  });

  test("removing a playground of the realm's default language removes the default, even if another playground remains", async () => {
    const realm = testRealm();
    await realm.call("owner", "POST", PATH, GOOD);
    await realm.call("owner", "POST", PATH, { ...GOOD, name: " Other " });
    await realm.call("owner", "PATCH", "/realm", { default_code_block_language: "Python" });
    const events = await realm.listen("member");
    await realm.call("owner", "DELETE", `${PATH}/1`);
    expect(await events()).toEqual([
      { type: "realm", op: "update", property: "default_code_block_language", value: "" },
      { type: "realm_playgrounds", realm_playgrounds: [{ id: 2, ...GOOD, name: "Other" }] },
    ]);
    expect((await realm.call("owner", "DELETE", `${PATH}/1`)).body.msg).toBe("Invalid playground");
  });
  test.each(["moderator", "member", "guest", "bot"])("a %s may not create or remove one", async (as) => {
    const realm = testRealm();
    const refusal = { msg: "Must be an organization administrator", code: "UNAUTHORIZED_PRINCIPAL" };
    expect((await realm.call(as, "POST", PATH, GOOD)).body).toMatchObject(refusal);
    expect((await realm.call(as, "DELETE", `${PATH}/1`)).body).toMatchObject(refusal);
  });
});

import { describe, expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";

const PATH = "/realm/playgrounds";
const GOOD = { name: "Play", pygments_language: "Python", url_template: "https://py.example/{code}" };

/** The facts of zulip-api.md §12.5. */
describe("a playground", () => {
  test.each<[object, number, string]>([
    [{ pygments_language: "Go\n" }, 200, ""],
    [{ pygments_language: "p".repeat(40) }, 200, ""],
    [{ pygments_language: "C++, c#/.net-x_1" }, 200, ""],
    [{ name: "play" }, 200, ""],
    [{ name: "Other", url_template: "{code}{?code}" }, 200, ""],
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
});

import { expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";

const exists = "Navigation view already exists.";
const builtIn = "Built-in views cannot have a custom name.";

/** zulip-api.md §8: the answers for an account with the views inbox, "narrow/a" (A) and "narrow/b" (B). */
test.each<[string, string, object, number, string]>([
  ["POST", "", { fragment: "recent", is_pinned: true }, 200, ""],
  ["POST", "", { fragment: "narrow/c", is_pinned: true, name: " C " }, 200, ""],
  ["POST", "", { fragment: "narrow/c", is_pinned: true, name: "a" }, 200, ""],
  ["POST", "", { fragment: "inbox", is_pinned: true }, 400, exists],
  ["POST", "", { fragment: " narrow/a ", is_pinned: true, name: "C" }, 400, exists],
  ["POST", "", { fragment: "narrow/c", is_pinned: true, name: "A" }, 400, exists],
  ["POST", "", { fragment: "recent", is_pinned: true, name: "R" }, 400, builtIn],
  ["POST", "", { fragment: "Recent", is_pinned: true }, 400, "Custom views must have a valid name."],
  ["POST", "", { fragment: " ", is_pinned: true, name: "" }, 400, "fragment cannot be blank"],
  ["POST", "", { fragment: "recent", is_pinned: true, name: " " }, 400, "name cannot be blank"],
  ["POST", "", { is_pinned: true }, 400, "Missing 'fragment' argument"],
  ["POST", "", { fragment: "recent" }, 400, "Missing 'is_pinned' argument"],
  ["POST", "", { fragment: "recent", is_pinned: "yes" }, 400, "is_pinned is not valid JSON"],
  ["PATCH", "/inbox", {}, 200, ""],
  ["PATCH", "/inbox", { is_pinned: true }, 200, ""],
  ["PATCH", "/inbox", { name: "In" }, 400, builtIn],
  ["PATCH", "/drafts", { name: "In" }, 400, builtIn],
  ["PATCH", "/drafts", { is_pinned: true }, 404, "Navigation view does not exist."],
  ["PATCH", "/narrow/a", { name: "A2" }, 200, ""],
  ["PATCH", "/narrow%2Fa", { name: "A2" }, 200, ""],
  ["PATCH", "/narrow/a", { name: "A" }, 400, exists],
  ["PATCH", "/narrow/a", { name: "B" }, 400, exists],
  ["PATCH", "/narrow/none", { name: "B" }, 400, exists],
  ["PATCH", "/narrow/none", { name: "N" }, 404, "Navigation view does not exist."],
  ["DELETE", "/inbox", {}, 200, ""],
  ...["feed", "drafts", "narrow/has/reaction/sender/me", "narrow/is/mentioned", "narrow/is/starred", "scheduled"].map(
    (fragment): [string, string, object, number, string] => [
      "POST",
      "",
      { fragment, is_pinned: true, name: "N" },
      400,
      builtIn,
    ],
  ),
  ["POST", "", { fragment: "reminders", is_pinned: true, name: "N" }, 400, builtIn],
  ["PATCH", "/narrow/none", { name: "" }, 400, "name cannot be blank"],
  ["DELETE", "/narrow/a", {}, 200, ""],
  ["DELETE", "/narrow%2Fa", {}, 200, ""],
  ["DELETE", "/recent", {}, 404, "Navigation view does not exist."],
])("%s /navigation_views%s %j: %i %s", async (method, path, params, status, msg) => {
  const realm = testRealm();
  await realm.call("guest", "POST", "/navigation_views", { fragment: "inbox", is_pinned: false });
  for (const name of ["A", "B"])
    await realm.call("guest", "POST", "/navigation_views", {
      fragment: `narrow/${name.toLowerCase()}`,
      is_pinned: false,
      name,
    });
  expect(await realm.call("guest", method, `/navigation_views${path}`, { ...params })).toMatchObject({
    status,
    body: { msg },
  });
});

test("they belong to one account, and only this account gets events", async () => {
  const realm = testRealm();
  const [own, other] = [await realm.listen("bot"), await realm.listen("owner")];
  await realm.call("bot", "POST", "/navigation_views", { fragment: "x", is_pinned: true, name: "X" });
  await realm.call("bot", "PATCH", "/navigation_views/x", { is_pinned: false });
  expect((await realm.call("owner", "GET", "/navigation_views")).body.navigation_views).toEqual([]);
  expect((await realm.call("bot", "GET", "/navigation_views")).body.navigation_views).toEqual([
    { fragment: "x", is_pinned: false, name: "X" },
  ]);
  await realm.call("bot", "DELETE", "/navigation_views/x");
  expect(await own()).toEqual([
    { type: "navigation_view", op: "add", navigation_view: { fragment: "x", is_pinned: true, name: "X" } },
    { type: "navigation_view", op: "update", fragment: "x", data: { is_pinned: false } },
    { type: "navigation_view", op: "remove", fragment: "x" },
  ]);
  expect(await other()).toEqual([]);
});

test.each([{ is_pinned: true }, { is_pinned: false }])(
  "PATCH %j causes an event, even without a change",
  async (sent) => {
    const realm = testRealm();
    await realm.call("member", "POST", "/navigation_views", { fragment: "inbox", is_pinned: true });
    const events = await realm.listen("member");
    await realm.call("member", "PATCH", "/navigation_views/inbox", sent);
    expect(await events()).toEqual([{ type: "navigation_view", op: "update", fragment: "inbox", data: sent }]);
  },
);

test("incoming webhook bots have none, and servers before level 390 do not either", async () => {
  expect((await testRealm().call("webhookbot", "GET", "/navigation_views")).status).toBe(401);
  const sandbox = testRealm(389);
  await expect(sandbox.call("owner", "GET", "/navigation_views")).rejects.toThrow("not valid JSON");
});

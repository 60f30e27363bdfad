import { expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";

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

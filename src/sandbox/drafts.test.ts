import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";

/** api.md operation 9: one row per fact. */

type Params = { readonly [name: string]: unknown };
const DRAFT = { type: "stream", to: [3], topic: "t", content: "c", timestamp: 1_700_000_000 };
const make = async (realm: TestRealm, as = "member"): Promise<number> => {
  const { body } = await realm.call(as, "POST", "/drafts", { drafts: [DRAFT] });
  return Array.isArray(body.ids) ? Number(body.ids[0]) : 0;
};

test.each<readonly [fact: string, changes: Params, message: string]>([
  ["a deactivated person", { type: "private", to: [15] }, "'user15@zulipdev.com' is no longer using Zulip."],
  ["a number for the list", { to: 3 }, 'draft["to"] is not a list'],
  ["a word in the list", { to: ["x"] }, 'draft["to"][0] is not an integer'],
  ["a number for the topic", { topic: 3 }, 'draft["topic"] is not a string'],
  ["blank content", { content: " \n" }, 'draft["content"] cannot be blank'],
  ["null bytes in the topic", { topic: "a\0" }, "Topic must not contain null bytes"],
])("PATCH refuses %s", async (_fact, changes, message) => {
  const realm = testRealm();
  const id = await make(realm);
  const { status, body } = await realm.call("member", "PATCH", `/drafts/${id}`, { draft: { ...DRAFT, ...changes } });
  expect([status, body.msg]).toEqual([400, message]);
});

test.each<readonly [fact: string, changes: Params, stored: Params]>([
  ["content without the white space around it", { content: "  a " }, { content: "a" }],
  [
    "no address: neither receivers nor topic are checked",
    { type: "", to: [99999], topic: "a\0" },
    { type: "", to: [], topic: "" },
  ],
])("PATCH takes %s", async (_fact, changes, stored) => {
  const realm = testRealm();
  const id = await make(realm);
  await realm.call("member", "PATCH", `/drafts/${id}`, { draft: { ...DRAFT, ...changes } });
  const { body } = await realm.call("member", "GET", "/drafts");
  expect(body).toMatchObject({ count: 1, drafts: [{ ...DRAFT, ...changes, ...stored, id }] });
});

test.each([
  ["unknown", "member", 77],
  ["another's", "member2", undefined],
])("%s draft: 404 (§16.10)", async (_fact, as, id) => {
  const realm = testRealm();
  const own = await make(realm);
  const path = `/drafts/${id ?? own}`;
  for (const [method, params] of [
    ["PATCH", { draft: DRAFT }],
    ["DELETE", {}],
  ] as const) {
    const { status, body } = await realm.call(as, method, path, params);
    expect([status, body.msg, body.code]).toEqual([404, "Draft does not exist", "BAD_REQUEST"]);
  }
});

test("if drafts are switched off, they are refused before their parameters are checked", async () => {
  const realm = testRealm();
  await realm.call("member", "PATCH", "/settings", { enable_drafts_synchronization: false });
  const { body } = await realm.call("member", "POST", "/drafts", {});
  expect(body.msg).toBe("User has disabled synchronizing drafts.");
});

test("the user's other clients get events", async () => {
  const realm = testRealm();
  const events = await realm.listen("member");
  const others = await realm.listen("member2");
  const id = await make(realm);
  await realm.call("member", "PATCH", `/drafts/${id}`, { draft: { ...DRAFT, content: "d" } });
  await realm.call("member", "DELETE", `/drafts/${id}`);
  expect(await events()).toEqual([
    { type: "drafts", op: "add", drafts: [{ ...DRAFT, id }] },
    { type: "drafts", op: "update", draft: { ...DRAFT, id, content: "d" } },
    { type: "drafts", op: "remove", draft_id: id },
  ]);
  expect(await others()).toEqual([]);
});

test.each<readonly [fact: string, edits: readonly (number | null)[], order: readonly number[]]>([
  ["a moment later, in one second", [null, null], [1, 2]],
  ["edited last", [null, null, 1], [2, 1]],
  ["by fractions of a second", [1_700_000_000.5, 1_700_000_000.25], [2, 1]],
])("drafts come by the time of their last edit: %s", async (_fact, edits, order) => {
  const realm = testRealm();
  for (const edit of edits)
    if (edit === 1) await realm.call("member", "PATCH", "/drafts/1", { draft: { ...DRAFT, timestamp: null } });
    else await realm.call("member", "POST", "/drafts", { drafts: [{ ...DRAFT, timestamp: edit }] });
  const { body } = await realm.call("member", "GET", "/drafts");
  const drafts = Array.isArray(body.drafts) ? body.drafts : [];
  expect(drafts.map(({ id }) => id)).toEqual(order);
  expect(drafts.every(({ timestamp }) => Number.isInteger(timestamp))).toBe(true);
});
test("the drafts of one call are in their order, and before later edits", async () => {
  const realm = testRealm();
  const draft = { ...DRAFT, timestamp: null };
  await realm.call("member", "POST", "/drafts", { drafts: [draft, draft, draft] });
  await realm.call("member", "PATCH", "/drafts/2", { draft });
  const { body } = await realm.call("member", "GET", "/drafts");
  expect(Array.isArray(body.drafts) && body.drafts.map(({ id }) => id)).toEqual([1, 3, 2]);
});

import { beforeEach, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isObject, type JsonObject } from "../../model/json.ts";

/** zulip-api.md §5.2: who may subscribe others. One row per fact; `member` created the channel "x". */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
const people = (...names: string[]) => ({ direct_members: names.map((name) => realm.id(name)), direct_subgroups: [] });
const add = (as: string, target: string, more: JsonObject = {}) =>
  realm.call(as, "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "x" }],
    principals: [realm.id(target)],
    ...more,
  });
const DENIED = "Insufficient permission";
const SHUT = "Unable to access channel (x).";

interface Row {
  readonly fact: string;
  readonly as: string;
  /** The group of the realm that may add people; default: role:nobody. */
  readonly mayAdd?: string;
  readonly made?: () => JsonObject;
  readonly target?: string;
  readonly msg: string;
}
const rows: readonly Row[] = [
  { fact: "people who administer the channel", as: "member", msg: "" },
  {
    fact: "people whom the channel's setting names",
    as: "member2",
    made: () => ({ can_add_subscribers_group: people("member2") }),
    msg: "",
  },
  {
    fact: "a private channel: not even administrators who cannot read it",
    as: "admin",
    made: () => ({ invite_only: true }),
    msg: SHUT,
  },
  {
    fact: "a private channel: not people whom only the realm's setting names",
    as: "member2",
    mayAdd: "role:members",
    made: () => ({ invite_only: true }),
    msg: SHUT,
  },
  {
    fact: "a private channel: people whom its setting for adding names",
    as: "member2",
    made: () => ({ invite_only: true, can_add_subscribers_group: people("member2") }),
    msg: "",
  },
  {
    fact: "a private channel: people whom its setting for joining names, for themselves",
    as: "member2",
    made: () => ({ invite_only: true, can_subscribe_group: people("member2") }),
    target: "member2",
    msg: "",
  },
  { fact: "guests are never included", as: "guest", mayAdd: "role:members", msg: "Not allowed for guest users" },
];
test.each(rows)("$fact", async ({ as, mayAdd = "role:nobody", made, target = "member3", msg }) => {
  const sent = { name: "x", subscribers: [realm.id("member")], ...made?.() };
  expect((await realm.call("member", "POST", "/channels/create", sent)).body.msg).toBe("");
  await realm.call("owner", "PATCH", "/realm", { can_add_subscribers_group: { new: realm.group(mayAdd) } });
  const { body } = await add(as, target);
  expect(body.msg).toBe(msg);
  if (msg === "") expect(body.subscribed).toEqual({ [realm.id(target)]: ["x"] });
});

test("one channel without the right makes the whole call fail", async () => {
  await realm.call("member", "POST", "/channels/create", { name: "x", subscribers: [] });
  await realm.call("owner", "PATCH", "/realm", { can_add_subscribers_group: { new: realm.group("role:nobody") } });
  const both = [{ name: "x" }, { name: "general" }];
  await realm.call("owner", "DELETE", "/users/me/subscriptions", {
    subscriptions: ["general"],
    principals: [realm.id("member3")],
  });
  expect((await add("member", "member3", { subscriptions: both })).body.msg).toBe(DENIED);
  const { body } = await realm.call("owner", "GET", `/users/${realm.id("member3")}/subscriptions/3`);
  expect(body.is_subscribed).toBe(false);
});

test("the creator of a channel may add others to it", async () => {
  await realm.call("owner", "PATCH", "/realm", { can_add_subscribers_group: { new: realm.group("role:nobody") } });
  const { body } = await add("member", "member3");
  expect(isObject(body.subscribed) && Object.keys(body.subscribed)).toEqual([String(realm.id("member3"))]);
});

/** §3.4: the second time, the name is that of an existing channel. */
test.each<[fact: string, as: string, sent: JsonObject, body: JsonObject]>([
  ["public: once", "member", {}, { msg: "", subscribed: { ME: ["new"] } }],
  ["private: nobody can read it yet", "member", { invite_only: true }, { msg: "Unable to access channel (new)." }],
  [
    "private, and not fatal: as often as it is repeated",
    "member",
    { invite_only: true, authorization_errors_fatal: false },
    { msg: "", unauthorized: ["new", "new"], subscribed: { ME: ["new"] } },
  ],
  [
    "private, and the caller may subscribe",
    "member",
    { invite_only: true, can_subscribe_group: "role:members" },
    { msg: "", subscribed: { ME: ["new"] } },
  ],
])("a new channel that is named three times, %s", async (_fact, as, sent, body) => {
  const group = sent.can_subscribe_group;
  const reply = await realm.call(as, "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "new" }, { name: "NEW" }, { name: " new" }],
    ...sent,
    ...(typeof group === "string" ? { can_subscribe_group: realm.group(group) } : {}),
  });
  const mine = JSON.parse(JSON.stringify(body).replace("ME", String(realm.id(as))));
  expect(reply.body).toMatchObject(mine);
});
test("a channel that the caller may not read is listed as unauthorized as often as it is named, and removed once", async () => {
  await realm.call("member", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "shut" }],
    invite_only: true,
  });
  const sent = { subscriptions: [{ name: "shut" }, { name: "SHUT" }], authorization_errors_fatal: false };
  const { body } = await realm.call("member2", "POST", "/users/me/subscriptions", sent);
  expect(body).toMatchObject({ subscribed: {}, already_subscribed: {}, unauthorized: ["shut", "shut"] });
  const gone = await realm.call("member", "DELETE", "/users/me/subscriptions", { subscriptions: ["shut", "Shut"] });
  expect(gone.body).toMatchObject({ removed: ["shut"], not_removed: [] });
});

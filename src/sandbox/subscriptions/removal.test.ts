import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** api.md operation 7 and zulip-api.md §5.1: one row per fact. `member` created the channel "x". */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
const join = (as: string, name: string, params: JsonObject = {}) =>
  realm.call(as, "POST", "/users/me/subscriptions", { subscriptions: [{ name }], ...params });
const remove = (as: string, subscriptions: unknown, ...people: string[]) => {
  const principals = people.length === 0 ? undefined : people.map((name) => realm.id(name));
  return realm.call(as, "DELETE", "/users/me/subscriptions", { subscriptions, principals });
};
const DENIED = "Insufficient permission";

describe("who may remove others", () => {
  test.each<[as: string, target: string, msg: string]>([
    ["owner", "member2", ""],
    ["admin", "member2", ""],
    ["moderator", "member2", DENIED],
    ["member2", "member", DENIED],
    ["guest", "member2", DENIED],
    ["memberbot", "member2", DENIED],
    ["member", "member2", ""],
    ["member2", "member2", ""],
    ["member", "memberbot", ""],
  ])("%s removes %s: %j", async (as, target, msg) => {
    await join("member", "x");
    for (const each of ["member2", "guest", "memberbot"]) await join("owner", "x", { principals: [realm.id(each)] });
    expect((await remove(as, ["x"], target)).body.msg).toBe(msg);
  });
  test("an administrator needs no access to the content", async () => {
    await join("member", "x", { invite_only: true });
    expect((await remove("admin", ["x"], "member")).body.removed).toEqual(["x"]);
  });
  test.each<[fact: string, names: readonly string[], msg: string]>([
    ["somebody in can_remove_subscribers_group", ["member3"], ""],
    ["somebody who is not in it", ["member4"], DENIED],
  ])("%s", async (_fact, names, msg) => {
    const group = { direct_members: names.map((name) => realm.id(name)), direct_subgroups: [] };
    await join("member", "x", { can_remove_subscribers_group: group });
    await join("member2", "x");
    expect((await remove("member3", ["x"], "member2")).body.msg).toBe(msg);
  });
  test("being in that group has no effect for people who cannot see the channel", async () => {
    const group = { direct_members: [realm.id("member3")], direct_subgroups: [] };
    await join("member", "x", { invite_only: true, can_remove_subscribers_group: group });
    expect((await remove("member3", ["x"], "member")).body.msg).toBe(DENIED);
  });
  test("a right on one of two channels is not enough for both", async () => {
    await join("member", "x");
    await join("owner", "y");
    for (const name of ["x", "y"]) await join("member2", name);
    expect((await remove("member", ["x", "y"], "member2")).body.msg).toBe(DENIED);
    expect((await remove("member", ["x"], "member2")).status).toBe(200);
  });
});

describe("the answer", () => {
  test("lists one name for each pair of person and channel, in both lists", async () => {
    await join("member", "x");
    await join("member", "y");
    await join("member2", "x");
    const { body } = await remove("owner", ["x", "y"], "member", "member2");
    expect([isList(body.removed) && [...body.removed].sort(), body.not_removed]).toEqual([["x", "x", "y"], ["y"]]);
  });
  test.each<[fact: string, names: readonly string[], removed: readonly string[], not: readonly string[]]>([
    ["somebody who is not subscribed is not an error", ["general", "x"], ["general"], ["x"]],
    ["other case and white space", [" GENERAL "], ["general"], []],
    ["nothing", [], [], []],
  ])("%s", async (_fact, names, removed, not_removed) => {
    await join("owner", "x");
    const { status, body } = await remove("member2", names);
    expect([status, body.removed, body.not_removed]).toEqual([200, removed, not_removed]);
  });
  test("a private channel that the caller cannot see counts as not removed", async () => {
    await join("member", "x", { invite_only: true });
    expect((await remove("member2", ["x"])).body).toMatchObject({ removed: [], not_removed: ["x"] });
  });
  test.each<[sent: unknown, msg: string]>([
    [["general", "nope"], "Channel(s) (nope) do not exist"],
    [["no", "nor"], "Channel(s) (no, nor) do not exist"],
    [[" "], "Channel name can't be empty."],
    [["n".repeat(61)], "Channel name too long (limit: 60 characters)."],
    ["general", "subscriptions is not valid JSON"],
    [[1], "subscriptions[0] is not a string"],
    [undefined, "Missing 'subscriptions' argument"],
  ])("%j: %s, and nothing is removed", async (sent, msg) => {
    expect((await remove("member", sent)).body.msg).toBe(msg);
    const { subscriptions } = (await realm.call("member", "GET", "/users/me/subscriptions")).body;
    const names = (isList(subscriptions) ? subscriptions : []).map((each) => (isObject(each) ? each.name : null));
    expect(names).toContain("general");
  });
  test.each<[principals: unknown, msg: string]>([
    [[4242], "No such user"],
    [[15], "User is deactivated"],
    [["user10@zulipdev.com"], ""],
    [["nobody@example.org"], "No such user"],
    [[9, "user10@zulipdev.com"], 'principals["list[str]"][0] is not a string'],
    [9, 'principals["list[str]"] is not a list'],
    ["user10@zulipdev.com", "principals is not valid JSON"],
  ])("principals %j: %j", async (principals, msg) => {
    const sent = { subscriptions: ["general"], principals };
    expect((await realm.call("owner", "DELETE", "/users/me/subscriptions", sent)).body.msg).toBe(msg);
  });
});

describe("the effects", () => {
  test("nobody gets a message; the person and people who know the channel get events", async () => {
    const [own, other] = [await realm.listen("member2"), await realm.listen("member")];
    await remove("owner", ["general"], "member2");
    expect(await own()).toEqual([
      { type: "subscription", op: "remove", subscriptions: [{ name: "general", stream_id: 3 }] },
      expect.objectContaining({ type: "update_message_flags", flag: "read" }),
    ]);
    expect(await other()).toEqual([
      { type: "subscription", op: "peer_remove", stream_ids: [3], user_ids: [realm.id("member2")] },
    ]);
  });
  test("the last subscriber may leave a private channel, which stays the same", async () => {
    const { body } = await join("member", "x", { invite_only: true });
    expect(body.msg).toBe("");
    expect((await remove("member", ["x"])).body.removed).toEqual(["x"]);
    const { streams } = (await realm.call("owner", "GET", "/streams", { include_all: true })).body;
    expect(streams).toContainEqual(expect.objectContaining({ name: "x", is_archived: false, subscriber_count: 0 }));
  });
  test("an archived channel can be left", async () => {
    await realm.call("owner", "DELETE", "/streams/2");
    expect((await remove("member", ["sandbox"])).body.removed).toEqual(["sandbox"]);
  });
});

describe("§5.3 the own subscriptions", () => {
  const own = async (params: JsonObject = {}) => {
    const { subscriptions } = (await realm.call("member", "GET", "/users/me/subscriptions", params)).body;
    return (isList(subscriptions) ? subscriptions : []).filter((each): each is JsonObject => isObject(each));
  };
  test("omit archived channels and those that the user left", async () => {
    await realm.call("owner", "DELETE", "/streams/2");
    await remove("member", ["Zulip"]);
    expect((await own()).map(({ name }) => name)).toEqual(["general"]);
  });
  test.each([
    [undefined, false],
    ["false", false],
    ["true", true],
    ["partial", true],
  ])("include_subscribers=%s: with people %s", async (include_subscribers, found) => {
    const [channel] = await own(include_subscribers === undefined ? {} : { include_subscribers });
    expect(Object.hasOwn(channel ?? {}, "subscribers")).toBe(found);
  });
  test.each([["yes"], ["1"]])("include_subscribers=%s is refused", async (include_subscribers) => {
    const { body } = await realm.call("member", "GET", "/users/me/subscriptions", { include_subscribers });
    expect(body.msg).toBe("Invalid include_subscribers");
  });
  test("PATCH with nothing to do is refused", async () => {
    expect((await realm.call("member", "PATCH", "/users/me/subscriptions", {})).body.msg).toBe(
      'Nothing to do. Specify at least one of "add" or "delete".',
    );
  });
  test("PATCH has the answers and the parameters of both calls", async () => {
    const patch = async (as: string, params: object) =>
      (await realm.call(as, "PATCH", "/users/me/subscriptions", { ...params })).body;
    const both = { add: [{ name: "x" }], delete: ["general"], principals: [realm.id("member")], invite_only: true };
    expect(await patch("owner", both)).toEqual({
      result: "success",
      msg: "",
      subscribed: { [realm.id("member")]: ["x"] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
      removed: ["general"],
      not_removed: [],
    });
    expect((await patch("owner", { delete: ["x"] })).msg).toBe("");
    expect((await patch("member2", { add: [{ name: "x" }] })).msg).toBe("Unable to access channel (x).");
    expect((await patch("guest", { delete: ["general"] })).msg).toBe("Not allowed for guest users");
    expect((await patch("guest", {})).msg).toContain("Nothing to do.");
  });
});

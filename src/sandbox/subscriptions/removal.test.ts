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
});

describe("the answer", () => {
  test.each<[sent: unknown, msg: string]>([
    [["general", "nope"], "Channel(s) (nope) do not exist"],
    [["no", "nor"], "Channel(s) (no, nor) do not exist"],
  ])("%j: %s, and nothing is removed", async (sent, msg) => {
    expect((await remove("member", sent)).body.msg).toBe(msg);
    const { subscriptions } = (await realm.call("member", "GET", "/users/me/subscriptions")).body;
    const names = (isList(subscriptions) ? subscriptions : []).map((each) => (isObject(each) ? each.name : null));
    expect(names).toContain("general");
  });
  test.each<[principals: unknown, msg: string]>([
    [["user10@zulipdev.com"], ""],
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

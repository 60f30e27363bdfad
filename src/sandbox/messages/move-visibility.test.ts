import { describe, expect, test } from "vitest";
import { edit, type Params, say } from "../../../test/support/sandbox/messages.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** Muted, unmuted and followed topics when messages are moved or sent: one row per fact. */

const [INHERIT, MUTED, UNMUTED, FOLLOWED] = [0, 1, 2, 3];
const decide = (realm: TestRealm, as: string, topic: string, visibility_policy: number | undefined, stream_id = 3) =>
  realm.call(as, "POST", "/user_topics", { stream_id, topic, visibility_policy });

async function topicsOf(realm: TestRealm, as: string): Promise<readonly unknown[]> {
  const { body } = await realm.call(as, "POST", "/register", { fetch_event_types: ["user_topic"] });
  const rows = Array.isArray(body.user_topics) ? body.user_topics : [];
  return rows.map(({ stream_id, topic_name, visibility_policy }) => [stream_id, topic_name, visibility_policy]);
}
/** No setting makes the member follow topics. */
async function quietRealm(): Promise<TestRealm> {
  const realm = testRealm();
  for (const as of ["member", "member2"])
    await realm.call(as, "PATCH", "/settings", { automatically_follow_topics_policy: 4 });
  return realm;
}

describe("all of a topic", () => {
  test.each<readonly [had: number | undefined, there: number | undefined, becomes: number]>([
    [MUTED, undefined, INHERIT],
    [MUTED, MUTED, MUTED],
    [MUTED, UNMUTED, UNMUTED],
    [MUTED, FOLLOWED, FOLLOWED],
    [UNMUTED, MUTED, UNMUTED],
    [UNMUTED, undefined, UNMUTED],
    [FOLLOWED, UNMUTED, FOLLOWED],
    [undefined, MUTED, INHERIT],
  ])("%j joins messages with %j: %j", async (had, there, becomes) => {
    const realm = await quietRealm();
    const id = await say(realm, "member", "a", "1");
    await say(realm, "member", "b", "2");
    if (had !== undefined) await decide(realm, "member2", "a", had);
    if (there !== undefined) await decide(realm, "member2", "b", there);
    await edit(realm, "member", id, { topic: "b", propagate_mode: "change_all" });
    expect(await topicsOf(realm, "member2")).toEqual(becomes === INHERIT ? [] : [[3, "b", becomes]]);
  });

  test.each<readonly [had: number | undefined, there: number | undefined, becomes: number]>([
    [MUTED, undefined, MUTED],
    [MUTED, FOLLOWED, MUTED],
    [undefined, FOLLOWED, INHERIT],
  ])("%j to a place without messages, with %j: %j", async (had, there, becomes) => {
    const realm = await quietRealm();
    const id = await say(realm, "member", "a", "1");
    if (had !== undefined) await decide(realm, "member2", "a", had);
    if (there !== undefined) await decide(realm, "member2", "b", there);
    await edit(realm, "member", id, { topic: "b" });
    expect(await topicsOf(realm, "member2")).toEqual(becomes === INHERIT ? [] : [[3, "b", becomes]]);
  });

  test("the event about the old name comes first; unchanged topics have none", async () => {
    const realm = await quietRealm();
    const id = await say(realm, "member", "a", "1");
    await say(realm, "member", "b", "2");
    await decide(realm, "member2", "a", MUTED);
    await decide(realm, "member2", "b", FOLLOWED);
    await decide(realm, "member", "b", UNMUTED);
    const [heard, own] = [await realm.listen("member2"), await realm.listen("member")];
    await edit(realm, "member", id, { topic: "b" });
    const received = (events: readonly Params[]) =>
      events.filter(({ type }) => type === "user_topic").map((each) => [each.topic_name, each.visibility_policy]);
    expect(received(await heard())).toEqual([["a", INHERIT]]);
    expect(received(await own())).toEqual([]);
  });

  test("older clients get one event for both topics", async () => {
    const realm = await quietRealm();
    const id = await say(realm, "member", "a", "1");
    await decide(realm, "member2", "a", MUTED);
    const heard = await realm.listen("member2");
    await edit(realm, "member", id, { topic: "b" });
    const received = (await heard()).filter(({ type }) => type === "muted_topics" || type === "user_topic");
    expect(received).toMatchObject([
      { type: "user_topic", topic_name: "a" },
      { type: "muted_topics", muted_topics: [["general", "b", expect.any(Number)]] },
      { type: "user_topic", topic_name: "b" },
    ]);
  });

  test("in a channel that the user cannot read, the policy is removed", async () => {
    const realm = await quietRealm();
    const made = { name: "closed", subscribers: [realm.id("admin")], invite_only: true };
    const stream_id = Number((await realm.call("admin", "POST", "/channels/create", made)).body.id);
    const id = await say(realm, "member", "a", "1");
    for (const as of ["member2", "admin"]) await decide(realm, as, "a", MUTED);
    expect((await edit(realm, "admin", id, { stream_id })).body.msg).toBe("");
    expect(await topicsOf(realm, "member2")).toEqual([]);
    expect(await topicsOf(realm, "admin")).toEqual([[stream_id, "a", MUTED]]);
  });
});

describe("a part of a topic", () => {
  const INITIATION = { automatically_follow_topics_policy: 3 };
  const UNMUTES = {
    automatically_follow_topics_policy: 4,
    automatically_unmute_topics_in_muted_streams_policy: 3,
  };
  const mute = (realm: TestRealm) =>
    realm.call("member", "POST", "/users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: 3, property: "is_muted", value: true }],
    });
  /** Two messages of the member in "a"; the second moves to "b". */
  async function parted(settings: Params, prepare: (realm: TestRealm) => Promise<unknown>): Promise<TestRealm> {
    const realm = await quietRealm();
    await say(realm, "member", "a", "1");
    const id = await say(realm, "member", "a", "2");
    await prepare(realm);
    await realm.call("member", "PATCH", "/settings", settings);
    expect((await edit(realm, "admin", id, { topic: "b", propagate_mode: "change_later" })).body.msg).toBe("");
    return realm;
  }
  const nothing = async () => undefined;
  test.each<readonly [fact: string, settings: Params, prepare: (realm: TestRealm) => Promise<unknown>, unknown]>([
    ["its sender follows topics that they start", INITIATION, nothing, [[3, "b", FOLLOWED]]],
    ["not by another policy", { automatically_follow_topics_policy: 2 }, nothing, []],
    ["not if there are earlier messages", INITIATION, before, []],
    ["in a muted channel it is unmuted", UNMUTES, mute, [[3, "b", UNMUTED]]],
    ["in others it is not", UNMUTES, nothing, []],
    ["an earlier policy is replaced", INITIATION, (realm) => decide(realm, "member", "b", MUTED), [[3, "b", FOLLOWED]]],
    [
      "a followed topic stays followed",
      INITIATION,
      (realm) => decide(realm, "member", "b", FOLLOWED),
      [[3, "b", FOLLOWED]],
    ],
    ["the decision about the rest stays", {}, (realm) => decide(realm, "member", "a", MUTED), [[3, "a", MUTED]]],
  ])("%s", async (_fact, settings, prepare, expected) => {
    expect(await topicsOf(await parted(settings, prepare), "member")).toEqual(expected);
  });
  /** A message older than the one that moves. */
  async function before(realm: TestRealm): Promise<void> {
    const { body } = await realm.call("member", "GET", "/messages", { anchor: "oldest", num_before: 0, num_after: 50 });
    const [first] = Array.isArray(body.messages) ? body.messages.filter(({ subject }) => subject === "a") : [];
    expect((await edit(realm, "admin", first.id, { topic: "b" })).body.msg).toBe("");
  }
});

describe("somebody who sends a message", () => {
  const policies = (follow: number, unmute: number): Params => ({
    automatically_follow_topics_policy: follow,
    automatically_unmute_topics_in_muted_streams_policy: unmute,
  });
  const [PARTICIPATION, SEND, INITIATION, NEVER] = [1, 2, 3, 4];
  test.each<readonly [fact: string, settings: Params, muted: boolean, had: number, becomes: number]>([
    ["follows on participation", policies(PARTICIPATION, NEVER), false, INHERIT, FOLLOWED],
    ["follows on sending", policies(SEND, NEVER), false, INHERIT, FOLLOWED],
    ["started nothing", policies(INITIATION, NEVER), false, INHERIT, INHERIT],
    ["never follows", policies(NEVER, NEVER), true, INHERIT, INHERIT],
    ["unmutes on participation", policies(NEVER, PARTICIPATION), true, INHERIT, UNMUTED],
    ["unmutes on sending", policies(NEVER, SEND), true, INHERIT, UNMUTED],
    ["unmutes nothing where nothing is muted", policies(NEVER, SEND), false, INHERIT, INHERIT],
    ["follows rather than unmutes", policies(SEND, PARTICIPATION), true, INHERIT, FOLLOWED],
    ["follows a muted topic", policies(SEND, NEVER), false, MUTED, FOLLOWED],
    ["unmutes a muted topic, in muted channels", policies(NEVER, SEND), true, MUTED, UNMUTED],
    ["leaves a muted topic muted", policies(INITIATION, INITIATION), true, MUTED, MUTED],
    ["continues to follow", policies(NEVER, SEND), true, FOLLOWED, FOLLOWED],
  ])("%s", async (_fact, settings, muted, had, becomes) => {
    const realm = testRealm();
    await realm.call("member", "PATCH", "/settings", settings);
    await say(realm, "member2", "a", "1");
    await decide(realm, "member", "a", had);
    await realm.call("member", "POST", "/users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: 3, property: "is_muted", value: muted }],
    });
    await say(realm, "member", "a", "2");
    expect(await topicsOf(realm, "member")).toEqual(becomes === INHERIT ? [] : [[3, "a", becomes]]);
  });
  test("starts a topic if they see none of its messages", async () => {
    const realm = testRealm();
    const made = {
      name: "closed",
      subscribers: [realm.id("member2")],
      invite_only: true,
      history_public_to_subscribers: false,
    };
    const to = Number((await realm.call("member2", "POST", "/channels/create", made)).body.id);
    const send = (as: string) => realm.call(as, "POST", "/messages", { type: "channel", to, topic: "a", content: "c" });
    await send("member2");
    await realm.call("member2", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "closed" }],
      principals: [realm.id("member")],
    });
    await send("member");
    expect(await topicsOf(realm, "member")).toEqual([[to, "a", FOLLOWED]]);
  });
});

import { describe, expect, test } from "vitest";
import { say, set } from "../../../test/support/sandbox/messages.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

describe("GET /messages/{message_id}/read_receipts", () => {
  const readers = async (realm: TestRealm, id: number, as = "member") =>
    (await realm.call(as, "GET", `/messages/${id}/read_receipts`)).body;
  const markRead = (realm: TestRealm, as: string, id: number) =>
    realm.call(as, "POST", "/messages/flags", { messages: [id], op: "add", flag: "read" });

  test("readers, without the sender and without people who do not share this", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "news", "n");
    expect((await readers(realm, id)).user_ids).toEqual([]);
    for (const as of ["member", "member2", "member3", "guest"]) await markRead(realm, as, id);
    await realm.call("member3", "PATCH", "/settings", { send_read_receipts: false });
    expect((await readers(realm, id)).user_ids).toEqual([realm.id("member2"), realm.id("guest")]);
    await realm.call("owner", "DELETE", `/users/${realm.id("guest")}`);
    expect((await readers(realm, id)).user_ids).toEqual([realm.id("member2")]);
  });
  test("is refused if the caller cannot see the message, or if receipts are switched off", async () => {
    const realm = testRealm();
    expect((await readers(realm, 99_999)).msg).toBe("Invalid message(s)");
    const id = await say(realm, "member", "news", "n");
    await set(realm, { enable_read_receipts: false });
    expect((await readers(realm, id)).msg).toBe("Read receipts are disabled in this organization.");
  });
});

describe("POST /user_topics", () => {
  const decide = (realm: TestRealm, as: string, params: object) =>
    realm.call(as, "POST", "/user_topics", { stream_id: 3, topic: "news", visibility_policy: 1, ...params });
  test.each<readonly [params: object, msg: string]>([
    [{ visibility_policy: 4 }, "Invalid visibility_policy: Value error, Not in the list of possible values"],
    [{ visibility_policy: "x" }, "visibility_policy is not valid JSON"],
    [{ topic: "t".repeat(61) }, "topic is too long (limit: 60 characters)"],
    [{ stream_id: 99 }, "Invalid channel ID"],
    [{ stream_id: 99, visibility_policy: 0 }, "Invalid channel ID"],
    [{ topic: undefined }, "Missing 'topic' argument"],
  ])("%j is refused", async (params, msg) => {
    expect((await decide(testRealm(), "member", params)).body.msg).toBe(msg);
  });
  test("only changes cause events; in a private channel without access, a policy can only be removed", async () => {
    const realm = testRealm();
    const heard = await realm.listen("member");
    for (const visibility_policy of [1, 1, 3, 0, 0]) await decide(realm, "member", { visibility_policy });
    const received = (await heard()).map(({ type, visibility_policy, muted_topics }) => [
      type,
      visibility_policy ?? muted_topics,
    ]);
    expect(received).toEqual([
      ["muted_topics", [["general", "news", expect.any(Number)]]],
      ["user_topic", 1],
      ["muted_topics", []],
      ["user_topic", 3],
      ["muted_topics", []],
      ["user_topic", 0],
    ]);
    const made = { name: "closed", subscribers: [realm.id("owner")], invite_only: true };
    const stream_id = (await realm.call("owner", "POST", "/channels/create", made)).body.id;
    expect((await decide(realm, "member", { stream_id })).body.msg).toBe("Invalid channel ID");
    expect((await decide(realm, "member", { stream_id, visibility_policy: 0 })).status).toBe(200);
  });
  test.each([
    [["muted_topics"], ["muted_topics"]],
    [["user_topic"], ["user_topic"]],
    [["user_topic", "muted_topics"], ["user_topic"]],
  ])("somebody who requests %j gets %j", async (event_types, types) => {
    const realm = testRealm();
    const { queue_id } = (await realm.call("member", "POST", "/register", { event_types })).body;
    await decide(realm, "member", {});
    const { events } = (await realm.call("member", "GET", "/events", { queue_id, last_event_id: -1, dont_block: true }))
      .body;
    expect(events).toMatchObject(types.map((type) => ({ type })));
  });
  test("in archived channels, policies can only be removed", async () => {
    const realm = testRealm();
    await decide(realm, "member", {});
    await realm.call("owner", "DELETE", "/streams/3");
    expect((await decide(realm, "member", { visibility_policy: 3 })).body.msg).toBe("Invalid channel ID");
    const heard = await realm.listen("member");
    expect((await decide(realm, "member", { visibility_policy: 0 })).body.msg).toBe("");
    expect(await heard()).toMatchObject([{ type: "muted_topics" }, { type: "user_topic", visibility_policy: 0 }]);
  });
  test("POST /register omits those of archived channels", async () => {
    const realm = testRealm();
    await decide(realm, "member", {});
    const topics = async () =>
      (await realm.call("member", "POST", "/register", { fetch_event_types: ["user_topic"] })).body.user_topics;
    expect(await topics()).toMatchObject([{ stream_id: 3, topic_name: "news" }]);
    await realm.call("owner", "DELETE", "/streams/3");
    expect(await topics()).toEqual([]);
  });
});

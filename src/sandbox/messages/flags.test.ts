import { describe, expect, test } from "vitest";
import { testRealm } from "../../../test/support/sandbox/realm.ts";
import { channelMessage, messages, type Params } from "../../../test/support/sandbox/sending.ts";

describe("POST /mark_topic_as_read (§16.14)", () => {
  test("the empty string: the whole channel", async () => {
    const realm = testRealm();
    for (const topic of ["alpha", "beta"]) await realm.call("member", "POST", "/messages", channelMessage({ topic }));
    await realm.call("member2", "POST", "/mark_topic_as_read", { stream_id: 3, topic_name: "" });
    const seen = await messages(realm, "member2", { narrow: [{ operator: "sender", operand: realm.id("member") }] });
    expect(seen.map((message) => message.flags)).toEqual([["read"], ["read"]]);
  });

  test("the empty topic by its name is one topic, which must exist", async () => {
    const params = { stream_id: 3, topic_name: "general chat" };
    expect((await testRealm().call("member", "POST", "/mark_topic_as_read", params)).body.msg).toBe("No such topic ''");
  });
});

describe("POST /messages/flags", () => {
  test.each<readonly [Params, string]>([
    [{ flag: "purple", op: "paint" }, "Invalid flag: 'purple'"],
    [{ flag: "mentioned", op: "add" }, "Flag not editable: 'mentioned'"],
    [{ flag: "read", op: "paint" }, "Invalid message flag operation: 'paint'"],
  ])("%j is refused", async (params, message) => {
    const { body } = await testRealm().call("member", "POST", "/messages/flags", { messages: [1], ...params });
    expect(body.msg).toBe(message);
  });

  test("starring a message without having a copy creates one", async () => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/channels/create", { name: "new", subscribers: [realm.id("owner")] });
    const sent = await realm.call("owner", "POST", "/messages", channelMessage({ to: "new" }));
    const params = { messages: [Number(sent.body.id)], op: "add", flag: "starred" };
    const events = await realm.listen("member");
    expect((await realm.call("member", "POST", "/messages/flags", params)).status).toBe(200);
    // The server's greetings are starred for everybody.
    const starred = await messages(realm, "member", { narrow: [{ operator: "is", operand: "starred" }] });
    expect(starred.at(-1)).toMatchObject({ id: sent.body.id, flags: ["read", "starred", "historical"] });
    expect(await events()).toMatchObject([{ type: "update_message_flags", op: "add", flag: "starred" }]);
  });
});

import { expect, test } from "vitest";
import { edit, say } from "../../../test/support/sandbox/messages.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** Clients that do not know empty topics get the name that people see, wherever there is a topic; all others get the empty text. */
const CHANNEL = 3;
const post = (realm: TestRealm, params: object) =>
  realm.call("member", "POST", "/user_topics", { stream_id: CHANNEL, topic: "", ...params });

/** The events of a change: all keys that hold topics. */
const CHANGES: readonly [
  type: string,
  change: (realm: TestRealm, id: number) => Promise<unknown>,
  keys: readonly string[],
][] = [
  ["message", (realm) => say(realm, "member", "", "again"), ["message.subject"]],
  ["update_message", (realm, id) => edit(realm, "member", id, { topic: "named" }), ["orig_subject"]],
  ["user_topic", (realm) => post(realm, { visibility_policy: 2 }), ["topic_name"]],
  ["muted_topics", (realm) => post(realm, { visibility_policy: 1 }), ["muted_topics.0.1"]],
  ["delete_message", (realm, id) => realm.call("owner", "DELETE", `/messages/${id}`), ["topic"]],
  [
    "typing",
    (realm) => realm.call("member2", "POST", "/typing", { type: "stream", op: "start", stream_id: CHANNEL, topic: "" }),
    ["topic"],
  ],
  [
    "typing_edit_message",
    (realm, id) => realm.call("member", "POST", `/messages/${id}/typing`, { op: "start" }),
    ["recipient.topic"],
  ],
];
const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value);

test.each(CHANGES)("%s", async (type, change, keys) => {
  const realm = testRealm();
  expect(realm.channel("general")).toBe(CHANNEL);
  const id = await say(realm, "member", "", "hello");
  const queues = [
    ["general chat", await realm.listen("member")],
    ["", await realm.listen("member", ["empty_topic_name"])],
  ] as const;
  await change(realm, id);
  for (const [name, read] of queues) {
    const event = (await read()).find((each) => each.type === type);
    expect(keys.map((key) => at(event, key))).toEqual(keys.map(() => name));
  }
});

test("a message that moves to the empty topic: its old and its new place", async () => {
  const realm = testRealm();
  const id = await say(realm, "member", "named", "hello");
  const [old, able] = [await realm.listen("member"), await realm.listen("member", ["empty_topic_name"])];
  await edit(realm, "member", id, { topic: "" });
  const subjects = async (read: typeof old) =>
    (await read())
      .filter(({ type }) => type === "update_message")
      .map(({ orig_subject, subject }) => [orig_subject, subject]);
  expect(await subjects(old)).toEqual([["named", "general chat"]]);
  expect(await subjects(able)).toEqual([["named", ""]]);
  const read = async (allow_empty_topic_name: boolean) => {
    const params = { anchor: id, num_before: 0, num_after: 0, allow_empty_topic_name };
    const { body } = await realm.call("member", "GET", "/messages", params);
    const [message] = Array.isArray(body.messages) ? body.messages : [];
    return [message.subject, message.edit_history[0].topic, message.edit_history[0].prev_topic];
  };
  expect(await read(false)).toEqual(["general chat", "general chat", "named"]);
  expect(await read(true)).toEqual(["", "", "named"]);
});

test("POST /register: visibility policies of topics", async () => {
  const realm = testRealm();
  await post(realm, { visibility_policy: 1 });
  const fetched = async (types: readonly string[], empty_topic_name: boolean) => {
    const client_capabilities = { notification_settings_null: true, empty_topic_name };
    const params = { fetch_event_types: types, event_types: [], client_capabilities };
    return (await realm.call("member", "POST", "/register", params)).body;
  };
  expect((await fetched(["user_topic"], false)).user_topics).toMatchObject([{ topic_name: "general chat" }]);
  expect((await fetched(["user_topic"], true)).user_topics).toMatchObject([{ topic_name: "" }]);
  expect(at((await fetched(["muted_topics"], false)).muted_topics, "0.1")).toBe("general chat");
});

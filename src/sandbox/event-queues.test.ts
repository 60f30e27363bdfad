import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../model/json.ts";

const DAY_MS = 86_400_000;

/** How a queue handles its events: one row per fact. */
async function queue(realm: TestRealm, params: JsonObject = {}): Promise<string> {
  return String((await realm.call("owner", "POST", "/register", { fetch_event_types: [], ...params })).body.queue_id);
}
const read = (realm: TestRealm, params: JsonObject) =>
  realm.call("owner", "GET", "/events", { dont_block: true, last_event_id: -1, ...params });

test("a request without the id of a queue creates one, but does not wait for it", async () => {
  const realm = testRealm();
  const { body } = await realm.call("owner", "GET", "/events", { dont_block: false });
  expect(body).toEqual({ result: "error", msg: "Missing 'queue_id' argument", code: "BAD_REQUEST" });
});

test("a request without the id of a queue creates one for the requested event types", async () => {
  const realm = testRealm();
  const made = await realm.call("owner", "GET", "/events", { dont_block: true, event_types: ["channel_folder"] });
  const queue_id = String(made.body.queue_id);
  await realm.call("owner", "POST", "/channels/create", { name: "x", subscribers: [] });
  await realm.call("owner", "POST", "/channel_folders/create", { name: "x", description: "" });
  const { body } = await read(realm, { queue_id });
  expect(body.events).toMatchObject([{ type: "channel_folder", op: "add" }]);
});

test("parameters that it does not know are not reported, and its id is a UUID", async () => {
  const { body } = await testRealm().call("owner", "GET", "/events", { dont_block: true, x: 1 });
  expect(Object.keys(body).sort()).toEqual(["events", "msg", "queue_id", "result"]);
  expect(body.queue_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test.each<[method: string, path: string, params: JsonObject, shown: JsonObject]>([
  ["POST", "/register", {}, { content: "*a*", content_type: "text/x-markdown", avatar_url: null }],
  ["POST", "/register", { apply_markdown: true }, { content: "<p><em>a</em></p>", content_type: "text/html" }],
  ["POST", "/register", { client_gravatar: false }, { avatar_url: expect.stringContaining("gravatar") }],
  ["GET", "/events", {}, { content: "*a*", avatar_url: expect.stringContaining("gravatar") }],
  ["GET", "/events", { apply_markdown: true, client_gravatar: true }, { content_type: "text/html", avatar_url: null }],
])("%s %s %j: the client gets messages with %j", async (method, path, params, shown) => {
  const realm = testRealm();
  // Only somebody who knows the address can compute the picture.
  await realm.call("owner", "PATCH", "/settings", { email_address_visibility: 1 });
  const made = await realm.call("owner", method, path, { ...params, dont_block: true, event_types: ["message"] });
  await realm.call("owner", "POST", "/messages", { type: "channel", to: "general", topic: "t", content: "*a*" });
  const { events } = (await read(realm, { queue_id: String(made.body.queue_id) })).body;
  expect(events).toMatchObject([{ type: "message", message: shown }]);
});

test("a queue lives for at most a week, even if the client asks for more", async () => {
  const realm = testRealm();
  const queue_id = await queue(realm, { queue_lifespan_secs: 10_000_000 });
  realm.advance(7 * DAY_MS);
  expect((await read(realm, { queue_id })).body.code).toBeUndefined();
  realm.advance(7 * DAY_MS + 1);
  expect((await read(realm, { queue_id })).body.code).toBe("BAD_EVENT_QUEUE_ID");
});

test("unread events that add the same flag become one event, with the id of the last", async () => {
  const realm = testRealm();
  const ids: number[] = [];
  for (const content of ["a", "b", "c"]) {
    const sent = { type: "stream", to: "general", topic: "t", content };
    ids.push(Number((await realm.call("owner", "POST", "/messages", sent)).body.id));
  }
  const queue_id = await queue(realm, { event_types: ["update_message_flags"] });
  const flag = async (op: string, ...messages: number[]) =>
    expect((await realm.call("owner", "POST", "/messages/flags", { messages, op, flag: "starred" })).body.msg).toBe("");
  await flag("add", Number(ids[0]));
  await flag("add", Number(ids[1]));
  const [both] = [(await read(realm, { queue_id })).body.events];
  expect(both).toMatchObject([{ op: "add", messages: ids.slice(0, 2), id: 1 }]);
  await flag("add", Number(ids[2]));
  await flag("remove", ...ids.slice(0, 1));
  await flag("remove", ...ids.slice(1, 2));
  expect((await read(realm, { queue_id })).body.events).toMatchObject([
    { op: "add", messages: ids.slice(0, 2), id: 1 },
    { op: "add", messages: ids.slice(2), id: 2 },
    { op: "remove", id: 3 },
    { op: "remove", id: 4 },
  ]);
});

test("a poll that waited returns the id of its queue, one that did not wait does not", async () => {
  const realm = testRealm();
  const queue_id = await queue(realm);
  const waiting = realm.call("owner", "GET", "/events", { queue_id, last_event_id: -1, dont_block: false });
  await realm.call("owner", "PATCH", "/realm", { name: "Woken" });
  expect((await waiting).body.queue_id).toBe(queue_id);
  expect((await read(realm, { queue_id })).body).not.toHaveProperty("queue_id");
});

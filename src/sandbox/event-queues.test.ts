import { expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import { type TestRealm, testRealm } from "./test-realm.ts";

const DAY_MS = 86_400_000;

/** What a queue does with its events: one row per fact. */
async function queue(realm: TestRealm, params: JsonObject = {}): Promise<string> {
  return String((await realm.call("owner", "POST", "/register", { fetch_event_types: [], ...params })).body.queue_id);
}
const read = (realm: TestRealm, params: JsonObject) =>
  realm.call("owner", "GET", "/events", { dont_block: true, last_event_id: -1, ...params });

test("without the id of a queue one is made, but nobody waits for it", async () => {
  const realm = testRealm();
  const { body } = await realm.call("owner", "GET", "/events", { dont_block: false });
  expect(body).toEqual({ result: "error", msg: "Missing 'queue_id' argument", code: "BAD_REQUEST" });
});

test("… for the types that were asked for", async () => {
  const realm = testRealm();
  const made = await realm.call("owner", "GET", "/events", { dont_block: true, event_types: ["channel_folder"] });
  const queue_id = String(made.body.queue_id);
  await realm.call("owner", "POST", "/channels/create", { name: "x", subscribers: [] });
  await realm.call("owner", "POST", "/channel_folders/create", { name: "x", description: "" });
  const { body } = await read(realm, { queue_id });
  expect(body.events).toMatchObject([{ type: "channel_folder", op: "add" }]);
});

test("a queue lives for a week at most, however long it was asked to", async () => {
  const realm = testRealm();
  const queue_id = await queue(realm, { queue_lifespan_secs: 10_000_000 });
  realm.advance(7 * DAY_MS);
  expect((await read(realm, { queue_id })).body.code).toBeUndefined();
  realm.advance(7 * DAY_MS + 1);
  expect((await read(realm, { queue_id })).body.code).toBe("BAD_EVENT_QUEUE_ID");
});

test("flags that were added and not read yet are one event, with the number of the last", async () => {
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

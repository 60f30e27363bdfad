import { beforeEach, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** zulip-api.md §3.12 and §4, groups of default channels: one row per fact. Group 1, "Teams", has the channel "x". */
let realm: TestRealm;
let x: number;
const PATH = "/default_stream_groups";
beforeEach(async () => {
  realm = testRealm();
  for (const name of ["x", "y"])
    await realm.call("owner", "POST", "/users/me/subscriptions", { subscriptions: [{ name }] });
  x = Number((await realm.call("owner", "GET", "/get_stream_id", { stream: "x" })).body.stream_id);
  const made = { group_name: "Teams", description: "d", stream_names: ["x"] };
  expect((await realm.call("admin", "POST", `${PATH}/create`, made)).body.msg).toBe("");
});
const shown = async (as: string) =>
  (await realm.call(as, "POST", "/register", { fetch_event_types: ["default_stream_groups"] })).body
    .realm_default_stream_groups;

test("archiving removes a channel from them, unarchiving does not put it back", async () => {
  const [member, guest] = [await realm.listen("member"), await realm.listen("guest")];
  await realm.call("owner", "DELETE", `/streams/${x}`);
  const left = [{ id: 1, name: "Teams", description: "d", streams: [] }];
  expect(await shown("member")).toEqual(left);
  const received = (events: readonly JsonObject[]) => events.filter(({ type }) => type === "default_stream_groups");
  expect(received(await member())).toEqual([{ type: "default_stream_groups", default_stream_groups: left }]);
  expect(received(await guest())).toEqual([]);
  await realm.call("owner", "PATCH", `/streams/${x}`, { is_archived: false });
  expect(await shown("member")).toEqual(left);
});

test.each([
  [["y", "x"], "Channel 'x' is already present in default channel group 'Teams'"],
  [["y", "Y"], "Channel 'y' is already present in default channel group 'Teams'"],
  [["y", "general"], "'general' is a default channel and cannot be added to 'Teams'"],
])("adding %j: changes before the refusal stay, and nobody gets an event about them", async (stream_names, msg) => {
  const heard = await realm.listen("member");
  const y = Number((await realm.call("owner", "GET", "/get_stream_id", { stream: "y" })).body.stream_id);
  const sent = { op: "add", stream_names };
  expect((await realm.call("admin", "PATCH", `${PATH}/1/streams`, sent)).body.msg).toBe(msg);
  expect(await shown("owner")).toMatchObject([{ name: "Teams", streams: [x, y] }]);
  expect(await heard()).toEqual([]);
});
test("an unknown name is reported before anything is added", async () => {
  const sent = { op: "add", stream_names: ["y", "nope"] };
  expect((await realm.call("admin", "PATCH", `${PATH}/1/streams`, sent)).body.msg).toBe("Invalid channel name 'nope'");
  expect(await shown("owner")).toMatchObject([{ name: "Teams", streams: [x] }]);
});

test("existing people are not subscribed to a new default channel", async () => {
  await realm.call("admin", "POST", "/default_streams", { stream_id: x });
  const { subscribers } = (await realm.call("owner", "GET", `/streams/${x}/members`)).body;
  expect(subscribers).toEqual([realm.id("owner")]);
});

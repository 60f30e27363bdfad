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

const gone = "Default channel group with id '9' does not exist.";
test.each<[method: string, path: string, params: JsonObject, msg: string]>([
  ["POST", "/create", { group_name: "Other", description: "", stream_names: [] }, ""],
  ["POST", "/create", { group_name: "Other", description: "", stream_names: ["X", "y"] }, ""],
  [
    "POST",
    "/create",
    { group_name: "Teams", description: "d", stream_names: [] },
    "Default channel group 'Teams' already exists",
  ],
  ["POST", "/create", { group_name: " ", description: "", stream_names: [] }, "Invalid default channel group name ' '"],
  [
    "POST",
    "/create",
    { group_name: "n".repeat(61), description: "", stream_names: [] },
    "Default channel group name too long (limit: 60 characters)",
  ],
  ["POST", "/create", { group_name: "N", description: "", stream_names: ["nope"] }, "Invalid channel name 'nope'"],
  [
    "POST",
    "/create",
    { group_name: "N", description: "", stream_names: ["general"] },
    "'general' is a default channel and cannot be added to 'N'",
  ],
  ["POST", "/create", { group_name: "N", description: "" }, "Missing 'stream_names' argument"],
  ["PATCH", "/1", {}, 'You must pass "new_description" or "new_group_name".'],
  ["PATCH", "/1", { new_description: "e" }, ""],
  ["PATCH", "/1", { new_group_name: "Other" }, ""],
  ["PATCH", "/1", { new_group_name: "Teams" }, "This default channel group is already named 'Teams'"],
  ["PATCH", "/9", { new_group_name: "Other" }, gone],
  ["PATCH", "/1/streams", { op: "add", stream_names: ["y"] }, ""],
  [
    "PATCH",
    "/1/streams",
    { op: "add", stream_names: ["x"] },
    "Channel 'x' is already present in default channel group 'Teams'",
  ],
  [
    "PATCH",
    "/1/streams",
    { op: "add", stream_names: ["general"] },
    "'general' is a default channel and cannot be added to 'Teams'",
  ],
  [
    "PATCH",
    "/1/streams",
    { op: "remove", stream_names: ["y"] },
    "Channel 'y' is not present in default channel group 'Teams'",
  ],
  ["PATCH", "/1/streams", { op: "remove", stream_names: ["x"] }, ""],
  [
    "PATCH",
    "/1/streams",
    { op: "swap", stream_names: ["x"] },
    'Invalid value for "op". Specify one of "add" or "remove".',
  ],
  ["PATCH", "/9/streams", { op: "swap", stream_names: ["nope"] }, gone],
  ["DELETE", "/1", {}, ""],
  ["DELETE", "/9", {}, gone],
])("%s %s %j: %j", async (method, path, params, msg) => {
  const { status, body } = await realm.call("admin", method, `${PATH}${path}`, params);
  expect([status, body.msg]).toEqual([msg === "" ? 200 : 400, msg]);
});

test.each(["moderator", "member", "guest"])("a %s may not", async (as) => {
  expect((await realm.call(as, "DELETE", `${PATH}/1`)).body.msg).toBe("Must be an organization administrator");
});

test("guests do not see any of them", async () => {
  expect([await shown("member"), await shown("guest")]).toEqual([
    [{ id: 1, name: "Teams", description: "d", streams: [x] }],
    [],
  ]);
});

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

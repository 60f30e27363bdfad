import { expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";

/** Which error is reported first, with which words and numbers: facts about a real server that no recording shows. */
const PLACES = { type: "channel", topic: "t", content: "x" };
test.each<[method: string, path: string, params: { readonly [name: string]: unknown }, msg: string]>([
  // A number with a point is not an integer, even if it is whole; text that is not JSON is a name.
  ["POST", "/messages", { ...PLACES, to: "2.0" }, "Invalid data type for channel"],
  ["POST", "/messages", { ...PLACES, to: "1e0" }, "Invalid data type for channel"],
  ["POST", "/messages", { ...PLACES, to: "1e22" }, "Invalid data type for channel"],
  ["POST", "/messages", { ...PLACES, to: "[2.0]" }, "Invalid data type for channel"],
  ["POST", "/messages", { ...PLACES, to: "18446744073709551616" }, "Invalid data type for channel"],
  ["POST", "/messages", { ...PLACES, to: "NaN" }, "Channel 'NaN' does not exist"],
  ["POST", "/messages", { ...PLACES, to: "1e400" }, "Channel '1e400' does not exist"],
  ["POST", "/messages", { type: "direct", content: "x", to: "[9.0]" }, "Invalid data type for recipients"],
  // Ids appear as they were sent, however large.
  [
    "POST",
    "/messages",
    { ...PLACES, to: "9223372036854775808" },
    "Channel with ID '9223372036854775808' does not exist",
  ],
  [
    "POST",
    "/messages",
    { type: "direct", content: "x", to: "[9223372036854775807]" },
    "Invalid user ID 9223372036854775807",
  ],
  [
    "POST",
    "/user_groups/create",
    { name: "n", description: "", members: "[9223372036854775809]" },
    "Invalid user ID: 9223372036854775809",
  ],
  // Lists of mixed types are refused before anybody is looked up.
  [
    "POST",
    "/messages",
    { type: "direct", content: "x", to: '[999999, "ada@acme.example"]' },
    "Recipient lists may contain emails or user IDs, but not both.",
  ],
  [
    "POST",
    "/messages",
    { type: "direct", content: "x", to: '["nobody@acme.example", 9]' },
    "Recipient lists may contain emails or user IDs, but not both.",
  ],
  // Large numbers with an exponent are valid JSON, but of the wrong type.
  ["PATCH", "/streams/1", { is_private: "1e22" }, "is_private is not a boolean"],
  ["PATCH", "/streams/1", { is_private: "-1.5E+300" }, "is_private is not a boolean"],
  ["PATCH", "/streams/1", { is_private: "1e400" }, "is_private is not a boolean"],
  ["PATCH", "/streams/1", { folder_id: "1e22" }, 'folder_id["json[nullable[int]]"] is not an integer'],
  ["POST", "/channels/create", { name: "n", subscribers: [], topics_policy: 5 }, "topics_policy is not a string"],
  [
    "POST",
    "/users/me/subscriptions",
    { subscriptions: [{ name: "n" }], topics_policy: 5 },
    "topics_policy is not a string",
  ],
  ["POST", "/register", { client_capabilities: [] }, "client_capabilities is not a dict"],
  ["POST", "/register", { client_capabilities: 5 }, "client_capabilities is not a dict"],
  // Among several wrong parameters, the first in alphabetical order is reported.
  ["GET", "/streams", { include_public: 1, exclude_archived: 1 }, "exclude_archived is not a boolean"],
  ["GET", "/streams", { include_web_public: 1, include_public: 1, include_all: 1 }, "include_all is not a boolean"],
  [
    "GET",
    "/streams",
    { include_subscribed: 1, include_owner_subscribed: 1 },
    "include_owner_subscribed is not a boolean",
  ],
  ["POST", "/user_groups/11/members", { delete: 1, add_subgroups: 1 }, "add_subgroups is not a list"],
  ["POST", "/user_groups/11/members", { delete_subgroups: 1, delete: 1, add: 1 }, "add is not a list"],
  ["POST", "/default_stream_groups/create", {}, "Missing 'description' argument"],
  // Empty names anywhere are reported before invalid characters in any.
  [
    "POST",
    "/users/me/subscriptions",
    { subscriptions: [{ name: "bell\u0007" }, { name: "" }] },
    "Channel name can't be empty.",
  ],
  ["DELETE", "/users/me/subscriptions", { subscriptions: ["bell\u0007", " "] }, "Channel name can't be empty."],
])("%s %s %j: %s", async (method, path, params, msg) => {
  const { status, body } = await testRealm().call("owner", method, path, params);
  expect([status, body.msg]).toEqual([400, msg]);
});

test("the number in another field of the refusal is also the one that was sent", async () => {
  const { body } = await testRealm().call("owner", "POST", "/messages", { ...PLACES, to: "9007199254740993" });
  // JavaScript rounds the number when it parses the answer; the text of the answer has the exact one.
  expect(body.msg).toBe("Channel with ID '9007199254740993' does not exist");
});

test("the server's language treats true and false as integers", async () => {
  const { body } = await testRealm().call("owner", "POST", "/messages", { ...PLACES, to: true });
  expect(body.result).toBe("success");
});

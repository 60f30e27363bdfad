import { describe, expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";
import { isObject } from "../model/json.ts";

/** zulip-api.md §16.16 and §16.18, api.md operations 19 and 22: one row per fact. */
describe("the own user", () => {
  test("unknown parameters are not reported", async () => {
    const { status, body } = await testRealm().call("member", "GET", "/users/me", { bogus: 1 });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("ignored_parameters_unsupported");
  });
  test("its last message is the newest one that it received", async () => {
    const realm = testRealm();
    const sent = await realm.call("member", "POST", "/messages", {
      type: "direct",
      to: [realm.id("member2")],
      content: "c",
    });
    const last = async (as: string) => (await realm.call(as, "GET", "/users/me")).body.max_message_id;
    expect([await last("member2"), await last("guest")]).toEqual([sent.body.id, expect.any(Number)]);
    expect(await last("guest")).not.toBe(sent.body.id);
  });
});

describe("the test of end-to-end encrypted notifications", () => {
  const none = "No active registered push device";
  const path = "/mobile_push/e2ee/test_notification";
  test.each<[number, object, string, readonly string[] | undefined]>([
    [442, { device_id: "x" }, none, undefined],
    [468, { device_id: "x" }, "device_id is not valid JSON", undefined],
    [468, { push_account_id: "x" }, none, undefined],
  ])("level %i, %j: %s", async (level, params, msg) => {
    const { status, body } = await testRealm(level).call("member", "POST", path, { ...params });
    expect([status, body.msg]).toEqual([400, msg]);
    expect(body.code).toBe(msg === none ? "NO_ACTIVE_PUSH_DEVICE" : "BAD_REQUEST");
  });
  test("is not for bots, and does not exist before level 420", async () => {
    const { body } = await testRealm().call("bot", "POST", path);
    expect(body.msg).toBe("This endpoint does not accept bot requests.");
    await expect(testRealm(419).call("member", "POST", path)).rejects.toThrow("not valid JSON");
  });
});

/** zulip-api.md §16.3, §16.4 and §16.14: valid topics. */
describe("topics and content", () => {
  test.each([
    ["t".repeat(60), "c", "t".repeat(60), "c"],
    ["t".repeat(61), "c", `${"t".repeat(57)}...`, "c"],
    ["t", "c".repeat(10_000), "t", "c".repeat(10_000)],
    ["t", "c".repeat(10_001), "t", `${"c".repeat(9_980)}\n[message truncated]`],
    ["(no topic)", "c", "", "c"],
    ["general chat", "c", "", "c"],
  ])("sent as %j: %j", async (topic, content, subject, stored) => {
    const realm = testRealm();
    const to = realm.channel("general");
    const made = await realm.call("member", "POST", "/messages", { type: "channel", to, topic, content });
    const params = { apply_markdown: false, allow_empty_topic_name: true };
    const { body } = await realm.call("member", "GET", `/messages/${Number(made.body.id)}`, params);
    expect(isObject(body.message) ? [body.message.subject, body.message.content] : []).toEqual([subject, stored]);
  });
});

import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** zulip-api.md §3.6 and §16.1: who sees a message of a channel, and who gets the event about its deletion. One row per fact. */
const KINDS = {
  public: {},
  web: { is_web_public: true },
  shared: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
} as const;
type Kind = keyof typeof KINDS;
interface Scene {
  readonly realm: TestRealm;
  readonly message: number;
}
/** `member` writes to "x"; member2 and the guest were there before, member3 came later; member2 has left again. */
async function scene(kind: Kind): Promise<Scene> {
  const realm = testRealm(442, { realm_enable_spectator_access: true });
  const subscribers = ["owner", "member", "member2", "guest"].map((name) => realm.id(name));
  const sent: JsonObject = { name: "x", subscribers, ...KINDS[kind] };
  const to = Number((await realm.call("owner", "POST", "/channels/create", sent)).body.id);
  const message = { type: "channel", to, topic: "t", content: "c" };
  const id = Number((await realm.call("member", "POST", "/messages", message)).body.id);
  const change = (method: string, params: JsonObject) => realm.call("owner", method, "/users/me/subscriptions", params);
  await change("POST", { subscriptions: [{ name: "x" }], principals: [realm.id("member3")] });
  await change("DELETE", { subscriptions: ["x"], principals: [realm.id("member2")] });
  return { realm, message: id };
}

describe("who can read a message", () => {
  test.each<[kind: Kind, readers: readonly string[]]>([
    ["public", ["member", "member2", "member3", "member4", "guest", "admin"]],
    ["web", ["member", "member2", "member3", "member4", "guest", "admin"]],
    ["shared", ["member", "member3", "guest"]],
    ["protected", ["member", "guest"]],
  ])("%s: %j", async (kind, readers) => {
    const { realm, message } = await scene(kind);
    const found: string[] = [];
    for (const as of ["member", "member2", "member3", "member4", "guest", "admin"]) {
      const { status, body } = await realm.call(as, "GET", `/messages/${message}`);
      if (status === 200) found.push(as);
      else expect(body.msg).toBe("Invalid message(s)");
    }
    expect(found).toEqual(readers);
  });
  test.each<[kind: Kind]>([["public"], ["web"], ["shared"], ["protected"]])(
    "%s: a guest who left reads none of it",
    async (kind) => {
      const { realm, message } = await scene(kind);
      const leave = { subscriptions: ["x"], principals: [realm.id("guest")] };
      await realm.call("owner", "DELETE", "/users/me/subscriptions", leave);
      expect((await realm.call("guest", "GET", `/messages/${message}`)).status).toBe(400);
    },
  );
  test.each<[right: "can_subscribe_group" | "can_add_subscribers_group"]>([
    ["can_subscribe_group"],
    ["can_add_subscribers_group"],
  ])("of an archived private channel, by %s: one by its id, none by a search", async (right) => {
    const { realm, message } = await scene("shared");
    const id = Number((await realm.call("owner", "GET", "/get_stream_id", { stream: "x" })).body.stream_id);
    const found = async (as: string) => {
      const narrow = [{ operator: "channel", operand: id }];
      const page = { anchor: "newest", num_before: 9, num_after: 0, narrow };
      const { messages } = (await realm.call(as, "GET", "/messages", page)).body;
      return (isList(messages) ? messages : []).filter((each) => isObject(each) && each.id === message).length;
    };
    await realm.call("owner", "PATCH", `/streams/${id}`, { [right]: { new: realm.group("role:members") } });
    expect([await found("member4"), await found("member")]).toEqual([1, 1]);
    await realm.call("owner", "DELETE", `/streams/${id}`);
    expect([await found("member4"), await found("member3"), await found("guest"), await found("member")]).toEqual([
      0, 0, 1, 1,
    ]);
    expect((await realm.call("member4", "GET", `/messages/${message}`)).status).toBe(200);
    expect((await realm.call("member4", "GET", `/users/me/${id}/topics`)).status).toBe(400);
    await realm.call("owner", "PATCH", `/streams/${id}`, { is_archived: false });
    expect([await found("member4"), await found("member3")]).toEqual([1, 1]);
  });
  test("of an archived channel: read, but not changed", async () => {
    const { realm, message } = await scene("public");
    const { stream_id } = (await realm.call("owner", "GET", "/get_stream_id", { stream: "x" })).body;
    await realm.call("owner", "DELETE", `/streams/${String(stream_id)}`);
    expect((await realm.call("member", "GET", `/messages/${message}`)).status).toBe(200);
    const { body } = await realm.call("member", "PATCH", `/messages/${message}`, { content: "d" });
    expect(body.msg).toBe("Invalid message(s)");
  });
});

describe("who gets the event about a deleted message", () => {
  test.each<[kind: Kind, hearers: readonly string[]]>([
    ["public", ["member", "member2", "member3", "guest"]],
    ["shared", ["member", "member3", "guest"]],
    ["protected", ["member", "guest"]],
  ])("%s: %j", async (kind, hearers) => {
    const { realm, message } = await scene(kind);
    const names = ["member", "member2", "member3", "member4", "guest"];
    const queues = new Map<string, () => Promise<readonly JsonObject[]>>();
    for (const as of names) queues.set(as, await realm.listen(as));
    await realm.call("owner", "DELETE", `/messages/${message}`);
    const found: string[] = [];
    for (const [as, read] of queues) if ((await read()).some(({ type }) => type === "delete_message")) found.push(as);
    expect(found).toEqual(hearers);
  });
});

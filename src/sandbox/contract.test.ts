import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { manualClock } from "./clock.ts";
import { ANONYMOUS_RATE_LIMITS, type RateLimit, SERVER_RATE_LIMITS } from "./rate-limit.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

/** zulip-api.md §13, the rules for every call: one row per fact that sandbox.test.ts does not cover. */
const RECORDED = JSON.parse(readFileSync(new URL("../../test/recordings/realm.json", import.meta.url), "utf8"));
const START_MS = Date.UTC(2027, 0, 1);
const FORM = "application/x-www-form-urlencoded";

interface Sent {
  readonly as?: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  readonly headers?: { readonly [name: string]: string };
}
function caller(rateLimits?: readonly RateLimit[]) {
  const clock = manualClock(START_MS);
  const sandbox: Sandbox = createSandbox({
    from: RECORDED,
    clock,
    ...(rateLimits === undefined ? {} : { rateLimits }),
  });
  const send = async ({ as, method = "GET", path, body, type = FORM, headers = {} }: Sent) => {
    const account = as === undefined ? undefined : sandbox.accounts[as];
    const credentials = Buffer.from(`${account?.email}:${account?.api_key}`).toString("base64");
    const authorization = account === undefined ? {} : { authorization: `Basic ${credentials}` };
    const content = body === undefined ? {} : { "content-type": type };
    const request = new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { ...authorization, ...content, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const response = await sandbox.fetch(request);
    const text = await response.text();
    const parsed: unknown = text.startsWith("{") ? JSON.parse(text) : {};
    return { response, text, body: isObject(parsed) ? parsed : {} };
  };
  return { clock, sandbox, send };
}
const limitsOf = (response: Response) =>
  ["limit", "remaining", "reset"].map((name) => Number(response.headers.get(`x-ratelimit-${name}`)));

describe("§13.5 rate limits", () => {
  test("the server's own: the limit per minute refuses the 201st call, and was not visible before", async () => {
    const { send, clock } = caller(SERVER_RATE_LIMITS);
    const me = { as: "owner", path: "/users/me" };
    expect(limitsOf((await send(me)).response)).toEqual([2000, 1999, START_MS / 1000 + 3600]);
    clock.advance(10_000);
    for (let n = 2; n < 200; n += 1) await send(me);
    const last = await send(me);
    expect([last.response.status, limitsOf(last.response)]).toEqual([200, [2000, 1800, START_MS / 1000 + 3600]]);
    const { response, body } = await send(me);
    expect(response.status).toBe(429);
    expect(limitsOf(response)).toEqual([200, 0, START_MS / 1000 + 60]);
    expect(body).toMatchObject({ result: "error", code: "RATE_LIMIT_HIT", "retry-after": 50 });
    expect(body.msg).toMatch(/^API usage exceeded rate limit/);
    expect(response.headers.get("retry-after")).toBe("50");
    clock.advance(50_000);
    expect((await send(me)).response.status).toBe(200);
  });
  test("and the limit per hour refuses the 2,001st", async () => {
    const { send, clock } = caller(SERVER_RATE_LIMITS);
    for (let n = 0; n < 2000; n += 1) {
      if (n % 200 === 0) clock.advance(60_000);
      expect((await send({ as: "owner", path: "/users/me" })).response.status).toBe(200);
    }
    clock.advance(60_000);
    const { response, body } = await send({ as: "owner", path: "/users/me" });
    expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([429, "2000"]);
    expect(body["retry-after"]).toBe(3600 - 10 * 60);
  });
  test("requests stop counting at the exact moment at which they are old enough", async () => {
    const { send, clock } = caller([{ seconds: 60, requests: 2 }]);
    const me = { as: "owner", path: "/users/me" };
    await send(me);
    clock.advance(59_999);
    expect(limitsOf((await send(me)).response)[1]).toBe(0);
    clock.advance(1);
    expect(limitsOf((await send(me)).response)[1]).toBe(0);
    clock.advance(59_999);
    expect(limitsOf((await send(me)).response)[1]).toBe(0);
  });
  test("the wait can be a fraction of a second", async () => {
    const { send, clock } = caller([{ seconds: 60, requests: 1 }]);
    await send({ as: "owner", path: "/users/me" });
    clock.advance(1050);
    const { response, body } = await send({ as: "owner", path: "/users/me" });
    expect([body["retry-after"], response.headers.get("retry-after")]).toEqual([58.95, "58.95"]);
  });
  test("a refused call counts, except one that the limit itself refuses", async () => {
    const { send } = caller([{ seconds: 60, requests: 2 }]);
    const bad = await send({ as: "owner", path: "/streams/4242" });
    expect([bad.response.status, limitsOf(bad.response)[1]]).toEqual([400, 1]);
    await send({ as: "owner", path: "/users/me" });
    for (let n = 0; n < 3; n += 1) expect((await send({ as: "owner", path: "/users/me" })).response.status).toBe(429);
  });
  test("nobody is exempt, and each account has its own count", async () => {
    const { send } = caller([{ seconds: 60, requests: 1 }]);
    for (const as of ["owner", "admin", "bot", "guest"]) {
      expect((await send({ as, path: "/users/me" })).response.status).toBe(200);
      expect((await send({ as, path: "/users/me" })).response.status).toBe(429);
    }
  });
  test("callers without credentials share a separate limit", async () => {
    const { send } = caller([{ seconds: 60, requests: 1 }]);
    const allowed = ANONYMOUS_RATE_LIMITS[0]?.requests ?? 0;
    expect(allowed).toBe(100);
    for (let n = 0; n < allowed; n += 1) expect((await send({ path: "/server_settings" })).response.status).toBe(200);
    const { response } = await send({ path: "/server_settings" });
    expect([response.status, limitsOf(response)]).toEqual([429, [100, 0, START_MS / 1000 + 60]]);
    expect((await send({ as: "owner", path: "/users/me" })).response.status).toBe(200);
  });
});

describe("§13.3 the envelope", () => {
  test.each<[fact: string, sent: Sent, status: number, body: JsonObject | undefined]>([
    ["a success", { as: "owner", path: "/realm/domains" }, 200, { result: "success", msg: "", domains: [] }],
    [
      "a refusal",
      { as: "owner", path: "/streams/4242" },
      400,
      { result: "error", msg: "Invalid channel ID", code: "BAD_REQUEST" },
    ],
    [
      "no credentials",
      { path: "/users/me" },
      401,
      { result: "error", msg: "Not logged in: API authentication or user session required", code: "UNAUTHORIZED" },
    ],
    [
      "a parameter that is missing",
      { as: "owner", method: "POST", path: "/default_streams", body: "" },
      400,
      { result: "error", msg: "Missing 'stream_id' argument", code: "REQUEST_VARIABLE_MISSING", var_name: "stream_id" },
    ],
    [
      "another method",
      { as: "owner", method: "PUT", path: "/users/me/status", body: "" },
      405,
      { result: "error", msg: "Method Not Allowed", allowed_methods: ["POST"] },
    ],
    ["another method, for a path without JSON", { method: "POST", path: "/server_settings", body: "" }, 405, undefined],
    ["an unknown path", { as: "owner", path: "/nowhere" }, 404, undefined],
    [
      "a request at which the server fails",
      {
        as: "owner",
        method: "POST",
        path: "/realm/domains",
        body: `allow_subdomains=true&domain=${"a".repeat(90)}.example`,
      },
      500,
      { result: "error", msg: "Internal server error" },
    ],
  ])("%s", async (_fact, sent, status, body) => {
    const reply = await caller().send(sent);
    expect(reply.response.status).toBe(status);
    if (body !== undefined) {
      expect(reply.body).toEqual(body);
      expect(reply.response.headers.get("content-type")).toMatch(/^application\/json/);
    } else expect(reply.text).not.toMatch(/^\{/);
  });
  test("refusals are in English, whatever language the client asks for", async () => {
    const headers = { "accept-language": "de" };
    expect((await caller().send({ as: "owner", path: "/streams/4242", headers })).body.msg).toBe("Invalid channel ID");
  });
});

describe("§13.3 errors about parameters", () => {
  let realm: TestRealm;
  beforeEach(() => {
    realm = testRealm();
  });
  test.each<[method: string, path: string, params: JsonObject, msg: string, more?: JsonObject]>([
    ["POST", "/channels/create", {}, "Missing 'name' argument", { var_name: "name" }],
    ["PATCH", "/streams/3", { is_private: "True" }, "is_private is not valid JSON"],
    ["PATCH", "/streams/3", { is_private: "" }, "is_private is not valid JSON"],
    ["PATCH", "/streams/3", { is_private: "null" }, "is_private is not a boolean"],
    ["PATCH", "/streams/3", { folder_id: 1.5 }, 'folder_id["json[nullable[int]]"] is not an integer'],
    ["POST", "/default_streams", { stream_id: '"3"' }, "stream_id is not an integer"],
    ["POST", "/default_streams", { stream_id: 3.5 }, "stream_id is not an integer"],
    ["POST", "/default_streams", { stream_id: true }, "stream_id is not an integer"],
    ["POST", "/default_streams", { stream_id: "general" }, "stream_id is not valid JSON"],
    ["PATCH", "/channel_folders", { order: ["a"] }, "order[0] is not an integer"],
    ["DELETE", "/users/me/subscriptions", { subscriptions: ["a", 1] }, "subscriptions[1] is not a string"],
    ["PATCH", "/streams/3", { description: "d".repeat(1025) }, "description is too long (limit: 1024 characters)"],
    ["POST", "/channels/create", { name: " ", subscribers: [] }, "name cannot be blank"],
    ["PATCH", "/streams/3", { can_send_message_group: [] }, "can_send_message_group does not have the expected format"],
  ])("%s %s %j: %s", async (method, path, params, msg, more = {}) => {
    const reply = await realm.call("owner", method, path, params);
    expect([reply.status, reply.body]).toEqual([400, expect.objectContaining({ msg, ...more })]);
    if (more.code === undefined && more.var_name === undefined) expect(reply.body.code).toBe("BAD_REQUEST");
  });
  test("the role is checked before the parameters, and these before the objects that they name", async () => {
    expect((await realm.call("member", "POST", "/default_streams", { stream_id: "x" })).body.msg).toBe(
      "Must be an organization administrator",
    );
    expect((await realm.call("owner", "PATCH", "/streams/4242", { is_private: "x" })).body.msg).toBe(
      "is_private is not valid JSON",
    );
  });
});

describe("§13.4 encoding", () => {
  const rename = "/streams/3";
  const name = (sandbox: Sandbox) => sandbox.state().channels[3]?.name;
  test.each<[fact: string, sent: Partial<Sent>, renamed: boolean]>([
    ["a form", { body: "new_name=other" }, true],
    ["a form with its character set", { body: "new_name=other", type: `${FORM}; charset=utf-8` }, true],
    ["the query", { path: `${rename}?new_name=other`, body: "" }, true],
    ["JSON, which the server ignores", { body: '{"new_name":"other"}', type: "application/json" }, false],
    ["plain text", { body: "new_name=other", type: "text/plain" }, false],
  ])("%s", async (_fact, sent, renamed) => {
    const { send, sandbox } = caller();
    const reply = await send({ as: "owner", method: "PATCH", path: rename, ...sent });
    expect([reply.response.status, name(sandbox)]).toEqual([200, renamed ? "other" : "general"]);
  });
  test("a multipart form", async () => {
    const { send, sandbox } = caller();
    const body = '--b\r\nContent-Disposition: form-data; name="new_name"\r\n\r\nother\r\n--b--\r\n';
    await send({ as: "owner", method: "PATCH", path: rename, body, type: "multipart/form-data; boundary=b" });
    expect(name(sandbox)).toBe("other");
  });
  test.each([
    ["in the body", "", "stream_id=3"],
    ["in the query", "?stream_id=3", ""],
  ])("DELETE with its parameter %s", async (_fact, query, body) => {
    const { send, sandbox } = caller();
    const reply = await send({ as: "owner", method: "DELETE", path: `/default_streams${query}`, body });
    expect([reply.response.status, sandbox.state().default_channels]).toEqual([200, [1, 2]]);
  });
  test("the last value of a repeated name counts; + and %20 are spaces", async () => {
    const { send, sandbox } = caller();
    await send({ as: "owner", method: "PATCH", path: rename, body: "new_name=first&new_name=the+last%20one" });
    expect(name(sandbox)).toBe("the last one");
  });
  test("raw text keeps its quotes", async () => {
    const { send, sandbox } = caller();
    await send({ as: "owner", method: "PATCH", path: rename, body: 'new_name="quoted"' });
    expect(name(sandbox)).toBe('"quoted"');
  });
});

describe("§13.6 unknown parameters", () => {
  test.each<[method: string, path: string, params: JsonObject, ignored: unknown]>([
    ["PATCH", "/streams/3", { zebra: 1, apple: 2 }, ["apple", "zebra"]],
    ["GET", "/streams", { zebra: 1 }, ["zebra"]],
    ["PATCH", "/streams/3", { description: "d" }, undefined],
    ["PATCH", "/streams/3", { client: "me" }, undefined],
    ["PATCH", "/streams/3", { is_archived: true }, undefined],
    ["GET", "/users/me", { zebra: 1 }, undefined],
    ["GET", "/server_settings", { zebra: 1 }, undefined],
    ["GET", "/streams/3", { zebra: 1 }, ["zebra"]],
    ["DELETE", "/streams/3", { zebra: 1 }, undefined],
    ["GET", "/user_groups", { zebra: 1 }, ["zebra"]],
    ["GET", "/realm/domains", { zebra: 1 }, undefined],
    ["GET", "/realm/linkifiers", { zebra: 1 }, undefined],
    ["GET", "/realm/profile_fields", { zebra: 1 }, undefined],
    ["GET", "/navigation_views", { zebra: 1 }, undefined],
    ["GET", "/channel_folders", { zebra: 1 }, ["zebra"]],
    ["GET", "/invites", { zebra: 1 }, undefined],
    ["GET", "/bots", { zebra: 1 }, undefined],
  ])("%s %s %j: %j", async (method, path, params, ignored) => {
    const { status, body } = await testRealm().call("owner", method, path, params);
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, ignored]);
  });
  test("are not listed in a refusal", async () => {
    const { body } = await testRealm().call("owner", "PATCH", "/streams/4242", { zebra: 1 });
    expect(body).not.toHaveProperty("ignored_parameters_unsupported");
  });
});

describe("§13.1 what a bot that is an administrator may not do", () => {
  const people = "This endpoint does not accept bot requests.";
  test.each<[method: string, path: string, params: JsonObject, msg: string]>([
    ["POST", "/invites", { invitee_emails: "a@a.example", stream_ids: [] }, people],
    ["PATCH", "/settings", { enter_sends: true }, people],
    ["PATCH", "/users/me/profile_data", { data: [] }, people],
    ["POST", "/users/me/status", { status_text: "x" }, people],
    ["POST", "/realm/emoji/new", {}, people],
    ["POST", "/realm/filters", { pattern: "a", url_template: "b" }, ""],
  ])("%s %s: %j", async (method, path, params, msg) => {
    const realm = testRealm();
    await realm.call("owner", "PATCH", `/bots/${realm.id("bot")}`, { role: 200 });
    expect((await realm.call("bot", method, path, params)).body.msg).toBe(msg);
  });
  test("a bot that is an owner can set domains", async () => {
    const realm = testRealm();
    expect((await realm.call("owner", "PATCH", `/bots/${realm.id("bot")}`, { role: 100 })).body.msg).toBe("");
    const sent = { domain: "a.example", allow_subdomains: true };
    expect((await realm.call("bot", "POST", "/realm/domains", sent)).body.msg).toBe("");
  });
});

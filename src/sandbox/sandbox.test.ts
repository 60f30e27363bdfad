import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { manualClock } from "./clock.ts";
import { ConnectionDropped } from "./http.ts";
import { type Account, createSandbox, type Sandbox } from "./sandbox.ts";
import { serve } from "./serve.ts";

const RECORDED = JSON.parse(readFileSync(new URL("../../test/recordings/realm.json", import.meta.url), "utf8"));
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const basic = (address: string, key: string): string => `Basic ${base64(`${address}:${key}`)}`;
function account(sandbox: Sandbox, name: string): Account {
  const found = sandbox.accounts[name];
  if (found === undefined) throw new Error(`no account ${name}`);
  return found;
}
async function ask(sandbox: Sandbox, method: string, path: string, authorization?: string, body?: string) {
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
  };
  const url = `http://localhost/api/v1${path}`;
  const request =
    body === undefined ? new Request(url, { method, headers }) : new Request(url, { method, headers, body });
  const response = await sandbox.fetch(request);
  const text = await response.text();
  return { response, body: text.startsWith("{") ? JSON.parse(text) : { text } };
}
const as = (sandbox: Sandbox, name: string): string =>
  basic(account(sandbox, name).email, account(sandbox, name).api_key);

/** What tests of the sandbox import from `test/support/`, with all of `sandbox/` there; the same rule applies to it. */
const HELPERS = ["random.ts", "damage.ts"];

test("the sandbox imports nothing from the rest of the product, and neither do its tests", () => {
  const root = new URL("../../", import.meta.url);
  const own = readdirSync(new URL("src/sandbox/", root), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `src/sandbox/${name}`);
  expect(own.length).toBeGreaterThan(30);
  const helpers = [
    ...HELPERS,
    ...readdirSync(new URL("test/support/sandbox/", root)).map((name) => `sandbox/${name}`),
  ].map((name) => `test/support/${name}`);
  const foreign = [...own, ...helpers].flatMap((file) => {
    const source = readFileSync(new URL(file, root), "utf8");
    const targets = [...source.matchAll(/\b(?:from|import)\b\s*\(?\s*["'`](\.[^"'`]*)/g)].map(([, target = ""]) =>
      new URL(target, new URL(file, root)).pathname.slice(root.pathname.length),
    );
    const isTest = file.startsWith("test/") || file.endsWith(".test.ts");
    return targets
      .filter((target) => !/^src\/(sandbox|model)\//.test(target))
      .filter((target) => !(isTest && helpers.includes(target)))
      .map((target) => `${file} → ${target}`);
  });
  expect(foreign).toEqual([]);
});

describe("§13.1 credentials", () => {
  const sandbox = createSandbox({ from: RECORDED });
  const { email, api_key } = account(sandbox, "owner");
  test.each([
    ["none", undefined, 401, "Not logged in: API authentication or user session required"],
    ["a wrong key", basic(email, "a".repeat(32)), 401, "Invalid API key"],
    ["a key of another length", basic(email, "abc"), 401, "Malformed API key"],
    ["an address nobody has", basic("who@example.org", api_key), 401, "Invalid API key"],
    ["somebody else's key", basic(account(sandbox, "admin").email, api_key), 401, "Invalid API key"],
    ["a deactivated account", as(sandbox, "deactivated"), 401, "Account is deactivated"],
    ["an incoming webhook", as(sandbox, "webhookbot"), 401, "This API is not available to incoming webhook bots."],
    ["another scheme", `Bearer ${api_key}`, 400, "This endpoint requires HTTP basic authentication."],
    ["no credentials after the scheme", "Basic", 401, "Invalid authorization header for basic auth"],
    ["two colons", basic(`${email}:x`, api_key), 401, "Invalid authorization header for basic auth"],
    ["nothing in the header", "", 401, "Invalid authorization header for basic auth"],
    ["three words", `${basic(email, api_key)} x`, 401, "Invalid authorization header for basic auth"],
    ["no colon", `Basic ${base64("nobody")}`, 401, "Invalid authorization header for basic auth"],
    ["one mark of padding where two are due", "Basic YWI6ZA=", 401, "Invalid authorization header for basic auth"],
    ["a byte order mark before the address", basic(`\ufeff${email}`, api_key), 401, "Invalid API key"],
    ["base64 cut short", `Basic ${base64("a:bcd").slice(0, -2)}`, 401, "Invalid authorization header for basic auth"],
    [
      "bytes that are not UTF-8",
      `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString("base64")}`,
      401,
      "Invalid authorization header for basic auth",
    ],
    ["characters that are not base64", basic(email, api_key).replace("Basic ", "Basic *-"), 200, ""],
    ["spaces around both", basic(` ${email} `, ` ${api_key} `), 200, ""],
    ["the scheme in other case", basic(email, api_key).replace("Basic", "bAsIc"), 200, ""],
    ["the address in other case", basic(email.toUpperCase(), api_key), 200, ""],
  ])("%s → %i %s", async (_, authorization, status, msg) => {
    const { response, body } = await ask(sandbox, "GET", "/users/me", authorization);
    expect([response.status, body.msg]).toEqual([status, msg]);
    if (status === 401) expect(response.headers.get("www-authenticate")).toBe('Basic realm="zulip"');
  });
});

test.each(["multipart/form-data; boundary=x", "multipart/form-data"])(
  "a body that is not %s has no parameters",
  async (type) => {
    const sandbox = createSandbox({ from: RECORDED });
    const headers = { authorization: as(sandbox, "owner"), "content-type": type };
    const request = { method: "POST", headers, body: "--x\r\nnonsense" };
    const response = await sandbox.fetch(new Request("http://localhost/api/v1/channels/create", request));
    expect([response.status, await response.json()]).toMatchObject([400, { code: "REQUEST_VARIABLE_MISSING" }]);
  },
);

test("subscribing and unsubscribing in one call, until 512", async () => {
  const sandbox = createSandbox({ from: RECORDED });
  const body = 'add=[{"name":"made"}]&delete=["general","sandbox"]';
  const reply = await ask(sandbox, "PATCH", "/users/me/subscriptions", as(sandbox, "owner"), body);
  expect(reply.body).toMatchObject({ subscribed: { 6: ["made"] }, removed: ["sandbox", "general"], not_removed: [] });
  const newer = createSandbox({ from: RECORDED, featureLevel: 512 });
  expect((await ask(newer, "PATCH", "/users/me/subscriptions", as(newer, "owner"), body)).response.status).toBe(405);
});

test.each([
  ["/streams/1", ["GET", "PATCH", "DELETE", "HEAD"]],
  ["/realm", ["PATCH"]],
  ["/realm/domains", ["GET", "POST", "HEAD"]],
  ["/realm/domains/a.b", ["PATCH", "DELETE"]],
  ["/realm/linkifiers", ["GET", "PATCH", "HEAD"]],
  ["/realm/filters", ["POST"]],
  ["/realm/filters/1", ["DELETE", "PATCH"]],
  ["/realm/playgrounds/1", ["DELETE"]],
  ["/realm/profile_fields", ["GET", "PATCH", "POST", "HEAD"]],
  ["/realm/profile_fields/1", ["PATCH", "DELETE"]],
  ["/users/me/subscriptions", ["GET", "POST", "PATCH", "DELETE", "HEAD"]],
  ["/users/me/profile_data", ["PATCH", "DELETE"]],
  ["/invites", ["GET", "POST", "HEAD"]],
  ["/invites/multiuse/1", ["DELETE"]],
  ["/navigation_views", ["GET", "POST", "HEAD"]],
  ["/navigation_views/narrow/is/dm", ["PATCH", "DELETE"]],
  ["/user_groups/1/members", ["GET", "POST", "HEAD"]],
  ["/user_groups/1/subgroups", ["POST", "GET", "HEAD"]],
  ["/default_streams", ["POST", "DELETE"]],
  ["/default_stream_groups/1", ["PATCH", "DELETE"]],
  ["/channel_folders", ["GET", "PATCH", "HEAD"]],
  ["/users", ["GET", "POST", "HEAD"]],
  ["/users/7", ["GET", "PATCH", "DELETE", "HEAD"]],
  ["/users/a@a.example", ["GET", "PATCH", "HEAD"]],
  ["/users/7/status", ["POST", "GET", "HEAD"]],
  ["/scheduled_messages/1", ["DELETE", "PATCH"]],
])("PUT %s lists the existing methods before credentials are checked", async (path, allowed_methods) => {
  const { response, body } = await ask(createSandbox({ from: RECORDED }), "PUT", path);
  expect(body).toEqual({ result: "error", msg: "Method Not Allowed", allowed_methods });
  expect([response.status, response.headers.get("allow")]).toEqual([405, allowed_methods.join(", ")]);
});

test("OPTIONS lists the methods of a path, sorted, without a body", async () => {
  const { response, body } = await ask(createSandbox({ from: RECORDED }), "OPTIONS", "/users/me/subscriptions");
  expect([response.status, response.headers.get("allow"), body]).toEqual([
    204,
    "DELETE, GET, HEAD, PATCH, POST",
    { text: "" },
  ]);
});

test("a browser without credentials is redirected to the login page", async () => {
  const sandbox = createSandbox({ from: RECORDED });
  const visit = (headers: Record<string, string>) =>
    sandbox.fetch(
      new Request("http://localhost/api/v1/users/me", { headers: { accept: "text/html,*/*", ...headers } }),
    );
  const redirected = await visit({});
  expect([redirected.status, redirected.headers.get("location")]).toEqual([
    302,
    "/login/?next=%2Fapi%2Fv1%2Fusers%2Fme",
  ]);
  expect((await visit({ authorization: as(sandbox, "owner") })).status).toBe(200);
});

test.each([
  ["POST", "/realm/domains", "method=PATCH&x=1", 405, { allowed_methods: ["GET", "POST", "HEAD"] }],
  [
    "POST",
    "/realm/linkifiers",
    "method=PATCH&ordered_linkifier_ids=[]",
    200,
    { ignored_parameters_unsupported: ["method"] },
  ],
  [
    "POST",
    "/realm/linkifiers?method=PATCH",
    "ordered_linkifier_ids=[]",
    405,
    { allowed_methods: ["GET", "PATCH", "HEAD"] },
  ],
  ["PATCH", "/realm", "method=GET", 200, { ignored_parameters_unsupported: ["method"] }],
])("%s %s with %s: a POST's body may name another verb", async (verb, path, body, status, answer) => {
  const sandbox = createSandbox({ from: RECORDED });
  const reply = await ask(sandbox, verb, path, as(sandbox, "owner"), body);
  expect([reply.response.status, reply.body]).toMatchObject([status, answer]);
});

test.each([
  [442, ["bogus"]],
  [384, ["bogus", "folder_id", "topics_policy"]],
  [320, ["bogus", "can_send_message_group", "folder_id", "topics_policy"]],
])("level %i does not know %j", async (featureLevel, ignored) => {
  const sandbox = createSandbox({ from: RECORDED, featureLevel });
  const body = 'topics_policy=inherit&folder_id=null&bogus=1&can_send_message_group={"new":14}';
  const reply = await ask(sandbox, "PATCH", "/streams/3", as(sandbox, "owner"), body);
  expect(reply.body.ignored_parameters_unsupported).toEqual(ignored);
});

test("the posting policy is a number below 333", async () => {
  const sandbox = createSandbox({ from: RECORDED, featureLevel: 320 });
  await ask(sandbox, "PATCH", "/streams/3", as(sandbox, "owner"), "stream_post_policy=4");
  const { body } = await ask(sandbox, "GET", "/streams/3", as(sandbox, "owner"));
  expect(body.stream.stream_post_policy).toBe(4);
});

test("a value in the body takes precedence over one in the query", async () => {
  const sandbox = createSandbox({ from: RECORDED });
  await ask(sandbox, "PATCH", "/streams/3?description=address", as(sandbox, "owner"), "description=body");
  expect(sandbox.state().channels[3]?.description).toBe("body");
});

test("keys are derived from the seed, and appear neither in the state nor in the log", async () => {
  const one = createSandbox({ from: RECORDED, seed: "a" });
  const two = createSandbox({ from: RECORDED, seed: "a" });
  const other = createSandbox({ from: RECORDED, seed: "b" });
  expect(account(one, "owner")).toEqual(account(two, "owner"));
  expect(account(one, "owner").api_key).not.toBe(account(other, "owner").api_key);
  await ask(one, "GET", "/users/me?api_key=secret", as(one, "owner"));
  const kept = JSON.stringify([one.state(), one.log]);
  expect(kept).not.toContain(account(one, "owner").api_key);
  expect(kept).not.toContain("secret");
});

test("without a seed keys are new each time: nobody can compute them from the organization", () => {
  const [one, two] = [createSandbox({ from: RECORDED }), createSandbox({ from: RECORDED })];
  expect(account(one, "owner").api_key).not.toBe(account(two, "owner").api_key);
});

test.each([
  ["127.0.0.1", 200],
  ["127.0.0.1:80", 200],
  ["LOCALHOST:9", 200],
  ["[::1]:9", 200],
  ["evil.example.org", 400],
  ["127.0.0.1.evil.example.org", 400],
  ["localhost.evil.example.org:9", 400],
  ["localhost:9@evil.example.org", 400],
  ["0.0.0.0", 400],
])("asked as %j: %i", async (host, status) => {
  const sandbox = createSandbox({ from: RECORDED });
  const served = await serve(sandbox, { port: 0 });
  try {
    const answered = new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${served.url}/api/v1/server_settings`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on("error", reject).end();
    });
    expect(await answered).toBe(status);
    expect(sandbox.log).toHaveLength(status === 200 ? 1 : 0);
  } finally {
    await served.close();
  }
});

test("a state can be the source of a sandbox; reset restores it", async () => {
  const first = createSandbox({ from: RECORDED });
  await ask(first, "PATCH", "/streams/3", as(first, "owner"), "new_name=renamed");
  const second = createSandbox({ from: JSON.parse(JSON.stringify(first.state())) });
  expect(second.featureLevel).toBe(442);
  expect(second.state().channels[3]?.name).toBe("renamed");
  first.reset();
  expect(first.state().channels[3]?.name).toBe("general");
});

describe("§13.5 rate limits", () => {
  const limits = [
    { seconds: 60, requests: 3 },
    { seconds: 3600, requests: 5 },
  ];
  test("a success reports the longest rule, a refusal the time to wait, and nothing is executed", async () => {
    const clock = manualClock(1_000_000_000_000);
    const sandbox = createSandbox({ from: RECORDED, rateLimits: limits, clock });
    const owner = as(sandbox, "owner");
    const { response } = await ask(sandbox, "GET", "/users/me", owner);
    expect(response.headers.get("x-ratelimit-limit")).toBe("5");
    expect(response.headers.get("x-ratelimit-remaining")).toBe("4");
    clock.advance(10_000);
    await ask(sandbox, "GET", "/users/me", owner);
    await ask(sandbox, "GET", "/users/me", owner);
    const refused = await ask(sandbox, "PATCH", "/streams/3", owner, "new_name=never");
    expect([refused.response.status, refused.body.code, refused.body["retry-after"]]).toEqual([
      429,
      "RATE_LIMIT_HIT",
      50,
    ]);
    expect(refused.response.headers.get("retry-after")).toBe("50");
    expect(refused.response.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(sandbox.state().channels[3]?.name).toBe("general");
    expect((await ask(sandbox, "GET", "/users/me", as(sandbox, "admin"))).response.status).toBe(200);
    clock.advance(50_000);
    expect((await ask(sandbox, "GET", "/users/me", owner)).response.status).toBe(200);
  });
  test("requests for events are counted separately", async () => {
    const sandbox = createSandbox({
      from: RECORDED,
      rateLimits: [{ seconds: 60, requests: 1 }],
      clock: manualClock(0),
    });
    await ask(sandbox, "GET", "/users/me", as(sandbox, "owner"));
    expect((await ask(sandbox, "GET", "/events?dont_block=true", as(sandbox, "owner"))).response.status).toBe(200);
    expect((await ask(sandbox, "GET", "/users/me", as(sandbox, "owner"))).response.status).toBe(429);
  });
});

describe("§2.6 event queues", () => {
  const register = async (sandbox: Sandbox, name: string): Promise<string> =>
    (await ask(sandbox, "POST", "/register", as(sandbox, name), 'event_types=["stream"]&fetch_event_types=[]')).body
      .queue_id;
  const poll = (sandbox: Sandbox, name: string, queue: string, last: number, more = "") =>
    ask(sandbox, "GET", `/events?queue_id=${queue}&last_event_id=${last}${more}`, as(sandbox, name));

  test("a poll waits until something happens", async () => {
    const sandbox = createSandbox({ from: RECORDED, clock: manualClock(0) });
    const queue = await register(sandbox, "owner");
    const waiting = poll(sandbox, "owner", queue, -1);
    await ask(sandbox, "PATCH", "/streams/3", as(sandbox, "admin"), "description=news");
    const { body } = await waiting;
    expect(body.events).toMatchObject([{ id: 0, type: "stream", property: "description", value: "news" }]);
  });
  test("a heartbeat after a while without events", async () => {
    const clock = manualClock(0);
    const sandbox = createSandbox({ from: RECORDED, clock });
    const queue = await register(sandbox, "owner");
    const waiting = poll(sandbox, "owner", queue, -1);
    await new Promise(setImmediate);
    clock.advance(50_000);
    expect((await waiting).body.events).toEqual([{ id: 0, type: "heartbeat" }]);
  });
  test("a poll ends when its caller disconnects", async () => {
    const sandbox = createSandbox({ from: RECORDED, clock: manualClock(0) });
    const queue = await register(sandbox, "owner");
    const leaving = new AbortController();
    const url = `http://localhost/api/v1/events?queue_id=${queue}&last_event_id=-1`;
    const headers = { authorization: as(sandbox, "owner") };
    const waiting = sandbox.fetch(new Request(url, { headers, signal: leaving.signal }));
    await new Promise(setImmediate);
    leaving.abort();
    expect(await (await waiting).json()).toMatchObject({ events: [] });
  });
  test("acknowledged events are removed", async () => {
    const sandbox = createSandbox({ from: RECORDED });
    const queue = await register(sandbox, "owner");
    for (const text of ["a", "b"])
      await ask(sandbox, "PATCH", "/streams/3", as(sandbox, "owner"), `description=${text}`);
    const { body } = await poll(sandbox, "owner", queue, 0, "&dont_block=true");
    expect(body.events).toMatchObject([{ id: 1, value: "b" }]);
    const again = await poll(sandbox, "owner", queue, -1, "&dont_block=true");
    expect(again.body.msg).toBe("An event newer than -1 has already been pruned!");
  });
  test("a refused call sends no events; one in steps sends those of the steps that it completed", async () => {
    const sandbox = createSandbox({ from: RECORDED });
    const queue = await register(sandbox, "owner");
    await ask(sandbox, "PATCH", "/streams/3", as(sandbox, "owner"), "description=told&new_name=sandbox");
    const { body } = await poll(sandbox, "owner", queue, -1, "&dont_block=true");
    expect(body.events.map((event: { property: string }) => event.property)).toEqual(["description"]);
  });
  test.each([
    ["somebody else's", async (sandbox: Sandbox) => register(sandbox, "admin")],
    ["one that never existed", async () => "nope"],
    [
      "one that a reset removed",
      async (sandbox: Sandbox) => {
        const queue = await register(sandbox, "owner");
        sandbox.reset();
        return queue;
      },
    ],
  ])("%s queue is a bad one", async (_, queueOf) => {
    const sandbox = createSandbox({ from: RECORDED });
    const queue_id = await queueOf(sandbox);
    const { body } = await poll(sandbox, "owner", queue_id, -1, "&dont_block=true");
    expect(body).toMatchObject({ code: "BAD_EVENT_QUEUE_ID", queue_id, msg: `Bad event queue ID: ${queue_id}` });
  });
  test("an idle queue ends", async () => {
    const clock = manualClock(0);
    const sandbox = createSandbox({ from: RECORDED, clock });
    const queue = await register(sandbox, "owner");
    clock.advance(601_000);
    expect((await poll(sandbox, "owner", queue, -1, "&dont_block=true")).body.code).toBe("BAD_EVENT_QUEUE_ID");
  });
});

test("a dropped connection has no answer, whether or not the call was executed", async () => {
  const drop = async (path: string, dropped: string): Promise<undefined> => {
    if (path === dropped) throw new ConnectionDropped();
  };
  const sandbox = createSandbox({
    from: RECORDED,
    interceptors: [{ before: ({ path }) => drop(path, "/streams/1"), after: ({ path }) => drop(path, "/streams/2") }],
  });
  const served = await serve(sandbox, { port: 0 });
  const authorization = as(sandbox, "owner");
  const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
  for (const id of [1, 2]) {
    const url = `${served.url}/api/v1/streams/${id}`;
    await expect(fetch(url, { method: "PATCH", headers, body: "description=sent" })).rejects.toThrow();
  }
  const me = await fetch(`${served.url}/api/v1/users/me`, { headers: { authorization } });
  expect(me.status).toBe(200);
  await served.close();
  expect(sandbox.state().channels[1]?.description).not.toBe("sent");
  expect(sandbox.state().channels[2]?.description).toBe("sent");
});

test("interceptors answer before a call is executed or after it", async () => {
  const sandbox = createSandbox({
    from: RECORDED,
    interceptors: [
      {
        before: async ({ path }) => (path === "/streams/1" ? new Response("gone", { status: 502 }) : undefined),
        after: async ({ path }) => (path === "/streams/2" ? new Response("late", { status: 504 }) : undefined),
      },
    ],
  });
  const owner = as(sandbox, "owner");
  expect((await ask(sandbox, "PATCH", "/streams/1", owner, "description=no")).response.status).toBe(502);
  expect((await ask(sandbox, "PATCH", "/streams/2", owner, "description=yes")).response.status).toBe(504);
  expect(sandbox.state().channels[1]?.description).not.toBe("no");
  expect(sandbox.state().channels[2]?.description).toBe("yes");
});

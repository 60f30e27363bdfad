import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "./clock.ts";
import { Faults } from "./faults.ts";
import { createSandbox } from "./sandbox.ts";
import { controlOf, serve } from "./serve.ts";

const RECORDED = JSON.parse(readFileSync(new URL("../../test/recordings/realm.json", import.meta.url), "utf8"));
const START_MS = Date.UTC(2027, 0, 1);
const clock = manualClock(START_MS);
const faults = new Faults({ clock });
const sandbox = createSandbox({ from: RECORDED, clock, interceptors: [faults] });
let resets = 0;
const control = controlOf({
  sandbox,
  faults,
  clock,
  // test/to-snapshot.test.ts has the one that reads.
  snapshotOf: () => Promise.reject(new Error("nobody reads here")),
  onReset: async () => {
    resets += 1;
  },
});
const served = await serve(sandbox, { port: 0, control });
afterAll(() => served.close());
beforeEach(() => ask("POST", "/reset").then(() => ask("DELETE", "/faults")));

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${served.url}/sandbox${path}`, {
    method,
    headers,
    body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const account = sandbox.accounts.owner;
const authorization = `Basic ${Buffer.from(`${account?.email}:${account?.api_key}`).toString("base64")}`;
const change = (text: string) =>
  fetch(`${served.url}/api/v1/streams/3`, {
    method: "PATCH",
    headers: { authorization },
    body: new URLSearchParams({ description: text }),
  });

test("the list of operations", async () => {
  const { body } = await ask("GET", "");
  expect(body.operations).toEqual([
    "GET /sandbox/",
    "GET /sandbox/state",
    "GET /sandbox/snapshot",
    "GET /sandbox/log",
    "GET /sandbox/faults",
    "PUT /sandbox/faults",
    "DELETE /sandbox/faults",
    "POST /sandbox/reset",
    "GET /sandbox/clock",
    "POST /sandbox/clock",
  ]);
});

test("a sandbox can start from the state; a reset restores the start, and notifies the code that stores the state", async () => {
  await change("changed");
  const { body } = await ask("GET", "/state");
  expect(createSandbox({ from: body }).state().channels[3]?.description).toBe("changed");
  const before = resets;
  expect((await ask("POST", "/reset")).status).toBe(200);
  expect(resets).toBe(before + 1);
  expect(sandbox.state().channels[3]?.description).not.toBe("changed");
});

test("the log holds every request, without secrets, and every fault", async () => {
  await ask("PUT", "/faults", { faults: [{ at: 2, do: "error" }] });
  await fetch(`${served.url}/api/v1/users/me?api_key=canary`, { headers: { authorization } });
  await change("struck");
  const { body } = await ask("GET", "/log");
  expect(body.requests).toMatchObject([
    { method: "GET", path: "/users/me", params: { api_key: "***" }, status: 200, user_id: account?.user_id },
  ]);
  expect(body.faults).toMatchObject([{ method: "PATCH", path: "/streams/3", fault: "error", when: "before", call: 2 }]);
  expect(JSON.stringify(body)).not.toMatch(/canary|Basic/);
});

test("faults can be set, read and removed while the sandbox runs", async () => {
  const plan = { seed: "s", faults: [{ calls: "PATCH **", do: "bad-gateway" }] };
  expect((await ask("PUT", "/faults", plan)).status).toBe(200);
  expect((await change("x")).status).toBe(502);
  expect((await ask("GET", "/faults")).body).toMatchObject({ seed: "s", struck: [{ fault: "bad-gateway" }] });
  await ask("DELETE", "/faults");
  expect((await change("x")).status).toBe(200);
});

test("a reset restarts the counters of faults", async () => {
  await ask("PUT", "/faults", { faults: [{ at: 1, do: "error" }] });
  expect([(await change("a")).status, (await change("b")).status]).toEqual([500, 200]);
  await ask("POST", "/reset");
  expect((await change("c")).status).toBe(500);
});

test("the clock moves forward, and everything that is due happens", async () => {
  const { body } = await ask("GET", "/clock");
  const later = await ask("POST", "/clock", { seconds: 3600 });
  expect(later.body.now - body.now).toBe(3600);
});

describe("what is refused", () => {
  test.each([
    ["an unknown operation", "GET", "/nothing", undefined, {}, 404],
    ["a body that is not JSON", "PUT", "/faults", "{", {}, 400],
    ["a plan that makes no sense", "PUT", "/faults", { faults: [{ do: "x" }] }, {}, 400],
    ["a clock that is set back", "POST", "/clock", { seconds: -1 }, {}, 400],
    ["a page of the web", "POST", "/reset", undefined, { origin: "https://example.org" }, 403],
  ])("%s", async (_, method, path, body, headers, status) => {
    const before = resets;
    const answer = await ask(method, path, body, headers);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toBeTypeOf("string");
    expect(resets).toBe(before);
  });
  test("another host name for this machine", async () => {
    const response = await control(new Request("http://evil.example.org/sandbox/state"));
    expect(response?.status).toBe(403);
  });
});

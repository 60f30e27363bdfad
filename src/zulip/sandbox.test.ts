import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { sandboxClient } from "../../test/support/sandbox-client.ts";
import { fakeClock } from "../../test/support/zulip/scripted.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { createSandbox, type Interceptor, type Sandbox, SERVER_RATE_LIMITS, serve } from "../sandbox/index.ts";
import { processClock } from "./clock.ts";
import type { ConnectionOptions } from "./connection.ts";
import { openNetwork } from "./network.ts";
import { SERVER_RULES } from "./pace.ts";
import { snapshotText } from "./snapshot.ts";
import { Secret } from "./zuliprc.ts";

function sandboxFrom(file: string, more: { rateLimited?: boolean; interceptors?: readonly Interceptor[] } = {}) {
  const url = new URL(`../../test/recordings/${file}`, import.meta.url);
  const clock = fakeClock();
  const sandbox = createSandbox({
    from: z.record(z.string(), z.json()).parse(JSON.parse(readFileSync(url, "utf8"))),
    clock: { now: clock.now, sleep: (ms) => clock.sleep(ms) },
    ...(more.rateLimited ? { rateLimits: SERVER_RATE_LIMITS } : {}),
    ...(more.interceptors ? { interceptors: more.interceptors } : {}),
  });
  return { sandbox, clock };
}

function clientOf(
  { sandbox, clock }: ReturnType<typeof sandboxFrom>,
  name = "owner",
  more: Partial<ConnectionOptions> = {},
) {
  return sandboxClient(sandbox, name, { site: "http://localhost", clock, version: "test", ...more });
}

const routes = (sandbox: Sandbox): readonly string[] => sandbox.log.map(({ method, path }) => `${method} ${path}`);
const WHOLE = { invites: true, subscribers: true };

describe("a snapshot of the sandbox", () => {
  test.each(["realm.json", "level-384/realm.json"])("%s: three requests, and the same over HTTP", async (file) => {
    const realm = sandboxFrom(file);
    const near = await clientOf(realm).reader.snapshot(WHOLE);
    expect(routes(realm.sandbox)).toEqual(["POST /register", "DELETE /events", "GET /invites"]);
    const served = await serve(realm.sandbox, { port: 0 });
    const network = openNetwork();
    try {
      const far = await clientOf(realm, "owner", { site: served.url, transport: network.send }).reader.snapshot(WHOLE);
      const place = (snapshot: Snapshot) =>
        snapshotText(snapshot).replaceAll(/http:\/\/(localhost|127\.0\.0\.1)(:\d+)?/g, "URL");
      expect(place(far)).toBe(place(near));
    } finally {
      await network.close();
      await served.close();
    }
  });

  test("a sandbox that starts from a snapshot gives the same snapshot", async () => {
    const realm = sandboxFrom("realm.json");
    const first = await clientOf(realm).reader.snapshot(WHOLE);
    const again = createSandbox({ from: first, clock: { now: realm.clock.now, sleep: (ms) => realm.clock.sleep(ms) } });
    const client = clientOf({ sandbox: again, clock: realm.clock }, first.account.email);
    const second = await client.reader.snapshot(WHOLE);
    expect(second).toEqual(first);
  });

  test.each([
    {
      name: "wrong key",
      account: "owner",
      more: { key: new Secret("0".repeat(32)) },
      code: "zulip/unauthorized",
      exitCode: 6,
    },
    { name: "a guest", account: "guest", more: {}, code: "zulip/guest", exitCode: 6 },
    {
      name: "a deactivated account",
      account: "deactivated",
      more: {},
      code: "zulip/unauthorized",
      cause: "deactivated",
      exitCode: 6,
    },
    {
      name: "a webhook bot",
      account: "webhookbot",
      more: {},
      code: "zulip/unauthorized",
      cause: "webhook-bot",
      exitCode: 6,
    },
    {
      name: "a bot that asks for invitations",
      account: "bot",
      more: {},
      code: "zulip/bots-see-no-invites",
      exitCode: 6,
    },
  ])("refused: $name", async ({ account, more, code, cause, exitCode }) => {
    const realm = sandboxFrom("realm.json");
    await expect(clientOf(realm, account, more).reader.snapshot(WHOLE)).rejects.toMatchObject({
      exitCode,
      diagnostics: [{ code, fact: cause === undefined ? {} : { cause } }],
    });
  });
});

describe("writes to the sandbox", () => {
  test("an answer lost on the way: the change happened, the client does not know it, and does not repeat it", async () => {
    const lost: Interceptor = {
      after: async ({ method }) => {
        if (method === "POST") throw new Error("connection dropped");
        return undefined;
      },
    };
    const realm = sandboxFrom("realm.json", { interceptors: [lost] });
    const { writer, connection } = clientOf(realm);
    const subscriptions = [{ name: "lost and found" }];
    const answer = await writer.send({ operation: "subscribe", path: {}, params: { subscriptions } });
    expect(answer.outcome).toBe("unknown");
    expect(routes(realm.sandbox)).toEqual(["POST /users/me/subscriptions"]);
    const found = await connection.exchange({
      operation: "get-stream-id",
      path: {},
      params: { stream: "lost and found" },
    });
    expect(found).toMatchObject({ kind: "envelope", status: 200 });
  });
});

describe("the server's rate limits", () => {
  const touch = { operation: "get-own-user", path: {}, params: {} };

  test("without its own pace the client is refused, waits, and loses nothing", async () => {
    const realm = sandboxFrom("realm.json", { rateLimited: true });
    const { connection } = clientOf(realm);
    for (let n = 0; n < 450; n++) expect(await connection.exchange(touch)).toMatchObject({ status: 200 });
    expect(realm.sandbox.log.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(realm.clock.slept()).toBeGreaterThan(100_000);
  });

  test("with its own pace the client is never refused, and takes no longer", async () => {
    const realm = sandboxFrom("realm.json", { rateLimited: true });
    const { connection } = clientOf(realm, "owner", { rateRules: SERVER_RULES });
    for (let n = 0; n < 450; n++) expect(await connection.exchange(touch)).toMatchObject({ status: 200 });
    expect(realm.sandbox.log.filter(({ status }) => status === 429)).toEqual([]);
    expect(realm.clock.slept()).toBeLessThan(121_000);
  });

  test("if other programs of the account have used up the hour, it waits exactly as long as the server says", async () => {
    const realm = sandboxFrom("realm.json", { rateLimited: true });
    const other = clientOf(realm).connection;
    for (let n = 0; n < 1_990; n++) {
      realm.clock.advance(400);
      await other.exchange(touch);
    }
    const { connection } = clientOf(realm, "owner", { rateRules: SERVER_RULES });
    for (let n = 0; n < 20; n++) expect(await connection.exchange(touch)).toMatchObject({ status: 200 });
    // The first of the others' requests leaves the window an hour after it was sent, not an hour from now.
    expect(realm.clock.slept()).toBeLessThan(3_600_000 - 1_990 * 400 + 20_000);
  });
});

test("runs start at random moments, at most two seconds apart", async () => {
  const realm = sandboxFrom("realm.json");
  const waits: number[] = [];
  for (const random of [0, 0.25, 0.999]) {
    const sleep = async (ms: number): Promise<void> => void waits.push(ms);
    await clientOf(realm, "owner", {
      clock: { ...processClock, random: () => random, sleep },
    }).writer.waitRandomTime?.();
  }
  expect(waits).toEqual([0, 500, 1998]);
});

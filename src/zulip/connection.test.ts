import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  error,
  html,
  json,
  noAnswer,
  SITE,
  scripted,
  success,
  TEST_KEY,
  type Turn,
} from "../../test/support/zulip/scripted.ts";
import { Failure } from "../model/diagnostic.ts";
import type { WireCall } from "../model/journal.ts";
import { traceLine } from "../report/trace.ts";
import { bodyOrFail } from "./failures.ts";
import { LONGEST_WAIT_MS, MOST_RATE_LIMITED } from "./pace.ts";
import { answerOf } from "./reply.ts";

const READ: WireCall = { operation: "get-streams", path: {}, params: { include_all: true } };
const WRITE: WireCall = { operation: "update-stream", path: { stream_id: 3 }, params: { description: "x" } };
const limited = (retryAfter: string) =>
  json(429, { result: "error", code: "RATE_LIMIT_HIT", msg: "too many" }, { "retry-after": retryAfter });

describe("the request", () => {
  test("a write has a form, credentials and the client's name", async () => {
    const { connection, requests } = scripted([success()]);
    await connection.exchange(WRITE);
    expect(requests).toEqual([
      {
        method: "PATCH",
        url: `${SITE}/api/v1/streams/3`,
        headers: {
          accept: "application/json",
          "accept-language": "en",
          authorization: `Basic ${Buffer.from(`kim@example.org:${TEST_KEY}`).toString("base64")}`,
          "content-type": "application/x-www-form-urlencoded",
          "user-agent": expect.stringMatching(/^realmctl\/1\.2\.3 \(/),
        },
        body: "description=x",
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  test("a read has its parameters in the query and no body", async () => {
    const { connection, requests } = scripted([success()]);
    await connection.exchange(READ);
    expect(requests[0]).toMatchObject({
      method: "GET",
      url: `${SITE}/api/v1/streams?include_all=true`,
      body: undefined,
    });
    expect(requests[0]?.headers).not.toHaveProperty("content-type");
  });

  test("waiting for events may take longer", async () => {
    const { connection, requests } = scripted([success(), success()]);
    await connection.exchange({ operation: "get-events", path: {}, params: { queue_id: "q", last_event_id: -1 } });
    await connection.exchange(READ);
    expect(requests.map(({ headersTimeoutMs }) => headersTimeoutMs)).toEqual([100_000, undefined]);
  });
});

const OFF = success({ streams: [] });
describe("which requests are repeated", () => {
  test.each<[name: string, call: WireCall, turns: readonly Turn[], sent: number, ends: string]>([
    ["read: 500 as JSON, then an answer", READ, [json(500, { result: "error", msg: "" }), OFF], 2, "envelope"],
    [
      "read: half an answer, then a whole one",
      READ,
      [{ status: 200, headers: {}, body: '{"result":"succ' }, OFF],
      2,
      "envelope",
    ],
    ["read: two timeouts are enough", READ, [noAnswer("timeout", false), noAnswer("timeout", false)], 2, "no-answer"],
    ["read: a certificate error is not repeated", READ, [noAnswer("tls", true)], 1, "no-answer"],
    [
      "read: a redirect is not followed",
      READ,
      [{ status: 302, headers: { location: "https://evil.example.org/" }, body: "" }],
      1,
      "redirect",
    ],
    ["write: 502", WRITE, [html(502)], 1, "unreadable"],
    ["write: 500", WRITE, [json(500, { result: "error", msg: "" })], 1, "envelope"],
    ["write: a page", WRITE, [html(200)], 1, "unreadable"],
    ["write: connection lost", WRITE, [noAnswer("broken-off", false)], 1, "no-answer"],
    ["write: timeout", WRITE, [noAnswer("timeout", false)], 1, "no-answer"],
    [
      "write: the connection failed, so it may be sent again",
      WRITE,
      [noAnswer("unreachable", true), success()],
      2,
      "envelope",
    ],
    [
      "write: rejected by the rate limit, so it was not executed",
      WRITE,
      [limited("1"), limited("0.5"), success()],
      3,
      "envelope",
    ],
    ["read: rejected by the rate limit", READ, [limited("1"), OFF], 2, "envelope"],
    [
      "rejected forever",
      WRITE,
      Array.from({ length: MOST_RATE_LIMITED + 1 }, () => limited("0")),
      MOST_RATE_LIMITED + 1,
      "rate-limited",
    ],
  ])("%s", async (_, call, turns, sent, ends) => {
    const { connection, requests } = scripted(turns);
    const reply = await connection.exchange(call);
    expect(requests).toHaveLength(sent);
    expect(reply.kind).toBe(ends);
  });
});

describe("the wait after a refusal by the rate limit", () => {
  test.each([
    { name: "fractions of a second count", turn: limited("28.95"), ms: 28_950 },
    { name: "the body has the time, too", turn: json(429, { result: "error", "retry-after": 3.5 }), ms: 3_500 },
    { name: "the header has priority", turn: json(429, { "retry-after": 9 }, { "retry-after": "2" }), ms: 2_000 },
    { name: "a date", turn: json(429, {}, { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }), ms: 30_000 },
    { name: "no time", turn: json(429, {}), ms: 500 },
    { name: "an invalid time", turn: json(429, {}, { "retry-after": "soon" }), ms: 500 },
    { name: "never zero", turn: limited("0"), ms: 50 },
    { name: "almost an hour is waited for", turn: limited("3599.5"), ms: 3_599_500 },
  ])("$name", async ({ turn, ms }) => {
    const { connection, clock } = scripted([turn, success()]);
    await connection.exchange(WRITE);
    expect(clock.pauses).toEqual([ms]);
  });

  test("no wait exceeds the longest one", () => expect(LONGEST_WAIT_MS).toBeGreaterThan(3_600_000));

  test("waits grow if the server names no time", async () => {
    const { connection, clock } = scripted([...Array.from({ length: 8 }, () => json(429, {})), success()]);
    await connection.exchange(WRITE);
    expect(clock.pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });
});

describe("stopping", () => {
  test("while waiting for the rate limit: the request was not carried out", async () => {
    const stop = new AbortController();
    const { connection, requests } = scripted([
      () => {
        stop.abort();
        return limited("60");
      },
    ]);
    const reply = await connection.exchange(WRITE, stop.signal);
    expect(requests).toHaveLength(1);
    expect(answerOf(reply).outcome).toBe("not-attempted");
  });

  test("only requests that were not sent yet, while waiting for the rate limit: not repeated; a sent request is not affected", async () => {
    const stop = new AbortController();
    const turnedAway = scripted([
      (request) => {
        stop.abort();
        expect(request.signal?.aborted).toBe(false);
        return limited("60");
      },
    ]);
    const reply = await turnedAway.connection.exchange(WRITE, new AbortController().signal, stop.signal);
    expect(turnedAway.requests).toHaveLength(1);
    expect(answerOf(reply).outcome).toBe("not-attempted");
  });
});

describe("the meaning of an answer to a write", () => {
  test.each<{ name: string; turn: Turn; is: object }>([
    { name: "success", turn: success({ id: 7 }), is: { outcome: "applied", body: { id: 7 } } },
    {
      name: "success that ignored a parameter",
      turn: success({ ignored_parameters_unsupported: ["folder_id"] }),
      is: { outcome: "applied", body: {}, ignored: ["folder_id"] },
    },
    {
      name: "success that ignored nothing",
      turn: success({ ignored_parameters_unsupported: [] }),
      is: { outcome: "applied", body: {} },
    },
    {
      name: "wrong key",
      turn: error(401, "UNAUTHORIZED", "Invalid API key"),
      is: { outcome: "refused", status: 401, code: "UNAUTHORIZED", message: "Invalid API key", details: {} },
    },
    {
      name: "refusal without a code",
      turn: json(405, { result: "error", msg: "Method Not Allowed" }),
      is: { outcome: "refused", status: 405, code: "HTTP_405", message: "Method Not Allowed", details: {} },
    },
    {
      name: "a server error",
      turn: json(500, { result: "error", msg: "Internal server error" }),
      is: { outcome: "unknown" },
    },
    { name: "a redirect", turn: { status: 301, headers: {}, body: "" }, is: { outcome: "unknown" } },
    {
      name: "rejected by the rate limit for too long",
      turn: limited("200000"),
      is: { outcome: "refused", status: 429, code: "RATE_LIMIT_HIT" },
    },
    {
      name: "an invitation link is not written to the journal",
      turn: success({ invite_link: "https://chat.example.org/join/x" }),
      is: { outcome: "applied", body: {} },
    },
  ])("$name", async ({ turn, is }) => {
    const { connection } = scripted([turn]);
    const answer = answerOf(await connection.exchange(WRITE));
    expect(answer).toMatchObject(is);
    if (answer.outcome === "applied") expect(answer).toEqual(is);
  });
});

describe("one clear message for each failure of a read", () => {
  test.each<[name: string, turns: readonly Turn[], code: string, exitCode: number, says: RegExp]>([
    [
      "no server at the address",
      Array.from({ length: 4 }, () => noAnswer("unreachable", true)),
      "zulip/unreachable",
      7,
      /cannot reach https:\/\/chat\.example\.org/,
    ],
    ["no such host", [noAnswer("unknown-host", true)], "zulip/unknown-host", 7, /no host "chat\.example\.org"/],
    ["certificate", [noAnswer("tls", true)], "zulip/tls", 7, /not safe/],
    ["silence", [noAnswer("timeout", false), noAnswer("timeout", false)], "zulip/timeout", 7, /in time/],
    ["endless answer", [noAnswer("too-large", false)], "zulip/too-large", 7, /too large/],
    [
      "wrong key",
      [error(401, "UNAUTHORIZED", "Invalid API key")],
      "zulip/unauthorized",
      6,
      /kim@example\.org: Invalid API key/,
    ],
    [
      "no such organization",
      [error(404, "NONEXISTENT_SUBDOMAIN", "No Zulip organization found with that subdomain")],
      "zulip/no-realm",
      7,
      /no organization at/,
    ],
    ["not a Zulip server", [html(404)], "zulip/not-zulip", 7, /not as a Zulip server/],
    [
      "another program's JSON",
      Array.from({ length: 4 }, () => json(200, { hello: "world" })),
      "zulip/not-zulip",
      7,
      /not as a Zulip server/,
    ],
    [
      "a file server that does not know the method",
      Array.from({ length: 4 }, () => html(501)),
      "zulip/not-zulip",
      7,
      /not as a Zulip server.*HTTP 501/,
    ],
    [
      "redirect",
      [{ status: 301, headers: { location: "https://chat2.example.org/api/v1/streams" }, body: "" }],
      "zulip/redirect",
      7,
      /to https:\/\/chat2\.example\.org/,
    ],
    ["a server error", Array.from({ length: 4 }, () => html(503)), "zulip/server-error", 7, /HTTP 503/],
    [
      "not allowed",
      [error(400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator")],
      "zulip/not-allowed",
      6,
      /administrator/,
    ],
    [
      "not for bots",
      [error(400, "BAD_REQUEST", "This endpoint does not accept bot requests.")],
      "zulip/not-allowed",
      6,
      /bot/,
    ],
    ["refused", [error(400, "BAD_REQUEST", "include_all is not valid JSON")], "zulip/refused", 1, /not valid JSON/],
    ["rate", [limited("200000")], "zulip/rate-limited", 7, /too many/],
  ])("%s", async (_, turns, code, exitCode, says) => {
    const { connection } = scripted(turns);
    const reply = await connection.exchange(READ);
    expect(() => bodyOrFail(reply, connection)).toThrow(Failure);
    try {
      bodyOrFail(reply, connection);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      expect(thrown.exitCode).toBe(exitCode);
      expect(thrown.diagnostics).toHaveLength(1);
      expect(thrown.diagnostics[0]?.code).toBe(code);
      expect(thrown.message).toMatch(says);
    }
  });

  test("with a wrong key, the message says where address and key came from", async () => {
    const { connection } = scripted([error(401, "UNAUTHORIZED", "Invalid API key")]);
    const reply = await connection.exchange(READ);
    expect(() => bodyOrFail(reply, connection)).toThrow(
      expect.objectContaining({
        diagnostics: [
          expect.objectContaining({
            fact: expect.objectContaining({ origin: { email: "ZULIP_EMAIL", key: "~/.zuliprc line 3" } }),
          }),
        ],
      }),
    );
  });
});

describe("the trace", () => {
  test("says what happened, without query and form", async () => {
    const { connection, traces } = scripted([noAnswer("broken-off", false), limited("2"), OFF]);
    await connection.exchange(READ);
    expect(traces.map(traceLine)).toEqual([
      "GET /api/v1/streams → no answer after 0 ms: scripted: broken-off",
      "… 0.1 s: trying again",
      "GET /api/v1/streams → 429 in 0 ms",
      "… 2.0 s: the server asks to wait",
      "GET /api/v1/streams → 200 in 0 ms",
    ]);
  });

  test("says when the client waits for the pace", async () => {
    const { connection, traces } = scripted([OFF, OFF], { rateRules: [{ limit: 1, windowMs: 1_000 }] });
    await connection.exchange(READ);
    await connection.exchange(READ);
    expect(traces.map(traceLine)).toContain("… 1.3 s: staying below the server's rate limit");
  });
});

test("the key appears nowhere: not in replies, answers, failures or traces, and not in the connection object", async () => {
  const basic = Buffer.from(`kim@example.org:${TEST_KEY}`).toString("base64");
  const endings: readonly (readonly Turn[])[] = [
    [success()],
    [error(401, "UNAUTHORIZED", "Invalid API key")],
    [html(404)],
    [noAnswer("tls", true)],
    [{ status: 302, headers: { location: `https://${TEST_KEY.slice(0, 4)}.example.org/` }, body: "" }],
  ];
  for (const turns of endings) {
    const { connection, traces } = scripted(turns);
    const reply = await connection.exchange(READ);
    const shown: unknown[] = [connection, traces, traces.map(traceLine), reply, answerOf(reply)];
    try {
      shown.push(bodyOrFail(reply, connection));
    } catch (thrown) {
      shown.push(thrown, thrown instanceof Failure ? thrown.diagnostics : undefined);
    }
    for (const value of shown) {
      const texts = [JSON.stringify(value) ?? "", inspect(value, { depth: 12, showHidden: true }), String(value)];
      for (const text of texts) {
        expect(text).not.toContain(TEST_KEY);
        expect(text).not.toContain(basic);
      }
    }
  }
});

test("a background request whose transport fails is reported by settled, once", async () => {
  const { connection } = scripted([]);
  await connection.sendAlongside({ operation: "delete-queue", path: {}, params: { queue_id: "q1" } });
  await expect(connection.settled()).rejects.toThrow("no answer scripted");
  await expect(connection.settled()).resolves.toBeUndefined();
});

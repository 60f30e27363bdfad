import { expect, test } from "vitest";
import { fakeClock } from "../../test/support/zulip/scripted.ts";
import { pace, type RateRule, SERVER_RULES } from "./pace.ts";
import type { HttpResponse } from "./transport.ts";

const MINUTE: RateRule = { limit: 200, windowMs: 60_000 };
const HOUR: RateRule = { limit: 2_000, windowMs: 3_600_000 };

/** How many of `count` requests, each of which takes `costMs`, were sent before `untilMs`. */
async function sentWithin(rules: readonly RateRule[], count: number, untilMs: number): Promise<number> {
  const clock = fakeClock();
  const gate = pace(rules, clock);
  const start = clock.now();
  let sent = 0;
  for (let n = 0; n < count; n++) {
    await gate.enter();
    if (clock.now() - start < untilMs) sent++;
  }
  return sent;
}

test.each([
  { name: "the minute rule", rules: SERVER_RULES, count: 450, untilMs: 60_000, sent: 200 },
  { name: "two minutes", rules: SERVER_RULES, count: 450, untilMs: 120_000, sent: 400 },
  { name: "the hour rule", rules: SERVER_RULES, count: 2_100, untilMs: 3_600_000, sent: 2_000 },
  { name: "no rules: no waiting", rules: [], count: 5_000, untilMs: 1, sent: 5_000 },
])("$name", async ({ rules, count, untilMs, sent }) => expect(await sentWithin(rules, count, untilMs)).toBe(sent));

function answer(
  clock: { now(): number },
  status: number,
  limit: number,
  remaining: number,
  resetInMs: number,
): HttpResponse {
  const reset = String(Math.ceil((clock.now() + resetInMs) / 1000));
  return {
    status,
    headers: {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": reset,
    },
    body: "",
  };
}

/** Sends `count` at once and returns how long the last one had to wait. */
async function waitedMs(
  rules: readonly RateRule[],
  count: number,
  lesson: (clock: { now(): number }) => HttpResponse,
): Promise<number> {
  const clock = fakeClock();
  const gate = pace(rules, clock);
  await gate.enter();
  gate.learn(lesson(clock));
  for (let n = 1; n < count; n++) await gate.enter();
  return clock.slept();
}

test.each<{ name: string; count: number; lesson: (clock: { now(): number }) => HttpResponse; waits: number }>([
  {
    name: "a stricter hour",
    count: 51,
    lesson: (clock) => answer(clock, 200, 50, 49, 3_600_000),
    waits: 3_600_250,
  },
  {
    name: "a stricter minute, shown by a refusal",
    count: 11,
    lesson: (clock) => answer(clock, 429, 10, 0, 12_000),
    waits: 60_250,
  },
])("learns from headers: $name", async ({ count, lesson, waits }) =>
  expect(await waitedMs([MINUTE, HOUR], count, lesson)).toBe(waits),
);

test("a wrong clock does not matter: the server's own Date header counts", async () => {
  const clock = fakeClock();
  const gate = pace([MINUTE, HOUR], clock);
  const serverNow = clock.now() + 5 * 3_600_000;
  await gate.enter();
  gate.learn({
    status: 200,
    headers: {
      date: new Date(serverNow).toUTCString(),
      "x-ratelimit-limit": "30",
      "x-ratelimit-remaining": "29",
      "x-ratelimit-reset": String(serverNow / 1000 + 60),
    },
    body: "",
  });
  for (let n = 1; n < 31; n++) await gate.enter();
  expect(clock.slept()).toBe(60_250);
});

test.each([
  { stepMs: -3_600_000, fact: "back by an hour: waits for one window at most", most: 60_250 },
  { stepMs: 3_600_000, fact: "forward by an hour: does not wait", most: 0 },
])("a clock that is set $fact", async ({ stepMs, most }) => {
  const clock = fakeClock();
  const gate = pace([{ limit: 3, windowMs: 60_000 }], clock);
  for (let n = 0; n < 3; n += 1) await gate.enter();
  clock.advance(stepMs);
  await gate.enter();
  expect(clock.slept()).toBe(most);
});

test("a clock that stands still does not block forever", async () => {
  const gate = pace([{ limit: 1, windowMs: 1_000 }], {
    now: () => 0,
    sleep: async () => {},
  });
  await gate.enter();
  await expect(gate.enter()).resolves.toBeUndefined();
});

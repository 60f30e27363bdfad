import { expect, test } from "vitest";
import { applyPlan } from "../../src/apply/apply.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { estimatedSeconds } from "../../src/report/plan-cost.ts";
import { PLAIN } from "../../src/report/style.ts";
import { renderPlan } from "../../src/report/text.ts";
import { createSandbox, SERVER_RATE_LIMITS } from "../../src/sandbox/index.ts";
import { createClient } from "../../src/zulip/client.ts";
import { findOperation } from "../../src/zulip/operations.ts";
import { pace, type RateRule, SERVER_RULES } from "../../src/zulip/pace.ts";
import { inProcess } from "../../src/zulip/transport.ts";
import { Secret } from "../../src/zulip/zuliprc.ts";
import { call, EMPTY_PLAN } from "../support/example-plans.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst } from "../support/world.ts";
import { fakeClock } from "../support/zulip/scripted.ts";

/** How much the delay of requests may vary; windows are kept longer by this much. */
const TRAVEL_MS = 250;

/** When each request was sent, and how long it was held, in milliseconds. */
async function sendAll(rules: readonly RateRule[], costsMs: Iterable<number>) {
  const clock = fakeClock();
  const gate = pace(rules, clock);
  const sent: { at: number; held: number }[] = [];
  for (const costMs of costsMs) {
    const asked = clock.now();
    await gate.enter();
    sent.push({ at: clock.now(), held: clock.now() - asked });
    clock.advance(costMs);
  }
  return sent;
}

/** The first request that exceeds a rule within its window, both ends of the window included. */
function tooMany(sent: readonly { at: number }[], rules: readonly RateRule[]): unknown {
  for (const { limit, windowMs } of rules) {
    const n = sent.findIndex(({ at }, index) => {
      const earlier = sent[index - limit];
      return earlier !== undefined && at - earlier.at <= windowMs;
    });
    if (n >= 0) return { limit, windowMs, n };
  }
  return undefined;
}

/** The first request that was held longer than any rule requires. */
function heldInVain(sent: readonly { at: number; held: number }[], rules: readonly RateRule[]): number {
  return sent.findIndex(({ at, held }, index) => {
    if (held === 0) return false;
    return !rules.some(({ limit, windowMs }) => sent[index - limit]?.at === at - windowMs - TRAVEL_MS);
  });
}

const smallRules = fc
  .record({
    limit: fc.integer({ min: 1, max: 8 }),
    more: fc.integer({ min: 1, max: 20 }),
    windowMs: fc.integer({ min: 500, max: 5_000 }),
    longer: fc.integer({ min: 2, max: 10 }),
  })
  .map(({ limit, more, windowMs, longer }) => [
    { limit, windowMs },
    { limit: limit + more, windowMs: windowMs * longer },
  ]);
/** At once, as fast as a server answers, or after a longer task. */
const costs = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 }), fc.integer({ min: 200, max: 20_000 })),
  { minLength: 1, maxLength: 150 },
);

test("two rules at once are never exceeded, and no wait is longer than the rules require", async () => {
  await fc.assert(
    fc.asyncProperty(smallRules, costs, async (rules, costsMs) => {
      const sent = await sendAll(rules, costsMs);
      expect(tooMany(sent, rules)).toBeUndefined();
      expect(heldInVain(sent, rules)).toBe(-1);
    }),
    { numRuns: 500 },
  );
});

test.each([0, 20, 100, 299, 301, 1_900])(
  "the server's own rules, %i ms for each request, over two hours",
  async (costMs) => {
    const sent = await sendAll(SERVER_RULES, Array<number>(4_300).fill(costMs));
    expect(tooMany(sent, SERVER_RULES)).toBeUndefined();
    expect(heldInVain(sent, SERVER_RULES)).toBe(-1);
  },
);

test.each([1, 199, 200, 201, 999, 1_999, 2_000, 2_001, 2_500, 4_000, 4_001, 10_000])(
  "the plan's estimate for %i calls is the time that they take",
  async (count) => {
    const sent = await sendAll(SERVER_RULES, Array<number>(count).fill(100));
    const tookSeconds = ((sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0)) / 1000 + 0.1;
    const calls = Array.from({ length: count }, (_, index) => call(index + 1));
    const estimate = estimatedSeconds({ ...EMPTY_PLAN, calls });
    // A quarter of a second for each window that is kept longer.
    expect(Math.abs(estimate - tookSeconds)).toBeLessThanOrEqual(1 + (count / 200) * (TRAVEL_MS / 1000));
  },
);

test("an apply of 430 requests uses the whole budget, is never refused, and takes as long as its plan says", async () => {
  const names = Array.from({ length: 430 }, (_, index) => `channel ${index}`);
  const live = realmOf({ channels: names.map((name) => ({ name })) });
  const yaml = JSON.stringify({
    version: 1,
    // Each change has its own words, so that no two share a request.
    channels: Object.fromEntries(names.map((name) => [name, { description: `About ${name}` }])),
  });
  const clock = fakeClock();
  const sandbox = createSandbox({
    from: live,
    clock: { now: clock.now, sleep: (ms) => clock.sleep(ms) },
    rateLimits: SERVER_RATE_LIMITS,
  });
  const account = sandbox.accounts[live.account.email];
  if (account === undefined) throw new RangeError("the sandbox has not this account");
  const sentAt: number[] = [];
  const { reader, writer } = createClient({
    site: "http://sandbox.example.org",
    email: account.email,
    key: new Secret(account.api_key),
    transport: inProcess((request) => {
      sentAt.push(clock.now());
      clock.advance(100);
      return sandbox.fetch(request);
    }),
    clock,
    version: "0.0.0",
    rateRules: SERVER_RULES,
  });
  const read = () => reader.snapshot({ invites: false, subscribers: false });
  const plan = must(await planAgainst(yaml, await read()));
  expect(plan.calls).toHaveLength(430);
  expect(renderPlan(plan, { style: { ...PLAIN, width: 200 }, all: true })).toMatch(
    /430 writes \(430 is the least possible\) · about 2 min/,
  );
  const result = await applyPlan(plan, {
    send: (call, signal) => writer.send(call, signal),
    ready: async (signal) => writer.ready?.(signal),
    read,
    kinds,
    openJournal: () => ({ path: "in memory", write: () => {}, close: () => {} }),
    now: clock.now,
    mayRepeat: (operation) => findOperation(operation)?.repeat !== "unsafe",
    replan: (snapshot) => planAgainst(yaml, snapshot),
  });
  expect(result.outcome).toBe("applied");
  expect(sandbox.log.filter(({ status }) => status === 429)).toEqual([]);
  expect(
    tooMany(
      sentAt.map((at) => ({ at })),
      SERVER_RULES,
    ),
  ).toBeUndefined();
  // The readings of a run count as well: a few requests besides the writes, in windows that have one place left.
  const [start = 0] = sentAt;
  for (const minute of [0, 1]) {
    const from = start + minute * (60_000 + TRAVEL_MS);
    expect(sentAt.filter((at) => at >= from && at < from + 60_000)).toHaveLength(200);
  }
  const tookSeconds = result.elapsedMs / 1000;
  expect(Math.abs(tookSeconds - estimatedSeconds(plan))).toBeLessThan(5);
});

import { describe, expect, test } from "vitest";
import { EXIT, error, Failure } from "../../src/model/diagnostic.ts";
import type { JournalEntry } from "../../src/model/journal.ts";
import type { Call, Plan } from "../../src/model/plan.ts";
import { byText } from "../../src/model/realm.ts";
import type { ApplyResult } from "../../src/model/result.ts";
import { FAULTS, FaultPlan } from "../../src/sandbox/faults.ts";
import { Faults } from "../../src/sandbox/index.ts";
import type { Invite } from "../../src/sandbox/rows/organization.ts";
import { callsTried, isTried, MIXED_PLANS, type MixedPlan, strideOf } from "../support/mixed-plans.ts";
import { isSoak, oneIn } from "../support/sample.ts";
import { whatIsSeen } from "../support/what-is-seen.ts";
import { must, planAgainst, World } from "../support/world.ts";

const isWrite = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method !== "GET" && !/\/(register|events)$/.test(path);

/** A realm, a file that changes a lot of it, and faults in between. */
class Site {
  readonly plan: Plan;
  readonly yaml: string;
  readonly world: World;
  readonly faults: Faults;

  static async of({ live, yaml }: MixedPlan): Promise<Site> {
    return new Site(live, yaml, must(await planAgainst(yaml, live)));
  }

  private constructor(live: MixedPlan["live"], yaml: string, plan: Plan) {
    this.yaml = yaml;
    this.plan = plan;
    // Waiting takes no time: a request that hangs has hung.
    this.faults = new Faults({ clock: { now: () => Date.parse(live.taken_at), sleep: async () => {} } });
    this.world = new World(live, [this.faults]);
  }

  restart(rules: readonly object[], seed: number | string = 0): void {
    this.world.restart();
    this.faults.replace(FaultPlan.parse({ seed, faults: rules }));
  }

  apply(plan = this.plan): Promise<ApplyResult> {
    return this.world.apply(plan, this.yaml);
  }

  /** What the file asks for by now. */
  async again(): Promise<Plan> {
    return must(await this.world.plan(this.yaml));
  }

  struckWrites() {
    return this.faults.strikes.filter(isWrite);
  }

  /** Writes that left realmctl: those that the server carried out, and those that a fault hit before it could. */
  writesSent(): number {
    return this.world.writes + this.struckWrites().filter(({ when }) => when === "before").length;
  }

  /** What people see, without times: objects, and how many notices and invitations were ever sent. */
  seen(): Seen {
    const { invites, ...state } = this.world.sandbox.state();
    // The order in which several invitations were sent does not matter.
    const open = invites.map((invite) => ({ ...invite, id: 0 }));
    const whose = ({ email, invited_as }: Invite): string => `${email} ${invited_as}`;
    return whatIsSeen({ ...state, invites: open.sort((a, b) => byText(whose(a), whose(b))) });
  }
}

interface Seen {
  /** JSON */
  readonly text: string;
  readonly notices: number;
  readonly invitations: number;
}

/** How often a channel was notified of a change, and how often a picture was uploaded, are left out. */
function onceOrTwice({ text, ...seen }: Seen): Seen {
  const { image_versions: _, ...state }: { readonly image_versions?: unknown } = JSON.parse(text);
  return { ...seen, text: JSON.stringify(state).replaceAll(/\?version=\d+/g, ""), notices: 0 };
}

/**
 * Equal texts mean equal realms, which saves thousands of comparisons; different texts may still be equal in another order, or show the difference.
 */
function expectSame(seen: Seen, calm: Seen, where = ""): void {
  const isSame = seen.text === calm.text && seen.notices === calm.notices && seen.invitations === calm.invitations;
  if (!isSame)
    expect({ ...seen, text: JSON.parse(seen.text) }, where).toEqual({ ...calm, text: JSON.parse(calm.text) });
}

/** The exit code agrees with the results of the calls. */
function expectHonest(result: ApplyResult): void {
  const states = result.calls.map(({ state }) => state);
  const isWhole = states.every((state) => state === "done" || state === "already-so");
  expect(result.conflicts).toEqual([]);
  expect(isWhole).toBe(result.exitCode === EXIT.done);
  if (isWhole) expect(result).toMatchObject({ outcome: "applied", diagnostics: [], remaining: [] });
}

/**
 * slow and cut concern a real answer; a rate limit refuses a request before it is processed, so realmctl relies on nothing having happened
 * (zulip-api.md §13.5).
 */
const MOMENTS: { readonly [fault: string]: readonly ("before" | "after")[] } = {
  slow: ["after"],
  cut: ["after"],
  "rate-limit": ["before"],
};
const places = FAULTS.flatMap((fault) =>
  (MOMENTS[fault] ?? (["before", "after"] as const)).map((when) => ({ fault, when })),
);

describe.each(MIXED_PLANS)("$name", async (mixed) => {
  const site = await Site.of(mixed);
  site.restart([]);
  let lines = 0;
  const calmResult = await site.world.apply(site.plan, site.yaml, undefined, undefined, {
    openJournal: () => ({
      path: "counted.jsonl",
      write: () => {
        lines += 1;
      },
      close: () => {},
    }),
  });
  const calm = {
    writes: site.world.writes,
    requests: site.world.sandbox.log.length,
    realm: site.seen(),
    lines,
  };

  test("the run without faults is complete", () => {
    expectHonest(calmResult);
    expect(calmResult.exitCode).toBe(EXIT.done);
    // One repeated call is less than a tenth of all, so that the budget below is meaningful.
    expect(calm.writes).toBeGreaterThan(10);
  });

  const stride = strideOf(mixed);
  const tried = callsTried(site.plan, mixed);
  /** Each of three faults hits every ninth call, its neighbours the next ones. */
  const turn = (at: 0 | 1 | 2): readonly Call[] => (isSoak ? tried : tried.filter((_, index) => index % 9 === at * 3));
  test.each(places.map((place, at) => ({ ...place, first: 1 + (at % stride) })))(
    "$fault $when any one request is carried out",
    async ({ fault, when, first }) => {
      for (let n = first; n <= calm.requests; n += stride) {
        site.restart([{ at: n, when, do: fault, ...(fault === "rate-limit" ? { seconds: 0.1 } : {}) }]);
        const result = await site.apply();
        expect(site.faults.strikes).toHaveLength(1);
        expectHonest(result);
        // Calls: at most one more. Readings that find out what happened to a call are counted separately: three requests each.
        expect(site.writesSent()).toBeLessThanOrEqual(calm.writes * 1.1);
        expect(site.world.sandbox.log.length + 1 - calm.requests).toBeLessThanOrEqual(1 + 2 * 3);
        if (result.exitCode !== EXIT.done) {
          // Only an invitation is not sent again on a guess; the next run does the rest.
          const open = result.calls.filter(({ state }) => state === "failed").map(({ n: number }) => number);
          const operations = site.plan.calls.filter(({ n: number }) => open.includes(number));
          expect(["send-invites", "create-invite-link"]).toEqual(
            expect.arrayContaining(operations.map(({ operation }) => operation)),
          );
          expect(result.exitCode).toBe(EXIT.appliedInPart);
          expectHonest(await site.apply(await site.again()));
        }
        expectSame(site.seen(), calm.realm, `request ${n}`);
      }
    },
  );

  test.each([
    { fault: "rate-limit", when: "before", seconds: 0.1 },
    { fault: "rate-limit", when: "before", seconds: 90 },
  ])("a series of five $fault (of $seconds s each) at any one call is waited out", async ({ seconds }) => {
    for (let n = 1; n <= calm.requests; n += stride + 1) {
      site.restart([{ at: [n, n + 1, n + 2, n + 3, n + 4], when: "before", do: "rate-limit", seconds }]);
      const result = await site.apply();
      expect(result.exitCode).toBe(EXIT.done);
      // A refused request is not carried out: no call of the plan was carried out twice, and no reading was wasted on it.
      expect(site.world.writes - site.struckWrites().length).toBeLessThanOrEqual(calm.writes);
      expectSame(site.seen(), calm.realm);
    }
  });

  test.each(Array.from({ length: isSoak ? 8 : 2 }, (_, seed) => seed))(
    "seed %i: one request in eight has a fault",
    async (seed) => {
      const stormy = [
        { chance: 0.125, when: "either", do: ["drop", "hang", "error", "bad-gateway", "truncate", "delay"] },
        { chance: 0.05, when: "before", do: "rate-limit", seconds: 0.1 },
        { chance: 0.05, when: "after", do: ["cut", "slow"] },
      ];
      site.restart(stormy, seed);
      let sent = 0;
      for (let run = 1; ; run += 1) {
        const result = await site.apply(run === 1 ? site.plan : await site.again());
        sent = site.writesSent();
        if (result.exitCode === EXIT.done) break;
        expect([EXIT.appliedInPart, EXIT.unreachable]).toContain(result.exitCode);
        expect(run).toBeLessThan(6);
      }
      // No call is sent again unless a fault hit it.
      expect(sent).toBeLessThanOrEqual(calm.writes + site.struckWrites().length);
      expectSame(site.seen(), calm.realm);
    },
  );

  test("the same seed gives the same run", async () => {
    const runs: unknown[] = [];
    for (const _ of [1, 2]) {
      site.restart([{ chance: 0.2, when: "either", do: ["drop", "error", "truncate"] }], "again");
      const { calls, exitCode } = await site.apply();
      const strikes = site.faults.strikes.map((strike) => strike);
      runs.push({ calls, exitCode, strikes, writes: site.writesSent() });
    }
    expect(runs[0]).toEqual(runs[1]);
  });

  test("the disk is full at each line of the journal: a call that is not recorded is not sent", async () => {
    const all = Array.from({ length: calm.lines }, (_, index) => index + 1);
    const some = oneIn(
      18,
      all.filter((line) => isTried(line, mixed)),
    );
    for (const full of new Set([...some, calm.lines])) {
      site.restart([]);
      const written: JournalEntry[] = [];
      const result = await site.world.apply(site.plan, site.yaml, undefined, undefined, {
        openJournal: () => ({
          path: "full.jsonl",
          write(entry) {
            if (written.length + 1 >= full) throw diskFull();
            written.push(entry);
          },
          close: () => {},
        }),
      });
      const announced = written.filter(({ entry }) => entry === "sending").length;
      expect(site.world.writes).toBe(announced);
      // The last line only says that the run is over.
      const isOver = full === calm.lines;
      expect(result.exitCode).toBe(isOver ? EXIT.done : announced > 0 ? EXIT.appliedInPart : EXIT.errors);
      expect(result.diagnostics.map(({ code }) => code)).toEqual(["journal/not-written"]);
      expect(result.calls.filter(({ state }) => state === "done")).toHaveLength(announced);
      expect(result.calls.filter(({ state }) => state === "failed")).toEqual([]);
      const rest = await site.apply(await site.again());
      expect(rest.exitCode).toBe(EXIT.done);
      expectSame(site.seen(), calm.realm);
    }
  });

  test("an interrupt during each call: that call is the last one", async () => {
    for (const { n } of turn(0)) {
      site.restart([]);
      const stop = { requested: false, signal: new AbortController().signal };
      const result = await site.world.apply(
        site.plan,
        site.yaml,
        async () => {
          stop.requested = site.world.writes + 1 === n;
        },
        undefined,
        { stop },
      );
      expect(site.world.writes).toBe(n);
      // If the stop comes during the last call, there is nothing left to stop.
      expect(result.outcome).toBe(n === site.plan.calls.length ? "applied" : "stopped");
      expect(result.exitCode).toBe(n === site.plan.calls.length ? EXIT.done : EXIT.appliedInPart);
      expect((await site.apply(await site.again())).exitCode).toBe(EXIT.done);
      expectSame(site.seen(), calm.realm);
    }
  });

  test.each([
    { fact: "carried out", when: "after" },
    { fact: "not carried out", when: "before" },
  ] as const)("an immediate stop during any one call, which was $fact", async ({ when }) => {
    for (const { n } of turn(when === "after" ? 1 : 2)) {
      site.restart([]);
      const now = new AbortController();
      let sent = 0;
      const result = await site.world.apply(
        site.plan,
        site.yaml,
        async () => {
          sent += 1;
          if (when === "before" && sent === n) now.abort();
        },
        (answer) => {
          if (when === "before" || sent !== n) return answer;
          now.abort();
          return { outcome: "unknown", reason: { is: "no-answer", why: { is: "stopped" } } };
        },
        { stop: { requested: false, signal: now.signal } },
      );
      expect(site.world.writes).toBe(when === "after" ? n : n - 1);
      expect(result).toMatchObject({ outcome: "stopped", diagnostics: [] });
      expect((await site.apply(await site.again())).exitCode).toBe(EXIT.done);
      expectSame(site.seen(), calm.realm);
    }
  });

  test("another machine, which the lock does not cover, applies the same file before each call", async () => {
    for (const { n } of turn(0)) {
      site.restart([]);
      let isDone = false;
      const result = await site.world.apply(site.plan, site.yaml, undefined, undefined, {
        ready: async () => {
          if (isDone || site.world.writes < n - 1) return;
          isDone = true;
          expect((await site.apply(await site.again())).exitCode).toBe(EXIT.done);
        },
      });
      expect(isDone).toBe(true);
      // Both wanted the same: nothing is created twice, nobody is invited twice, and nothing is left to do.
      expect((await site.again()).calls).toEqual([]);
      expect(result.remaining).toEqual([]);
      // A channel may be notified twice of a change (zulip-api.md §3.5), and a picture uploaded twice: only a reading before every call could prevent
      // that.
      expectSame(onceOrTwice(site.seen()), onceOrTwice(calm.realm), `call ${n}`);
    }
  });

  test.each([
    { fact: "forward by a day", stepMs: 86_400_000 },
    { fact: "back by a day", stepMs: -86_400_000 },
  ])("the clock is set $fact at any one call: one more reading, nothing else", async ({ stepMs }) => {
    for (const { n } of turn(stepMs > 0 ? 1 : 2)) {
      site.restart([]);
      let now = Date.UTC(2026, 10, 21);
      let sent = 0;
      const result = await site.world.apply(
        site.plan,
        site.yaml,
        async () => {
          sent += 1;
          if (sent === n) now += stepMs;
        },
        undefined,
        { now: () => now },
      );
      expectHonest(result);
      expect(result.exitCode).toBe(EXIT.done);
      expect(site.world.writes).toBe(calm.writes);
      expect(site.world.sandbox.log.length - calm.requests).toBeLessThanOrEqual(3);
      expectSame(site.seen(), calm.realm);
    }
  });
});

function diskFull(): Failure {
  return new Failure(
    EXIT.errors,
    error("journal/not-written", {
      journal: "full.jsonl",
      why: { code: "ENOSPC", words: "no space left on device, write" },
    }),
  );
}

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseJournal } from "../../src/apply/journal.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { RealmState } from "../../src/sandbox/index.ts";
import { OPERATIONS } from "../../src/zulip/operations.ts";
import { casesOf, planText } from "../support/cases.ts";
import { MIXED_PLANS, type MixedPlan, requestsIn } from "../support/mixed-plans.ts";
import { sourcesOfKinds } from "../support/sources.ts";
import { must, planAgainst } from "../support/world.ts";
import { type Bundle, buildBundle, type Child, start } from "./child.ts";
import { isWrite, World } from "./world.ts";

let bundle: Bundle;
beforeAll(() => {
  bundle = buildBundle();
});
afterAll(() => bundle.remove());

const plans = await Promise.all(
  MIXED_PLANS.map(async (mixed) => ({ ...mixed, plan: must(await planAgainst(mixed.yaml, mixed.live)) })),
);

describe("the mixed plans hold every request that any kind can send", () => {
  const tried = new Set(plans.flatMap(({ plan }) => requestsIn(plan)));

  test("every one that the plan of a case folder has", async () => {
    const missing = new Map<string, string>();
    for (const { name, yaml, live } of casesOf()) {
      const planned = await planText(yaml, live);
      for (const request of planned.ok ? requestsIn(planned.value) : [])
        if (!tried.has(request)) missing.set(request, name);
    }
    expect([...missing]).toEqual([]);
  });

  test("every operation that a kind's source names", () => {
    const sources = sourcesOfKinds();
    const named = OPERATIONS.filter(({ repeat, name }) => repeat !== "read" && sources.includes(`"${name}"`));
    expect(named.length).toBeGreaterThan(25);
    const sent = new Set(plans.flatMap(({ plan }) => plan.calls.map(({ operation }) => operation)));
    expect(named.map(({ name }) => name).filter((name) => !sent.has(name))).toEqual([]);
  });

  test("every kind and every way to change an object of it", () => {
    const changed = plans.flatMap(({ plan }) => plan.changes.map(({ kind, action }) => `${kind} ${action}`));
    const wanted = kinds.flatMap(({ name, ordered }) => [
      `${name} create`,
      `${name} remove`,
      // A default channel is one or is not.
      ...(name === "default_channel" ? [] : [`${name} update`]),
      ...(ordered === undefined ? [] : [`${name} reorder`]),
    ]);
    expect(wanted.filter((each) => !changed.includes(each))).toEqual([]);
  });
});

/**
 * When the process dies, seen from one call: the request has arrived and is not carried out yet; it is carried out and the answer is
 * on its way; half of the line that announces the call is in the journal; half of the line that holds its answer is.
 */
type Moment = "before" | "after" | "announcing" | "noting";

/** The process writes half of one line of its journal, and dies. */
const torn = (n: number, entry: "sending" | "answer"): string => `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const write = fs.writeSync;
fs.writeSync = (descriptor, bytes, ...rest) => {
  const text = Buffer.isBuffer(bytes) ? bytes.toString() : "";
  if (!text.startsWith('{"entry":"${entry}"') || JSON.parse(text).n !== ${n}) return write(descriptor, bytes, ...rest);
  write(descriptor, bytes.subarray(0, bytes.length / 2));
  process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
`;

/** A realm with its requests counted, in which a child process dies once. */
class CrashSite {
  /** Requests that the server carried out. */
  readonly carriedOut: string[] = [];
  /** Called for every write that arrives or is carried out. */
  private strike: (moment: "before" | "after") => Promise<void> = async () => {};
  private opened: World | undefined;

  static async open({ live, yaml }: MixedPlan): Promise<CrashSite> {
    const site = new CrashSite();
    site.opened = await World.start({
      from: live,
      interceptors: [
        {
          before: async (request) => {
            if (isWrite(request)) await site.strike("before");
            return undefined;
          },
          after: async (request, response) => {
            if (!isWrite(request)) return undefined;
            if (response.ok) site.carriedOut.push(`${request.method} ${request.path}`);
            await site.strike("after");
            return undefined;
          },
        },
      ],
    });
    site.world.file("realm.yaml", yaml);
    return site;
  }

  get world(): World {
    if (this.opened === undefined) throw new RangeError("not open");
    return this.opened;
  }

  async kill(line: string, moment: Moment, n: number): Promise<void> {
    if (moment === "announcing" || moment === "noting") {
      const preload = torn(n, moment === "announcing" ? "sending" : "answer");
      expect((await start(bundle, this.world, line, { preload }).ended).code).toBeLessThan(0);
      return;
    }
    let child: Child | undefined;
    let count = 0;
    this.strike = async (reached) => {
      if (reached !== moment) return;
      count += 1;
      if (count !== n || child === undefined) return;
      child.process.kill("SIGKILL");
      await child.ended;
      throw new Error("nobody listens any more");
    };
    child = start(bundle, this.world, line);
    expect((await child.ended).code).toBeLessThan(0);
    this.strike = async () => {};
  }
}

/** What people see, without times: objects, and how many notices and invitations were ever sent. */
function seen({ sandbox }: World): unknown {
  const { messages, next_id, ...state }: RealmState = sandbox.state();
  const text = JSON.stringify(state, (key, value: unknown) =>
    /date|invited$|expiry|timestamp|anonymous/.test(key) ? undefined : value,
  );
  return { state: JSON.parse(text), notices: Object.keys(messages).length, invitations: next_id.invite };
}

/** Two children at a time, since there are two cores. */
const gates = [Promise.resolve(), Promise.resolve()];
let turn = 0;
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  turn += 1;
  const place = turn % gates.length;
  const done = (gates[place] ?? Promise.resolve()).then(work);
  gates[place] = done.then(
    () => {},
    () => {},
  );
  return done;
}

/** What is left to do is the file's, or the saved plan's; both ways are tried. */
const lineOf = (moment: Moment): string =>
  moment === "noting" || moment === "announcing" ? "apply --yes --plan realm.plan" : "apply --yes";

describe.each(plans)("$name", async (mixed: MixedPlan & { readonly plan: Plan }) => {
  const calm = await CrashSite.open(mixed);
  const ran = await calm.world.realmctl("apply --yes");
  const expected = { realm: seen(calm.world), carriedOut: calm.carriedOut };
  await calm.world.end();

  test("is carried out when nothing happens, one request for each call", () => {
    expect(ran, ran.out).toMatchObject({ code: EXIT.done, err: "" });
    expect(expected.carriedOut).toHaveLength(mixed.plan.calls.length);
  });

  // Which half line is left tells nothing of the request: calls take turns.
  const half = (n: number): Moment => (n % 2 === 0 ? "announcing" : "noting");
  const rows = mixed.plan.calls.flatMap(({ n, operation }) =>
    (["before", "after", half(n)] as const).map((moment) => ({ n, operation, moment })),
  );
  test.concurrent.each(rows)(
    "killed $moment call $n ($operation): the next run goes on, nothing is done twice",
    (row) =>
      inTurn(async () => {
        const { n, moment } = row;
        const site = await CrashSite.open(mixed);
        const { world } = site;
        try {
          const line = lineOf(moment);
          if (line.includes("--plan")) await world.realmctl("plan --out realm.plan");
          await site.kill(line, moment, n);
          expect(site.carriedOut).toHaveLength(moment === "after" || moment === "noting" ? n : n - 1);

          const [name = ""] = world.journals();
          const journal = parseJournal(world.read(`.realmctl/${name}`), name);
          expect(journal.torn).toBe(moment === "announcing" || moment === "noting");
          expect(journal.entries.filter(({ entry }) => entry === "answer")).toHaveLength(n - 1);

          const again = await world.realmctl(line);
          expect(again.code, again.out + again.err).toBe(EXIT.done);
          expect(again.err).toContain("did not come to its end");
          expect(seen(world)).toEqual(expected.realm);
          expect(site.carriedOut.toSorted()).toEqual(expected.carriedOut.toSorted());
          // That it is whole, that run has read and planned again to say; that it is told of no more is the same wherever it was.
          if (moment !== "after") return;
          expect(await world.realmctl("apply --yes")).toMatchObject({ code: EXIT.done, err: "" });
          expect(site.carriedOut).toHaveLength(expected.carriedOut.length);
        } finally {
          await world.end();
        }
      }),
  );
});

test.each(plans)("killed three times in one saved plan ($name): it still goes on", async (mixed) => {
  const calm = await CrashSite.open(mixed);
  await calm.world.realmctl("apply --yes");
  const site = await CrashSite.open(mixed);
  const { world } = site;
  try {
    const line = "apply --yes --plan realm.plan";
    await world.realmctl("plan --out realm.plan");
    for (const [moment, part] of [
      ["noting", 0.2],
      ["announcing", 0.5],
      ["noting", 0.8],
    ] as const)
      await site.kill(line, moment, Math.ceil(mixed.plan.calls.length * part));
    expect(world.journals()).toHaveLength(3);
    const again = await world.realmctl(line);
    expect(again.code, again.out + again.err).toBe(EXIT.done);
    expect(seen(world)).toEqual(seen(calm.world));
    expect(site.carriedOut).toEqual(calm.carriedOut);
  } finally {
    await world.end();
    await calm.world.end();
  }
});

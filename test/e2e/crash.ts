import { afterAll, describe, expect, test } from "vitest";
import { parseJournal } from "../../src/apply/journal.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { callsTried, MIXED_PLANS, type MixedPlan } from "../support/mixed-plans.ts";
import { PNG } from "../support/pictures.ts";
import { isSoak, oneIn } from "../support/sample.ts";
import { whatIsSeen } from "../support/what-is-seen.ts";
import { must, planAgainst } from "../support/world.ts";
import { type Child, start } from "./child.ts";
import { isWrite, World } from "./world.ts";

/**
 * When the process dies, relative to one call: the request has arrived but is not carried out; it is carried out and the answer is under way; half of
 * the line that announces the call is in the journal; half of the line with its answer is.
 */
const MOMENTS = ["before", "after", "announcing", "noting"] as const;
export type Moment = (typeof MOMENTS)[number];

/** The process writes half of one journal line, and dies. */
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

/** A realm that counts its requests, in which child processes die. */
export class CrashSite {
  readonly world: World;
  private readonly yaml: string;
  /** Files that it names. */
  private readonly pictures: readonly string[];
  /** Requests that the server carried out since the last restart. */
  readonly carriedOut: string[];
  /** Called for every write that arrives or is carried out. */
  private strike: (moment: "before" | "after") => Promise<void> = async () => {};

  private constructor(world: World, yaml: string, carriedOut: string[]) {
    this.world = world;
    this.yaml = yaml;
    this.pictures = yaml.match(/\w+\.(?:png|gif)/g) ?? [];
    this.carriedOut = carriedOut;
  }

  static async open({ live, yaml }: MixedPlan): Promise<CrashSite> {
    const carriedOut: string[] = [];
    let site: CrashSite | undefined;
    const world = await World.start({
      from: live,
      interceptors: [
        {
          before: async (request) => {
            if (isWrite(request)) await site?.strike("before");
            return undefined;
          },
          after: async (request, response) => {
            if (!isWrite(request)) return undefined;
            if (response.ok) carriedOut.push(`${request.method} ${request.path}`);
            await site?.strike("after");
            return undefined;
          },
        },
      ],
    });
    site = new CrashSite(world, yaml, carriedOut);
    site.restart();
    return site;
  }

  /** As if nothing had ever happened; with the plan, if one is given, as `plan --out` would have written it. */
  restart(savedPlan?: string): void {
    this.world.restart();
    this.carriedOut.length = 0;
    this.world.file("realm.yaml", this.yaml);
    for (const picture of this.pictures) this.world.file(picture, PNG);
    if (savedPlan !== undefined) this.world.file("realm.plan", savedPlan);
  }

  async kill(line: string, moment: Moment, n: number): Promise<void> {
    if (moment === "announcing" || moment === "noting") {
      const preload = torn(n, moment === "announcing" ? "sending" : "answer");
      const { code, out, err } = await start(this.world, line, { preload }).ended;
      expect(code, out + err).toBeLessThan(0);
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
    try {
      child = start(this.world, line);
      const { code, out, err } = await child.ended;
      expect(code, out + err).toBeLessThan(0);
    } finally {
      this.strike = async () => {};
    }
  }
}

/** What people see, and what the server stores. */
export function seen({ sandbox }: World): unknown {
  const { text, ...counts } = whatIsSeen(sandbox.state());
  return { ...counts, state: JSON.parse(text) };
}

/**
 * Deletions (also of what people entered) and wider access in the mixed plans would cause questions (docs/policy.md), and nobody is there to answer.
 * A rehearsal sends nothing that a kill could interrupt; it has tests of its own.
 */
const APPLY =
  "apply --yes --no-rehearse --allow messages_deleted --allow data_deleted --allow opened --allow people_gaining_access";

/** The rest comes from the file, or from the saved plan; both ways are tried. */
const lineOf = (moment: Moment): string =>
  moment === "noting" || moment === "announcing" ? `${APPLY} --plan realm.plan` : APPLY;

/** The rows of one mixed plan: its calls, and the moments at which the process dies. One file for each plan, so that every core has some. */
export async function crashMatrix(name: string): Promise<void> {
  const mixed = MIXED_PLANS.find((each) => each.name === name);
  if (mixed === undefined) throw new RangeError(`there is no plan in which ${name}`);
  const plan = must(await planAgainst(mixed.yaml, mixed.live));

  const site = await CrashSite.open(mixed);
  const { world } = site;
  await world.realmctl("plan --out realm.plan");
  const savedPlan = world.read("realm.plan");
  const ran = await world.realmctl(APPLY);
  const expected = { realm: seen(world), carriedOut: [...site.carriedOut] };

  describe(name, () => {
    afterAll(() => world.end());

    test("is carried out if nothing goes wrong, with one request for each call", () => {
      expect(ran, ran.out).toMatchObject({ code: EXIT.done, err: "" });
      expect(expected.carriedOut).toHaveLength(plan.calls.length);
    });

    // The moments alternate from call to call, and start differently in each plan; in `npm run soak` every call meets all four.
    const first = MIXED_PLANS.indexOf(mixed);
    const rows = oneIn(7, callsTried(plan, mixed)).flatMap(({ n, operation }, turn) =>
      MOMENTS.filter((_, index) => isSoak || index === (first + turn) % MOMENTS.length).map((moment) => ({
        n,
        operation,
        moment,
      })),
    );
    test.each(rows)(
      "killed $moment call $n ($operation): the next run goes on, nothing is done twice",
      async ({ n, moment }) => {
        site.restart(savedPlan);
        const line = lineOf(moment);
        await site.kill(line, moment, n);
        expect(site.carriedOut).toHaveLength(moment === "after" || moment === "noting" ? n : n - 1);

        const [journalName = ""] = world.journals();
        const journal = parseJournal(world.read(`.realmctl/${journalName}`), journalName);
        expect(journal.torn).toBe(moment === "announcing" || moment === "noting");
        expect(journal.entries.filter(({ entry }) => entry === "answer")).toHaveLength(n - 1);

        const again = await world.realmctl(line);
        expect(again.code, again.out + again.err).toBe(EXIT.done);
        expect(again.err).toContain("did not finish");
        expect(seen(world)).toEqual(expected.realm);
        expect(site.carriedOut.toSorted()).toEqual(expected.carriedOut.toSorted());
        // That run has read and planned again, so nothing is left to do. That the next run reports no interruption is the same for every moment: one is enough.
        if (moment !== "after") return;
        expect(await world.realmctl(APPLY)).toMatchObject({ code: EXIT.done, err: "" });
        expect(site.carriedOut).toHaveLength(expected.carriedOut.length);
      },
    );

    test("continues after being killed three times in one saved plan", { tags: "installed" }, async () => {
      site.restart(savedPlan);
      const line = `${APPLY} --plan realm.plan`;
      for (const [moment, part] of [
        ["noting", 0.2],
        ["announcing", 0.5],
        ["noting", 0.8],
      ] as const)
        await site.kill(line, moment, Math.ceil(plan.calls.length * part));
      expect(world.journals()).toHaveLength(3);
      const again = await world.realmctl(line);
      expect(again.code, again.out + again.err).toBe(EXIT.done);
      expect(seen(world)).toEqual(expected.realm);
      expect(site.carriedOut).toEqual(expected.carriedOut);
    });
  });
}

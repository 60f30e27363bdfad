import { afterAll, beforeAll, expect, test } from "vitest";
import { Dice } from "./mutate.ts";
import { Ground, TARGETS } from "./targets.ts";

/**
 * `npm run fuzz`: hostile inputs of every kind for the given time; without a time (in CI) the same two cases in each run, in `npm run soak` hundreds. A finding names its target
 * and seed, and `npm run fuzz -- --target T --seed N --cases 1` repeats exactly that case.
 */
const seconds = Number(process.env.REALMCTL_FUZZ_SECONDS ?? 0);
const firstSeed = Number(process.env.REALMCTL_FUZZ_SEED ?? 1);
const cases = Number(
  process.env.REALMCTL_FUZZ_CASES ?? (seconds > 0 ? Number.POSITIVE_INFINITY : (process.env.REALMCTL_RUNS ?? 2)),
);
const only = process.env.REALMCTL_FUZZ_TARGET;
const names = Object.keys(TARGETS).filter((name): name is keyof typeof TARGETS => only === undefined || name === only);

/** Seeds that found an error once. */
const FOUND: readonly { readonly target: keyof typeof TARGETS; readonly seed: number }[] = [
  // Values that no run writes, in a journal of the right form: undo ended with exit code 70.
  ...[584, 2104, 110_252_516].map((seed) => ({ target: "journals" as const, seed })),
  // Two linkifiers with one pattern, and no address of the organization: export.
  ...[110_252_289, 110_252_582].map((seed) => ({ target: "snapshots" as const, seed })),
  // Accounts with negative ids, and a question about their access.
  { target: "access", seed: 371_096_401 },
];

let ground: Ground;
beforeAll(async () => {
  ground = await Ground.open();
});
afterAll(() => ground.end());

test.each(names)(
  "hostile %s: no crash, no key shown, no raw control character, no endless work",
  { timeout: 120_000 + seconds * 2000 },
  async (target) => {
    const findings: string[] = [];
    const endsAt = performance.now() + (seconds * 1000) / names.length;
    const known = FOUND.filter((found) => found.target === target).map(({ seed }) => seed);
    let done = 0;
    const tryOne = async (seed: number): Promise<void> => {
      try {
        await ground.run(target, new Dice(seed));
      } catch (error) {
        const finding = `--target ${target} --seed ${seed}: ${error instanceof Error ? error.message : String(error)}`;
        findings.push(finding);
        // Reported at once: in a run of an hour, nobody has to wait for its end.
        if (seconds > 0) process.stdout.write(`${finding}\n`);
      }
      done += 1;
    };
    for (const seed of known) await tryOne(seed);
    for (let seed = firstSeed; seed < firstSeed + cases && findings.length < 10; seed += 1) {
      if (seconds > 0 && performance.now() > endsAt) break;
      await tryOne(seed);
    }
    if (seconds > 0) process.stdout.write(`${target}: ${done} cases, ${findings.length} findings\n`);
    expect(findings).toEqual([]);
  },
);

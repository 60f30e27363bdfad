import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { builtSources } from "./test/support/built-sources.ts";

/** It counts calls of modules that other tests may have loaded before. */
const OWN_WORKER = ["test/work.test.ts"];

/**
 * Tests make many objects that live for one test: organizations, plans, reports. V8 gives them 16 MB at most, cleans up often, and keeps what is dead a moment later: more
 * than a tenth of the processor's time (test/cases.test.ts: 58 s before, 49 s with 64 MB). Flags hold for the process, and so for the workers that start later.
 */
const ROOM = ["--min-semi-space-size=16", "--max-semi-space-size=64"];

/**
 * Most of what a test calls runs a few times. V8 optimizes a function after some 70 kB of its code have run, on a thread of its own: a quarter of the processor's time
 * (test/cases.test.ts: 59 s before, 42 s with these; the oracle of access with the matrix of faults: 87 s and 67 s). Later versions do not know the second flag.
 */
const COMPILED_SIMPLY = process.versions.node.startsWith("20.")
  ? ["--always-sparkplug", "--interrupt-budget=1000000"]
  : [];

/**
 * V8 forgets what it compiled of a function that did not run for a while, and the next file calls it: a tenth of the processor's time or more (thirteen files of
 * commands in one worker: 76 s before, 58 s with this; five of them 26 s and 23 s).
 */
const KEPT = "--no-flush-bytecode";
for (const flag of [...ROOM, ...COMPILED_SIMPLY, KEPT]) setFlagsFromString(flag);

/**
 * With these flags, V8 counts each call, and the same work has the same counts. Without them it does not count the calls of a function that optimized code contains
 * inline, nor the first calls of a function: what is counted would depend on the load. A process can have such flags, a worker thread cannot.
 */
const COUNTS_EACH_CALL = ["--no-opt", "--no-maglev", "--no-lazy-feedback-allocation", KEPT];

/**
 * A process that is killed at each moment of each mixed plan takes half a minute of processor per plan. `npm test` kills those of "everything is made" (what is sent twice
 * exists twice) and of `sync`; `npm run soak`, which sets REALMCTL_RUNS, kills all. In `npm test`, test/faults interrupts every plan in this process.
 */
const AT_NIGHT = ["changed", "made-inactive", "newer-settings", "renamed", "set-up", "turned-over"].map(
  (plan) => `test/e2e/crash-${plan}.test.ts`,
);
const elsewhere = process.env.REALMCTL_RUNS === undefined ? [...OWN_WORKER, ...AT_NIGHT] : OWN_WORKER;

/**
 * vitest begins with the largest files. These take ten seconds or more, and most of them are short: they would come last, one of them alone. What has a worker
 * of its own comes first: the worker before it would have to end.
 */
const LONG = [
  ...OWN_WORKER,
  ...["reproductions", "crash-made", "crash-sync", "process", "foreign-journals"].map(
    (name) => `test/e2e/${name}.test.ts`,
  ),
  ...["cases", "hosts/jobs", "replay", "replay-renamed", "faults/matrix", "calls/calls"].map(
    (name) => `test/${name}.test.ts`,
  ),
  ...["merge", "processes", "limits"].map((name) => `test/action/${name}.test.ts`),
  ...["reported-cases", "access-oracle"].map((name) => `test/${name}/${name}.test.ts`),
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = LONG.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)));
    return [...long, ...sorted.filter((file) => !long.includes(file))];
  }
}

/** What the tarball is tried with as well, on every Node that is supported: test/package/vitest.config.ts. */
export const TAGS = [{ name: "installed", description: "can be tried with the installed package, in processes" }];

export default defineConfig({
  plugins: [builtSources()],
  // Programs of the documentation import the library as its users do.
  resolve: { alias: { realmctl: new URL("src/index.ts", import.meta.url).pathname } },
  test: {
    globalSetup: "test/support/bundle-directory.ts",
    // Every answer of every sandbox in the tests' own processes is held against the contract; what is thrown says in words what is wrong.
    setupFiles: ["test/support/contract/setup.ts", "src/report/words/failure.ts"],
    // They start faster than processes, and one that loops for ever ends with the runner.
    pool: "threads",
    // One worker more than there are cores, because a fifth of their time goes by waiting for processes; each takes some 500 MB in the largest tests.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    tags: TAGS,
    projects: [
      // Pure functions beside their tables of facts; realms in memory, sandboxes and processes of their own. Loading the modules anew for each file, or once more for the
      // second folder, would take longer than the tests. What a test replaces of the worker (its environment, its output), it gives back.
      {
        extends: true,
        test: { name: "all", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: elsewhere, isolate: false },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: OWN_WORKER,
          isolate: true,
          pool: "forks",
          execArgv: [...ROOM, ...COUNTS_EACH_CALL],
        },
      },
    ],
  },
});

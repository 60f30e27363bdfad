// A test runner for Stryker that collects the bundled tests once (bundle.mjs) and runs them in this process: vitest starts again for each mutant, which took
// longer than the tests. Mutants in code that runs while modules are loaded are left out (`ignoreStatic`).
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";

/** A test that never ends uses no CPU time; a test that other processes slow down does. */
const LONGEST_MS = 20_000;
const LONGEST_LOOP_MS = 5_000;

/**
 * For a survivor, all its tests run. These limits keep that to about a second; `--thorough` removes them. Of the case folders, those that noticed most mutants so far
 * come first.
 */
const isThorough = process.env.REALMCTL_MUTATE_THOROUGH === "1";
const LONGEST_TEST_CPU_MS = 150;
const MOST_CASES = 40;
/** Test files that were named with `--tests`: all their tests run. */
const NAMED = (process.env.REALMCTL_MUTATE_NAMED ?? "").split(" ").filter((path) => path !== "");
/** In the copy of the project: test → milliseconds of CPU time. */
const SPENT = "mutate-spent.json";

class Runner {
  /** Test → how many mutants it has noticed. */
  noticed = new Map();
  tests;
  runTest;
  endSuites;
  longest;

  constructor(namespace) {
    this.space = globalThis[namespace] ??= {};
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    process.env.NODE_ENV = "test";
    process.env.VITEST = "true";
    process.on("unhandledRejection", (reason) => {
      this.unhandled ??= reason;
    });
  }

  async load() {
    if (this.tests !== undefined) return;
    const { collected, longest, runTest, endSuites } = await import(
      pathToFileURL(join(process.cwd(), "mutate-tests.mjs")).href
    );
    this.tests = new Map(collected.map((test) => [test.id, test]));
    this.runTest = runTest;
    this.endSuites = endSuites;
    this.longest = longest;
  }

  async dryRun() {
    this.space.activeMutant = undefined;
    await this.load();
    const tests = [];
    const spent = new Map();
    const begun = new Set();
    for (const [id, test] of this.tests) {
      const started = performance.now();
      const cpu = process.cpuUsage();
      this.space.currentTestId = id;
      const failure = await this.failureOf(test, begun);
      this.space.currentTestId = undefined;
      const timeSpentMs = performance.now() - started;
      const { user, system } = process.cpuUsage(cpu);
      spent.set(id, (user + system) / 1000);
      const received = { id, name: test.name, fileName: test.file, timeSpentMs };
      tests.push(
        failure === undefined
          ? { ...received, status: 0 }
          : { ...received, status: 1, failureMessage: textOf(failure) },
      );
    }
    await this.endSuites(begun);
    // A process that is started again after an endless mutant also knows it.
    writeFileSync(SPENT, JSON.stringify([...spent]));
    return { status: "complete", tests, mutantCoverage: this.space.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }) {
    if (mutantActivation === "static") this.space.activeMutant = activeMutant.id;
    await this.load();
    this.sort();
    this.longest.loopMs = LONGEST_LOOP_MS;
    this.space.activeMutant = activeMutant.id;
    this.space.hitCount = 0;
    this.space.hitLimit = hitLimit;
    const filter = testFilter && new Set(testFilter);
    const chosen = this.within([...this.tests.values()].filter(({ id }) => filter === undefined || filter.has(id)));
    const begun = new Set();
    let nrOfTests = 0;
    try {
      for (const test of chosen) {
        nrOfTests += 1;
        const failure = await this.failureOf(test, begun);
        if (hitLimit !== undefined && this.space.hitCount > hitLimit) return { status: "timeout", reason: "hit limit" };
        if (failure?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return { status: "timeout", reason: "an endless loop" };
        if (failure !== undefined) {
          this.noticed.set(test.id, (this.noticed.get(test.id) ?? 0) + 1);
          return { status: "killed", killedBy: [test.id], failureMessage: textOf(failure), nrOfTests };
        }
      }
      return { status: "survived", nrOfTests };
    } finally {
      this.space.activeMutant = undefined;
      this.space.hitLimit = undefined;
      await this.endSuites(begun).catch(() => {});
    }
  }

  /** What is quick comes first: most mutants are killed before the long tests. */
  sort() {
    if (this.spent !== undefined || !existsSync(SPENT)) return;
    this.spent = new Map(JSON.parse(readFileSync(SPENT, "utf8")));
    this.tests = new Map([...this.tests].sort(([a], [b]) => (this.spent.get(a) ?? 0) - (this.spent.get(b) ?? 0)));
  }

  /** Without the long tests, where there are others, and not every case folder or recording. */
  within(tests) {
    if (isThorough) return tests;
    const cases = new Map();
    const chosen = tests
      .toSorted((a, b) => (this.noticed.get(b.id) ?? 0) - (this.noticed.get(a.id) ?? 0))
      .filter(({ id, file }) => {
        if ((this.spent?.get(id) ?? 0) > LONGEST_TEST_CPU_MS) return false;
        // Tests beside the code are fast.
        if (file.includes("/src/") || NAMED.some((path) => file.endsWith(path))) return true;
        cases.set(file, (cases.get(file) ?? 0) + 1);
        return cases.get(file) <= MOST_CASES;
      });
    return chosen.length === 0 ? tests : chosen;
  }

  async failureOf(test, begun) {
    this.unhandled = undefined;
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("takes too long")), LONGEST_MS);
    });
    try {
      await Promise.race([this.runTest(test, begun), late]);
      return this.unhandled;
    } catch (error) {
      return error ?? new Error("failed");
    } finally {
      clearTimeout(timer);
    }
  }
}

const textOf = (failure) => String(failure?.message ?? failure).slice(0, 2000);

/** Where Stryker's instrumented code looks for the mutant that is active. */
const NAMESPACE = "__stryker__";

function createRunner() {
  return new Runner(NAMESPACE);
}

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, "collected", createRunner)];

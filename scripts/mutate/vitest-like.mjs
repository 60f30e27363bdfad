// The functions that test files import from vitest, for many runs of the same tests in one process: tests are collected once, and run for each mutant. The
// assertions are vitest's own.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Script } from "node:vm";
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from "@vitest/expect";
import * as spy from "@vitest/spy";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = Object.assign(
  (value, message) => {
    setState({ assertionCalls: (getState(expect)?.assertionCalls ?? 0) + 1 }, expect);
    return chai.expect(value, message);
  },
  chai.expect,
  globalThis[ASYMMETRIC_MATCHERS_OBJECT],
);
setState({ assertionCalls: 0 }, expect);
expect.unreachable = (message) => chai.assert.fail(`reached: ${message ?? ""}`);
// A mutant is killed by the first failure.
expect.soft = expect;
expect.extend = (matchers) => chai.expect.extend(expect, matchers);
chai.Assertion.addMethod("toMatchFileSnapshot", async function (file) {
  chai.expect(this.__flags.object).toBe(readFileSync(resolve(dirname(running.file), file), "utf8"));
});

/** All tests, as collected. */
export const collected = [];
const newSuite = (parent) => ({ parent, beforeEach: [], afterEach: [], beforeAll: [], afterAll: [] });
let suite = newSuite();
let file = "";
let running = { file: "" };

export async function collect(path, load) {
  file = path;
  suite = newSuite();
  await load();
}

const textOf = (name) => (typeof name === "function" ? name.name : String(name));
const optional = (options, last) =>
  typeof options === "function" ? { run: options, timeout: last } : { run: last, ...options };

function addTest(name, options, last) {
  const { run } = optional(options, last);
  if (run === undefined || options?.skip === true) return;
  const names = [];
  for (let own = suite; own !== undefined; own = own.parent) names.unshift(own.name ?? "");
  const text = [...names, textOf(name)].join(" ").trim();
  collected.push({ id: `${file}#${collected.length}#${text}`, name: text, file, suite, run });
}

function addSuite(name, options, last) {
  const { run } = optional(options, last);
  suite = { ...newSuite(suite), name: textOf(name) };
  run();
  suite = suite.parent;
}

/** Tests with the rows of a table. In a title, only `$name` and `%s` are replaced. */
const eachOf = (add) => (rows) => (name, options, last) => {
  const { run } = optional(options, last);
  [...rows].forEach((row, index) => {
    const values = Array.isArray(row) ? row : [row];
    const title = textOf(name)
      .replace(/\$(\w+)/g, (whole, key) =>
        typeof row === "object" && row !== null && key in row ? String(row[key]) : whole,
      )
      .replace("%s", () => String(values[0]));
    add(`${title} ${index}`, () => run(...values));
  });
};

const skipped = Object.assign(() => {}, { each: () => () => {} });
const withForms = (add) =>
  Object.assign(add, {
    each: eachOf(add),
    for: (rows) => (name, run) => {
      for (const [index, row] of [...rows].entries()) add(`${textOf(name)} ${index}`, () => run(row, { expect }));
    },
    skip: skipped,
    runIf: (holds) => (holds ? add : skipped),
    skipIf: (holds) => (holds ? skipped : add),
    sequential: add,
  });
export const test = withForms(addTest);
export const it = test;
export const describe = withForms(addSuite);

export const beforeEach = (run) => suite.beforeEach.push(run);
export const afterEach = (run) => suite.afterEach.push(run);
export const beforeAll = (run) => suite.beforeAll.push(run);
export const afterAll = (run) => suite.afterAll.push(run);

export const vi = {
  fn: spy.fn,
  spyOn: spy.spyOn,
  restoreAllMocks: spy.restoreAllMocks,
  async waitUntil(holds) {
    for (let tries = 0; tries < 200; tries += 1) {
      const value = await holds();
      if (value) return value;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("waited in vain");
  },
};

/** Ends an endless loop that a mutant caused, if nothing was awaited before. */
export const longest = { loopMs: 600_000 };
const script = new Script("globalThis.__interruptible()");
function interruptible(run) {
  globalThis.__interruptible = run;
  return script.runInThisContext({ timeout: longest.loopMs });
}

/** Runs one test with the hooks of its suites. */
export async function runTest(test, begun) {
  running = test;
  const suites = [];
  for (let own = test.suite; own !== undefined; own = own.parent) suites.unshift(own);
  for (const own of suites) {
    if (begun.has(own)) continue;
    begun.add(own);
    for (const run of own.beforeAll) await run();
  }
  const cleaning = [];
  try {
    for (const own of suites)
      for (const run of own.beforeEach) {
        const clean = await run({ task: test });
        if (typeof clean === "function") cleaning.push(clean);
      }
    await interruptible(() => test.run({ expect, task: test, skip: () => {} }));
  } finally {
    for (const own of suites.toReversed()) for (const run of own.afterEach.toReversed()) await run();
    for (const clean of cleaning) await clean();
  }
}

export async function endSuites(begun) {
  for (const own of begun) for (const run of own.afterAll) await run();
}

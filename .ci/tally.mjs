// A reporter of vitest for .ci/run: counts every test as it ends, into a file that is there even when the run is stopped. vitest's own
// report is written at the end only: a run that hangs leaves none, and nobody learns where.
//
// When nothing ends for minutes the run is given up, with exit code 86 and the list of files that had not ended; a loop without end in the
// code under test starves vitest's own time limits (it did once, in adopt, for one random realm of many thousands). .ci/run runs these
// files once more, in case it was the runner that fell silent, which its forks are known to do. A test of ours that hangs does so again,
// and is named.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

/** Longer than any test takes, on a machine a fifth as fast. */
const STALL_MS = 240_000;
const STALLED = 86;

export default class Tally {
  /** Of each file: what its tests came to, which of them have begun and not ended, and when it began and ended. */
  files = new Map();
  errors = 0;
  isWhole = false;
  lastEndMs = Date.now();

  onInit() {
    this.path = process.env.REALMCTL_TALLY;
    setInterval(() => this.look(), 5_000).unref();
  }

  onTestRunStart(specifications) {
    for (const { moduleId } of specifications) this.file(moduleId);
  }

  onTestModuleStart({ moduleId }) {
    this.file(moduleId).beganAtMs = Date.now();
  }

  onTestCaseReady({ id, fullName, module }) {
    this.file(module.moduleId).open.set(id, fullName);
  }

  onTestCaseResult(test) {
    const file = this.file(test.module.moduleId);
    const { state } = test.result();
    if (state === "passed" || state === "failed") file[state] += 1;
    else file.skipped += 1;
    file.open.delete(test.id);
    this.lastEndMs = Date.now();
  }

  onTestModuleEnd(module) {
    const file = this.file(module.moduleId);
    // A file that cannot be loaded, or whose hooks fail, has no test that says so.
    const suites = [...module.children.allSuites()];
    if (module.errors().length > 0 || suites.some((suite) => suite.errors().length > 0)) file.failed += 1;
    file.endedAtMs = Date.now();
    this.lastEndMs = Date.now();
    this.save();
  }

  onTestRunEnd(_modules, unhandled) {
    this.errors = unhandled.length;
    this.isWhole = true;
    this.save();
  }

  file(moduleId) {
    const path = relative(process.cwd(), moduleId);
    const known = this.files.get(path) ?? { passed: 0, failed: 0, skipped: 0, open: new Map() };
    this.files.set(path, known);
    return known;
  }

  look() {
    this.save();
    const quietMs = Date.now() - this.lastEndMs;
    if (quietMs < STALL_MS || this.isWhole) return;
    console.error(`no test has ended for ${Math.round(quietMs / 1000)} s: this run is given up`);
    process.exit(STALLED);
  }

  /** What counts: the tests of files that ended. The others are `left`, with what was under way in them. */
  save() {
    if (this.path === undefined) return;
    const all = [...this.files];
    const ended = all.filter(([, { endedAtMs }]) => endedAtMs !== undefined);
    const sum = (what) => ended.reduce((total, [, file]) => total + file[what], 0);
    const tally = {
      passed: sum("passed"),
      failed: sum("failed") + this.errors,
      skipped: sum("skipped"),
      whole: this.isWhole,
      counted: Object.fromEntries(ended.map(([path, { passed, failed }]) => [path, passed + failed])),
      left: all
        .filter(([, { endedAtMs }]) => endedAtMs === undefined)
        .map(([path, { beganAtMs, open }]) => ({ path, begun: beganAtMs !== undefined, open: [...open.values()] })),
      slowest: ended
        .map(([path, { beganAtMs, endedAtMs }]) => ({ path, ms: endedAtMs - (beganAtMs ?? endedAtMs) }))
        .sort((a, b) => b.ms - a.ms)
        .slice(0, 15),
    };
    writeFileSync(this.path, JSON.stringify(tally));
  }
}

// A reporter of vitest for .ci/run: counts every test as it ends, into a file that is there even when the run is stopped, and says
// which tests had begun and not ended when nothing has ended for a while. vitest's own JSON report is written at the end only: a run
// that hangs leaves none, and nobody learns where.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

/** Longer than any test may take, on a machine half as fast. */
const STALL_MS = 150_000;

export default class Tally {
  /** @type {Map<string, { file: string, name: string | undefined, beganAtMs: number }>} */
  running = new Map();
  counts = { passed: 0, failed: 0, skipped: 0 };
  /** @type {Map<string, number>} */
  filesMs = new Map();
  whole = false;
  lastEndMs = Date.now();
  told = false;

  onInit() {
    this.path = process.env.REALMCTL_TALLY;
    this.timer = setInterval(() => this.look(), 5_000);
    this.timer.unref();
  }

  onTestModuleStart(module) {
    this.begin(module.id, module, undefined);
  }

  onTestCaseReady(test) {
    this.begin(test.id, test.module, test.fullName);
  }

  onTestCaseResult(test) {
    const { state } = test.result();
    if (state === "passed" || state === "failed") this.counts[state] += 1;
    else this.counts.skipped += 1;
    this.end(test.id);
  }

  onTestModuleEnd(module) {
    const began = this.running.get(module.id)?.beganAtMs ?? Date.now();
    this.filesMs.set(fileOf(module), Date.now() - began);
    // A file that cannot be loaded, or whose hooks fail, has no test that says so.
    const errors =
      module.errors().length + [...module.children.allSuites()].filter((suite) => suite.errors().length > 0).length;
    if (errors > 0) this.counts.failed += 1;
    this.end(module.id);
    this.save();
  }

  onTestRunEnd(_modules, unhandled) {
    this.counts.failed += unhandled.length;
    this.whole = true;
    clearInterval(this.timer);
    this.save();
  }

  begin(id, module, name) {
    this.running.set(id, { file: fileOf(module), name, beganAtMs: Date.now() });
  }

  end(id) {
    this.running.delete(id);
    this.lastEndMs = Date.now();
    this.told = false;
  }

  look() {
    this.save();
    const quietMs = Date.now() - this.lastEndMs;
    if (quietMs < STALL_MS || this.told) return;
    this.told = true;
    console.error(
      `no test has ended for ${Math.round(quietMs / 1000)} s; begun and not ended:\n${this.open().join("\n")}`,
    );
  }

  open() {
    return [...this.running.values()].map(({ file, name, beganAtMs }) => {
      const seconds = Math.round((Date.now() - beganAtMs) / 1000);
      return `  ${file}${name === undefined ? "" : ` > ${name}`}  (for ${seconds} s)`;
    });
  }

  save() {
    if (this.path === undefined) return;
    const slowest = [...this.filesMs].sort(([, a], [, b]) => b - a).slice(0, 15);
    const report = { ...this.counts, whole: this.whole, open: this.open(), slowest };
    writeFileSync(this.path, JSON.stringify(report));
  }
}

const fileOf = (module) => relative(process.cwd(), module.moduleId);

// Every table of bench/README.md, one after the other, as Markdown: `npm run bench:all`. Ten minutes on a machine that does nothing else.
//   --only start,people   these tables alone
//   --without peers       all but these
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { emptyMs, root } from "./support/measure.mjs";

const { values: flags } = parseArgs({
  options: { only: { type: "string" }, without: { type: "string", default: "" } },
});

/** What is measured, and how often: the largest runs the fewest times. */
const TABLES = [
  { name: "start", title: "The start", argv: ["run.mjs", "--runs", "7"] },
  { name: "people", title: "Large in people", argv: ["people.mjs", "--people", "10000,50000", "--runs", "3"] },
  { name: "page", title: "The page in a browser", argv: ["page.mjs", "--runs", "3"] },
  { name: "yaml", title: "Reading a file", argv: ["yaml.mjs"] },
  { name: "sandbox", title: "The sandbox", argv: ["sandbox.mjs"] },
  { name: "access", title: "Questions of access", argv: ["access.mjs"] },
  { name: "rehearsal", title: "A rehearsal", argv: ["rehearsal.mjs"] },
  { name: "apply", title: "A plan of 10,000 calls", argv: ["apply.mjs", "--calls", "10000"] },
  { name: "journal", title: "The journal", argv: ["journal.mjs", "--directory", "."] },
  { name: "fleet", title: "Many organizations", argv: ["fleet.mjs"] },
  { name: "peers", title: "Beside others", argv: ["peers/run.mjs", "--runs", "2"] },
];
const without = flags.without.split(",");
const chosen = TABLES.filter(({ name }) => (flags.only?.split(",").includes(name) ?? true) && !without.includes(name));

const directory = mkdtempSync(join(tmpdir(), "realmctl-bench-all-"));
const failed = [];
try {
  const nodeMs = await emptyMs(directory);
  const [cpu] = cpus();
  console.log(`${cpus().length} × ${cpu?.model ?? "processor"}, Node ${process.versions.node}, load ${load()}.`);
  console.log(`An empty module in Node takes ${nodeMs.toFixed(0)} ms.\n`);
  for (const { name, title, argv } of chosen) {
    const started = performance.now();
    console.log(`## ${title}\n`);
    const code = await run(argv);
    if (code !== 0) failed.push(name);
    console.log(`(${((performance.now() - started) / 1000).toFixed(0)} s, load ${load()})\n`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.log(`Not measured: ${failed.join(", ")}`);
  process.exitCode = 1;
}

function load() {
  return loadavg()[0]?.toFixed(1) ?? "unknown";
}

function run([file, ...argv]) {
  return new Promise((done) =>
    spawn(process.execPath, [join(root, "bench", file), ...argv], { cwd: root, stdio: "inherit" }).on("close", done),
  );
}

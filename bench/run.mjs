// Cold start to finished plan, as a person waits for it: a new process, the file from disk, the organization over HTTP with 20 ms
// of latency. `npm run bench` prints the table of bench/README.md. Processor time hardly depends on what else the machine does.
//   --sizes 100,1000   other numbers of channels      --runs 7   runs per size, the fastest counts
//   --changed 10                         how many channels are not as the file says: one call each
//   --profile          where the time of the largest size goes: self time by function
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileOf } from "./support/file.mjs";
import {
  accountOn,
  cannedServer,
  cli,
  emptyMs,
  fastest,
  judged,
  processMs,
  profile,
  runChild,
  table,
} from "./support/measure.mjs";
import { channelsAnswer } from "./support/organization.mjs";

const { values: flags } = parseArgs({
  options: {
    sizes: { type: "string", default: "100,1000,5000,10000" },
    runs: { type: "string", default: "5" },
    changed: { type: "string", default: "10" },
    profile: { type: "boolean", default: false },
  },
});
const sizes = flags.sizes.split(",").map(Number);
const runs = Number(flags.runs);
const changed = Number(flags.changed);
const LATENCY_MS = 20;
/** Milliseconds and megabytes that issue 19 aims at, by number of channels. */
const AIMS = { 100: { ms: 160 }, 1000: { ms: 280, mb: 90 }, 10000: { ms: 750, mb: 180 } };

const directory = mkdtempSync(join(tmpdir(), "realmctl-bench-"));

try {
  const nodeMs = await emptyMs(directory);
  const rows = [];
  for (const size of sizes) rows.push(await measurePlan(size, nodeMs));
  const head = [
    "channels",
    "plan, ms",
    "× node",
    "aim, ms",
    "processor, ms",
    "peak, MB",
    "aim, MB",
    "file, kB",
    "requests",
  ];
  console.log(table(head, rows));
  console.log(table(["command", "ms", "against node"], await measureVersion()));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function measurePlan(size, nodeMs) {
  const server = await cannedServer(channelsAnswer(size, changed), { latencyMs: LATENCY_MS });
  const file = join(directory, `realm-${size}.yaml`);
  writeFileSync(file, fileOf(size));
  const env = accountOn(server.url);
  const argv = ["plan", file];
  const first = await runChild(directory, [], argv, env);
  if (first.code !== 0 || !first.out.includes(`${changed.toLocaleString("en")} to change`)) {
    throw new Error(`the plan is not what it should be (exit code ${first.code}):\n${first.out}\n${first.err}`);
  }
  const before = server.requests();
  const measured = [];
  for (let run = 0; run < runs; run += 1) measured.push(await runChild(directory, [], argv, env));
  const requests = (server.requests() - before) / runs;
  if (flags.profile && size === sizes.at(-1)) await profile(directory, argv, env);
  await server.close();
  const ms = fastest(measured.map((run) => run.ms));
  const cpuMs = fastest(measured.map((run) => run.cpuMs));
  const mb = Math.max(...measured.map((run) => run.peakKb)) / 1024;
  const aim = AIMS[size];
  return [
    String(size),
    ms.toFixed(0),
    (ms / nodeMs).toFixed(1),
    aim === undefined ? "" : judged(ms, aim.ms),
    cpuMs.toFixed(0),
    mb.toFixed(0),
    aim?.mb === undefined ? "" : judged(mb, aim.mb),
    (readFileSync(file).length / 1024).toFixed(0),
    requests.toFixed(0),
  ];
}

async function measureVersion() {
  const times = Math.max(runs, 15);
  const bare = await emptyMs(directory, times);
  const all = [];
  for (let run = 0; run < times; run += 1) all.push(await processMs([cli, "--version"], directory));
  const version = fastest(all);
  return [
    ["node (an empty module)", bare.toFixed(0), ""],
    ["realmctl --version", version.toFixed(0), `${(version / bare).toFixed(2)} × (aim 1.5 ×)`],
  ];
}

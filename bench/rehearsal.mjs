// What a rehearsal costs: processor time of carrying out a plan of 100 and of 1,000 calls on the copy in memory, in an organization that has
// as many channels as calls. The plan is made before, and not counted.
//   --calls 100,1000   sizes      --runs 5   runs, the fastest counts
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { values: flags } = parseArgs({
  options: { calls: { type: "string", default: "100,1000" }, runs: { type: "string", default: "5" } },
});
const AIMS_MS = { 100: 150, 1000: 1000 };
const root = new URL("..", import.meta.url).pathname;
const ENTRY = `
export { createSandbox, toSnapshot } from "./src/sandbox/index.ts";
export { planRealm } from "./src/workflow/workflow.ts";
`;

const directory = mkdtempSync(join(root, "node_modules/.cache-bench-"));
try {
  const outfile = join(directory, "rehearsal.mjs");
  await build({
    absWorkingDir: root,
    stdin: { contents: ENTRY, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "warning",
  });
  const { createSandbox, toSnapshot, planRealm } = await import(outfile);
  const sandbox = createSandbox({ from: JSON.parse(readFileSync(join(root, "fixtures/acme-realm.json"), "utf8")) });
  const start = await toSnapshot(sandbox, Date.UTC(2026, 10, 20));
  console.log("| calls | processor, ms | aim |\n| --- | --- | --- |");
  for (const calls of flags.calls.split(",").map(Number)) {
    const planned = await planOf(planRealm, start, calls);
    let fastest = Number.POSITIVE_INFINITY;
    for (let run = 0; run < Number(flags.runs); run += 1)
      fastest = Math.min(fastest, await rehearsalMs(planned, calls));
    const aim = AIMS_MS[calls];
    console.log(
      `| ${calls} | ${fastest.toFixed(0)} | ${aim === undefined ? "" : `${aim} ${fastest <= aim ? "met" : "missed"}`} |`,
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** One channel changed with each call. */
async function planOf(planRealm, start, calls) {
  const model = start.channels.find((channel) => !channel.invite_only);
  const channels = Array.from({ length: calls }, (_, n) => ({ ...model, stream_id: 10_000 + n, name: `team-${n}` }));
  const snapshot = { ...start, channels: [...start.channels, ...channels] };
  const lines = channels.map(({ name }) => `  ${name}: {description: Changed}\n`);
  const planned = await planRealm({
    file: "realm.yaml",
    readFile: async () => `version: 1\nchannels:\n${lines.join("")}`,
    reader: { snapshot: async () => snapshot },
  });
  if (!planned.ok || planned.value.plan.calls.length !== calls)
    throw new Error("the plan is not the one to be measured");
  return planned.value;
}

async function rehearsalMs(planned, calls) {
  const before = process.cpuUsage();
  const plan = await planned.rehearse();
  const { user, system } = process.cpuUsage(before);
  if (plan.extra.rehearsal.succeeded !== calls) throw new Error(JSON.stringify(plan.extra.rehearsal.failed));
  return (user + system) / 1000;
}

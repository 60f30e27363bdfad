// What a rehearsal costs: processor time of carrying out a plan of 100 and of 1,000 calls on the copy in memory, in an organization that has
// as many channels as calls. The plan is made before, and not counted.
//   --calls 100,1000   sizes      --runs 5   runs, the fastest counts
import { parseArgs } from "node:util";
import { fastest, judged, table } from "./support/measure.mjs";
import { recordedRealm, runsOf, withSources } from "./support/sources.mjs";

const { values: flags } = parseArgs({
  options: { calls: { type: "string", default: "100,1000" }, runs: { type: "string", default: "5" } },
});
const AIMS_MS = { 100: 150, 1000: 1000 };
const ENTRY = `
export { snapshotOf } from "./src/rehearsal/rehearse.ts";
export { createSandbox } from "./src/sandbox/index.ts";
export { planRealm } from "./src/workflow/workflow.ts";
`;

await withSources(ENTRY, async ({ createSandbox, snapshotOf, planRealm }) => {
  const start = await snapshotOf(createSandbox({ from: recordedRealm() }), Date.UTC(2026, 10, 20));
  const rows = [];
  for (const calls of flags.calls.split(",").map(Number)) {
    const planned = await planOf(planRealm, start, calls);
    const ms = fastest(await runsOf(Number(flags.runs), () => rehearse(planned, calls)));
    rows.push([String(calls), ms.toFixed(0), AIMS_MS[calls] === undefined ? "" : judged(ms, AIMS_MS[calls])]);
  }
  console.log(table(["calls", "processor, ms", "aim"], rows));
});

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

async function rehearse(planned, calls) {
  const plan = await planned.rehearse();
  if (plan.extra.rehearsal.succeeded !== calls) throw new Error(JSON.stringify(plan.extra.rehearsal.failed));
}

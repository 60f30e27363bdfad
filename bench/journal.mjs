// What the journal costs for each call of an apply: every entry is on the disk before the run continues.
//   --calls 2000    how many calls      --directory .    on which disk
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { withSources } from "./support/sources.mjs";

const { values: flags } = parseArgs({
  options: { calls: { type: "string", default: "2000" }, directory: { type: "string", default: "." } },
});
const calls = Number(flags.calls);
const directory = mkdtempSync(join(resolve(flags.directory), ".realmctl-bench-"));

try {
  await withSources('export { createJournal } from "./src/apply/journal.ts";', measure);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function measure({ createJournal }) {
  const journal = createJournal(directory, Date.now());
  const at = new Date().toISOString();
  const took = [];
  for (let n = 1; n <= calls; n += 1) {
    const call = {
      operation: "update-stream",
      path: { stream_id: 1000 + n },
      params: { description: `Team ${n}: plans, questions and results`, can_send_message_group: { new: 11, old: 12 } },
    };
    const started = performance.now();
    // What a call costs that goes well: the call before it goes out, its answer before the next.
    journal.write({ entry: "sending", at, n, call });
    journal.write({ entry: "answer", at, n, answer: { outcome: "applied", body: {} } });
    took.push(performance.now() - started);
  }
  journal.close();
  took.sort((a, b) => a - b);
  const folder = join(directory, ".realmctl");
  const [name] = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  const quantile = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(2);
  console.log(
    `${calls} calls: ${quantile(0.5)} ms each (median), ${quantile(0.95)} ms (95 %), ${quantile(1)} ms at most; ` +
      `${(statSync(join(folder, name)).size / calls).toFixed(0)} bytes each`,
  );
}

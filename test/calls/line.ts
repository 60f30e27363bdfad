import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Checked } from "../../src/model/diagnostic.ts";
import type { Call, Plan } from "../../src/model/plan.ts";

const OUT = process.env.REALMCTL_CALLS_TO;

/** A plan's name, the number of its calls and a digest of them; or the codes of the errors that refuse it. */
export function lineOf(name: string, planned: Checked<Plan>): string {
  if (!planned.ok) return `${name} - ${[...new Set(planned.diagnostics.map(({ code }) => code))].sort().join(" ")}`;
  const sent = planned.value.calls.map(sentOf);
  const text = JSON.stringify(sent, null, 1);
  if (OUT !== undefined) {
    const file = join(OUT, `${name.replaceAll("/", "_")}.json`);
    mkdirSync(OUT, { recursive: true });
    writeFileSync(file, `${text}\n`);
  }
  return `${name} ${sent.length} ${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

/** What reaches the server, what must be true before, and in which order. */
function sentOf({ n, operation, path, params, expects, after, creates }: Call) {
  return { n, operation, path, params, expects, after, creates };
}

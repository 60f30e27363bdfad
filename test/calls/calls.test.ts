import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Call } from "../../src/model/plan.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { type Scenario, scenario } from "../properties/arbitrary.ts";
import { rotations } from "../properties/rotations.ts";
import { together } from "../properties/together.ts";
import { casesOf, planText } from "../support/cases.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";

/**
 * What realmctl sends, held from one version to the next: a change of structure must not change a request. Each line of a file beside
 * this one has a plan's name and a digest of its calls, `-` and the codes where the file is refused. A request that changes on purpose
 * changes its line with it (`npx vitest run test/calls -u`), and the commit says why. `REALMCTL_CALLS_TO=directory` writes the calls
 * themselves, to compare two versions with `diff -r`.
 */
const OUT = process.env.REALMCTL_CALLS_TO;
const SEED = 14;
const PLANS_PER_SOURCE = 700;

test("the calls of every case folder", async () => {
  const lines: string[] = [];
  for (const { name, yaml, live } of casesOf().toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    lines.push(await lineOf(`case/${name}`, yaml, live));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("cases.txt");
});

describe.each([
  { of: "channels", scenarios: scenario },
  { of: "all-kinds", scenarios: together },
  { of: "names-that-rotate", scenarios: rotations },
])("random realms and files: $of", ({ of, scenarios }) => {
  test(`the calls of ${PLANS_PER_SOURCE} plans`, async () => {
    const samples: readonly Scenario[] = fc.sample(scenarios, { numRuns: PLANS_PER_SOURCE, seed: SEED });
    const lines: string[] = [];
    for (const [index, { overlay, yaml }] of samples.entries())
      lines.push(await lineOf(`${of}/${String(index).padStart(4, "0")}`, yaml, realmOf(overlay)));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`${of}.txt`);
  }, 240_000);
});

async function lineOf(name: string, yaml: string, live: Snapshot): Promise<string> {
  const planned = await planText(yaml, live);
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

/** What reaches the server, what has to be so before it does, and in which order. */
function sentOf({ n, operation, path, params, expects, after, creates }: Call) {
  return { n, operation, path, params, expects, after, creates };
}

import { describe, expect, test } from "vitest";
import { type Scenario, scenario } from "../properties/arbitrary.ts";
import { rotations } from "../properties/rotations.ts";
import { together } from "../properties/together.ts";
import { planText } from "../support/cases.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { lineOf } from "./line.ts";

/**
 * Compares what realmctl sends between versions: a refactoring must not change a request. Each line of a file next to this one has a plan's name and
 * a digest of its calls, or `-` and the codes if the file is refused; test/cases.test.ts compares `cases.txt`. If a request changes on purpose, its line changes, too (`npx vitest run
 * test/calls -u`), and the commit says why; README.md explains the changes since the first record.
 * `REALMCTL_CALLS_TO=directory` writes the calls themselves, so that `diff -r` can compare two versions.
 */
const SEED = 14;
const PLANS_PER_SOURCE = 250;

describe.each([
  { of: "channels", scenarios: scenario },
  { of: "all-kinds", scenarios: together },
  { of: "names-that-rotate", scenarios: rotations },
])("random realms and files: $of", ({ of, scenarios }) => {
  test(`the calls of ${PLANS_PER_SOURCE} plans`, async () => {
    const samples: readonly Scenario[] = fc.sample(scenarios, { numRuns: PLANS_PER_SOURCE, seed: SEED });
    const lines: string[] = [];
    for (const [index, { overlay, yaml }] of samples.entries())
      lines.push(await lineOf(`${of}/${String(index).padStart(4, "0")}`, await planText(yaml, realmOf(overlay))));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`${of}.txt`);
  }, 240_000);
});

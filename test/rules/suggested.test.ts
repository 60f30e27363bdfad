import { expect, test } from "vitest";
import type { Target } from "../../src/access/sources.ts";
import { readConfig } from "../../src/config/read-config.ts";
import { exportRealm } from "../../src/export/export.ts";
import type { ExportOptions } from "../../src/export/options.ts";
import { kinds } from "../../src/kinds/registry.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { type Against, testRules } from "../../src/workflow/rules.ts";
import { suggestRules } from "../../src/workflow/rules-answers.ts";
import { realms } from "../access/realms.ts";
import { together } from "../properties/together.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";

/** Rules that `test --suggest` writes for an organization hold there, and are not broken by the file that was exported from it. */

const RUNS = Number(process.env.REALMCTL_RUNS ?? 8);

const organizations = fc.oneof(
  realms,
  together.map(({ overlay }) => overlay),
);
const targetName = (target: Target): string => (target === "organization" ? target : target.name);

/** What an export writes: all that it can, or what somebody asked for. */
const written = fc.record({
  subscribers: fc.boolean(),
  unset: fc.boolean(),
  sections: fc.constantFrom(
    undefined,
    ["channels"],
    ["user_groups", "channels"],
    ["settings", "channels", "bots"],
    kinds.map(({ section }) => section),
  ),
});

async function exported(snapshot: Snapshot, options: Partial<ExportOptions>) {
  const { files } = await exportRealm({ snapshot, kinds, ...options });
  const text = files.get("realm.yaml") ?? "";
  return { file: "realm.yaml", readFile: async () => text, text };
}

test(
  "random organizations: rules suggested for them hold, and the exported file alone breaks none of them",
  async () => {
    const seen = { holds: 0, undecided: 0 };
    await fc.assert(
      fc.asyncProperty(organizations, written, fc.boolean(), async (overlay, { sections, ...options }, isAsIs) => {
        const snapshot = realmOf(overlay);
        const reader = { snapshot: async () => snapshot };
        const config = await exported(snapshot, { ...options, ...(sections === undefined ? {} : { sections }) });
        // No server would have some of these values.
        fc.pre((await readConfig({ ...config, kinds })).ok);
        const live: Against = isAsIs ? { what: "reading", reader } : { what: "plan", config, reader };
        const suggested = must(await suggestRules(live));
        if (!suggested.includes("- name")) return;
        const rules = { file: "realm.test.yaml", readFile: async () => suggested };
        const verdicts = async (against: Against) =>
          must(await testRules(rules, against)).outcomes.map(({ name, verdict, violations }) => ({
            name,
            verdict,
            violations: violations.map((one) => [one.kind, targetName(one.target), "id" in one ? one.id : undefined]),
          }));
        for (const { name, verdict, violations } of await verdicts(live))
          expect({ name, verdict, violations }).toEqual({ name, verdict: "holds", violations: [] });
        // Without the file, rules name what the file leaves out.
        if (isAsIs && (sections !== undefined || !(await testRules(rules, { what: "file", config })).ok)) return;
        for (const { name, verdict, violations } of await verdicts({ what: "file", config })) {
          const shown = violations.length === 0 ? "" : `${suggested}\n${config.text}`;
          expect({ name, violations, shown }).toEqual({ name, violations: [], shown: "" });
          if (verdict !== "broken") seen[verdict] += 1;
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  },
  60_000 + RUNS * 1_000,
);

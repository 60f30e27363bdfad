import { describe, expect, test } from "vitest";
import { adoptable } from "../../src/adopt/adopt.ts";
import { planFiles } from "../../src/export/check.ts";
import { exportRealm } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { Failure } from "../../src/model/diagnostic.ts";
import type { Policy } from "../../src/model/objects.ts";
import { keepsComments } from "../../src/source/nodes.ts";
import { wholeRealm } from "../export/realms.ts";
import { RUNS, scenario } from "../properties/arbitrary.ts";
import { together } from "../properties/together.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { adopted, one, planned } from "./files.ts";

// Shrinking a counterexample of this size takes too long to be useful.
const options = { numRuns: RUNS, endOnFailure: true };
const TIMEOUT_MS = 60_000 + RUNS * 500;

/** Comments above, at the end of, and below lines, as the numbers say. */
function commented(text: string, marks: readonly number[]): string {
  return text
    .split("\n")
    .flatMap((line, index) => {
      const margin = /^ */.exec(line)?.[0] ?? "";
      const mark = marks[index % marks.length];
      if (line === "") return [line];
      if (mark === 0) return [`${margin}# above ${index}`, line];
      return mark === 1 && !line.startsWith("#") ? [`${line}  # behind ${index}`] : [line];
    })
    .join("\n");
}

describe("random drift", () => {
  test(
    "adopted by a file that was exported from another realm: no changes are left in a plan, and every comment stays",
    async () => {
      const marks = fc.array(fc.nat({ max: 5 }), { minLength: 30, maxLength: 30 });
      const policies = fc.constantFrom<Policy>("additive", "exact");
      const split = fc.constantFrom("none", "kind", "folder");
      await fc.assert(
        fc.asyncProperty(wholeRealm, wholeRealm, marks, policies, split, async (from, to, marks, policy, split) => {
          fc.pre(from.feature_level === to.feature_level);
          const start = realmOf(from);
          const drifted = realmOf(to);
          const exported = await exportRealm({
            snapshot: start,
            kinds,
            sections: kinds.map(({ section }) => section),
            policies: Object.fromEntries(kinds.map(({ section }) => [section, policy])),
            split,
          });
          const files = new Map([...exported.files].map(([file, text]) => [file, commented(text, marks)]));
          let result: Awaited<ReturnType<typeof adopted>>;
          try {
            result = await adopted(files, drifted);
          } catch (error) {
            // A removed group leaves references behind, which a person has to resolve.
            if (error instanceof Failure && error.diagnostics.every(({ code }) => code === "adopt/would-break"))
              return fc.pre(false);
            throw error;
          }
          const plan = await planned(result.files, drifted);
          expect(plan.changes).toEqual([]);
          expect(result.left).toBe(0);
          for (const [file, text] of files) expect(keepsComments(text, result.files.get(file) ?? "")).toBe(true);
        }),
        // Each run reads and plans files many times.
        { numRuns: Math.ceil(RUNS / 4), endOnFailure: true },
      );
    },
    TIMEOUT_MS,
  );

  test(
    "adopted by a file with renames, ids and archived objects",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, async ({ overlay, yaml }) => {
          const snapshot = realmOf(overlay);
          const before = await planFiles(one(yaml), "realm.yaml", { snapshot, kinds });
          fc.pre(before.ok);
          const { files } = await adopted(one(yaml), snapshot);
          expect((await planned(files, snapshot)).changes).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );
});

/** Errors in the file, or values that would be errors. */
function refused(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}

test(
  "random files of all kinds that name each other: after everything is adopted, nothing differs",
  async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(together, async ({ overlay, yaml }) => {
        const snapshot = realmOf(overlay);
        const read = async (path: string) => (path === "realm.yaml" ? yaml : "");
        const before = await adoptable({ file: "realm.yaml", readFile: read, snapshot, kinds }).catch(refused);
        fc.pre(before !== undefined && before.changes.length > 0);
        const result = await adopted(one(yaml), snapshot).catch(refused);
        fc.pre(result !== undefined && result.left === 0);
        expect((await planned(result?.files ?? one(yaml), snapshot)).changes).toEqual([]);
        made += 1;
      }),
      // Shrinking a counterexample of this size takes too long to be useful.
      { numRuns: Math.ceil(RUNS / 4), endOnFailure: true },
    );
    expect(made).toBeGreaterThan(RUNS / 16);
  },
  TIMEOUT_MS,
);

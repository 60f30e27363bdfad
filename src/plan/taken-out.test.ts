import { expect, test } from "vitest";
import { plannedCases } from "../../test/support/cases.ts";
import { lookAt } from "../../test/support/pictures.ts";
import { oneIn } from "../../test/support/sample.ts";
import { must } from "../../test/support/world.ts";
import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { Desired } from "../model/desired.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import { spansIn } from "../model/span.ts";
import { takenOut } from "./taken-out.ts";

/** The same entries with nothing in them: nothing of what they have is compared any more. */
const emptied = (desired: Desired): Desired => ({
  ...desired,
  unset: {},
  manage: Object.fromEntries(Object.keys(desired.manage).map((section) => [section, "additive"])),
  sections: new Map(
    [...desired.sections].map(([section, objects]) => [
      section,
      objects.map(({ creation: _, gaps: __, partial: ___, ...object }) => ({
        ...object,
        fields: {},
        spans: spansIn({}),
      })),
    ]),
  ),
});

test("what is told to be out of a file is what drift compared", async () => {
  let all = 0;
  for (const { name, yaml, live, plan } of oneIn(4, await plannedCases())) {
    if (!plan.ok) continue;
    const options = { file: "realm.yaml", readFile: async () => yaml, lookAt, kinds };
    const desired = must(await readConfig({ ...options, realm: new Realm(live) }));
    const told = takenOut(desired, emptied(desired), { snapshot: live, kinds, partial: undefined });
    const fields = told.flatMap(({ fact, code }) => {
      if (code !== "plan/taken-out" || fact.is === "policy") return [];
      if (fact.is === "parts") return fact.parts.flatMap(({ fields: own }) => own);
      return fact.is === "fields" ? fact.names.map(({ quoted }) => quoted) : [];
    });
    const watch = plan.value.extra?.watch;
    const watched = (watch?.permissions.watched ?? 0) + (watch?.others.watched ?? 0);
    // Drift counts no fields of what is archived or deactivated, and of nothing that is left as it is because of an error.
    const isInactive = (kind: ResourceKind): boolean => {
      const resting = new Set(
        liveObjects(kind, new Realm(live))?.flatMap(({ inactive, key }) => (inactive ? [key] : [])),
      );
      return desired.sections.get(kind.section)?.some(({ key, was }) => resting.has(key) || was !== undefined) === true;
    };
    const isHeld = plan.value.warnings.some(({ unresolved }) => unresolved !== undefined);
    if (isHeld || kinds.some(isInactive)) continue;
    all += watched;
    if (fields.length !== watched) console.log(name, fields, watched);
    expect.soft(fields, name).toHaveLength(watched);
  }
  expect(all).toBeGreaterThan(150);
});

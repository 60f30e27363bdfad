import { expect, test } from "vitest";
import { realmOf } from "../../../test/support/realm.ts";
import { must } from "../../../test/support/world.ts";
import { planFiles } from "../../export/check.ts";
import { kinds } from "../registry.ts";

test("reversing a long chain of nested groups is planned at once, without a search that takes hours", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `g${index}`);
  const snapshot = realmOf({
    user_groups: names.map((name, index) => ({ name, subgroups: names.slice(index + 1, index + 2) })),
  });
  const text = names.map((name, index) => `  ${name}: {subgroups: [${index === 0 ? "" : `g${index - 1}`}]}\n`).join("");
  const files = new Map([["realm.yaml", `version: 1\nuser_groups:\n${text}`]]);
  const plan = must(await planFiles(files, "realm.yaml", { snapshot, kinds }));
  // Those at the ends only lose or only gain a subgroup; all others first lose one and then gain one.
  expect(plan.calls.length).toBe(2 * (names.length - 1));
  expect(plan.least_calls).toBe(plan.calls.length);
});

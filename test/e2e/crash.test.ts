import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { OPERATIONS } from "../../src/zulip/operations.ts";
import { plannedCases } from "../support/cases.ts";
import { MIXED_PLANS, requestsIn } from "../support/mixed-plans.ts";
import { sourcesOfKinds } from "../support/sources.ts";
import { must, planAgainst } from "../support/world.ts";

const plans = await Promise.all(
  MIXED_PLANS.map(async (mixed) => ({ ...mixed, plan: must(await planAgainst(mixed.yaml, mixed.live)) })),
);

describe("the mixed plans contain every request that any kind can send", () => {
  const tried = new Set(plans.flatMap(({ plan }) => requestsIn(plan)));

  test("every request in the plans of the case folders", async () => {
    const missing = new Map<string, string>();
    for (const { name, plan } of await plannedCases())
      for (const request of plan.ok ? requestsIn(plan.value) : []) if (!tried.has(request)) missing.set(request, name);
    expect([...missing]).toEqual([]);
  });

  test("every operation that a kind's source names", () => {
    const sources = sourcesOfKinds();
    const named = OPERATIONS.filter(({ repeat, name }) => repeat !== "read" && sources.includes(`"${name}"`));
    expect(named.length).toBeGreaterThan(25);
    const sent = new Set(plans.flatMap(({ plan }) => plan.calls.map(({ operation }) => operation)));
    expect(named.map(({ name }) => name).filter((name) => !sent.has(name))).toEqual([]);
  });

  test("every kind and every way of changing an object of it", () => {
    const changed = plans.flatMap(({ plan }) => plan.changes.map(({ kind, action }) => `${kind} ${action}`));
    const wanted = kinds.flatMap(({ name, shape, isPartial, diff }) => [
      ...(shape === "singleton" || isPartial ? [] : [`${name} create`]),
      ...(shape === "singleton" ? [] : [`${name} remove`]),
      // A default channel, or an invitation link, exists or does not; it has no fields.
      ...(name === "default_channel" || name === "invite_link" ? [] : [`${name} update`]),
      ...(diff?.ordered === undefined ? [] : [`${name} reorder`]),
    ]);
    expect(wanted.filter((each) => !changed.includes(each))).toEqual([]);
  });

  test("every plan has a test file in which its processes are killed", () => {
    const files = readdirSync(new URL(".", import.meta.url)).filter((name) => /^crash-.*\.test\.ts$/.test(name));
    const texts = files.map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("");
    expect(MIXED_PLANS.map(({ name }) => name).filter((name) => !texts.includes(`crashMatrix("${name}")`))).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { CODES } from "../../src/explain/explain.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { unresolvedIn } from "../../src/model/plan.ts";
import { rehearse } from "../../src/rehearsal/rehearse.ts";
import { planRealm } from "../../src/workflow/workflow.ts";
import { lookAt } from "../support/pictures.ts";
import { realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";
import { general, kindSources, plannedOperations, recordedRefusals } from "./recorded-refusals.ts";
import { ACCOUNT_REFUSALS } from "./refusals/accounts.ts";
import { CHANNEL_REFUSALS } from "./refusals/channels.ts";
import { ORGANIZATION_REFUSALS } from "./refusals/organization.ts";
import { UNMET } from "./unmet-refusals.ts";

/** Refusals of a server that a plan can meet. */
const REFUSALS = [...CHANNEL_REFUSALS, ...ACCOUNT_REFUSALS, ...ORGANIZATION_REFUSALS];

test("every refusal that the server is expected to make was recorded from a real one", () => {
  const recorded = new Set(recordedRefusals().map(({ words }) => words));
  const expected = REFUSALS.filter(({ by }) => by === "server").map(({ says }) => general(says));
  expect(expected.filter((words) => !recorded.has(words))).toEqual([]);
  expect(expected.length).toBeGreaterThan(50);
});

describe("every refusal of the recordings", () => {
  const met = new Set(REFUSALS.filter(({ by }) => by === "server").map(({ says }) => general(says)));
  const refusals = recordedRefusals();

  test("is in the table above, or has a reason why no plan meets it", () => {
    expect(plannedOperations().length).toBeGreaterThan(40);
    expect(refusals.length).toBeGreaterThan(400);
    const unexplained = refusals.filter(
      ({ words: said }) => !met.has(said) && !UNMET.some(({ words }) => words.some((pattern) => pattern.test(said))),
    );
    expect(
      unexplained.map(({ code, words, operations }) => `${code} ${words} (${[...operations].join(", ")})`),
    ).toEqual([]);
  });

  test("every reason matches a recorded refusal, none matches a refusal in the table, and the codes exist", () => {
    const said = refusals.map(({ words }) => words);
    const patterns = UNMET.flatMap(({ words }) => words);
    expect(patterns.filter((pattern) => !said.some((words) => pattern.test(words)))).toEqual([]);
    expect(patterns.filter((pattern) => [...met].some((words) => pattern.test(words)))).toEqual([]);
    expect(UNMET.flatMap(({ code }) => (code === undefined || CODES.includes(code) ? [] : [code]))).toEqual([]);
  });
});

test("no kind contains a parameter that plans never send", () => {
  const never = UNMET.flatMap(({ parameters = [] }) => parameters);
  expect(never.length).toBeGreaterThan(5);
  const words = new Set(kindSources().match(/\w+/g));
  expect(never.filter((name) => words.has(name))).toEqual([]);
  expect(words.has("is_default_stream")).toBe(true);
});

test.each(REFUSALS)(
  "$what ($by): $says",
  async ({ by, before = {}, after = before, edit = (same) => same, yaml, says }) => {
    const found = await planRealm({
      file: "realm.yaml",
      readFile: async () => `version: 1\n${yaml}\n`,
      lookAt,
      reader: { snapshot: async () => realmOf({ subscribers: {}, invites: [], ...before }) },
    });
    if (by === "planner") {
      const told = found.ok ? unresolvedIn(found.value.plan) : found.diagnostics;
      expect(told.map(({ code }) => code)).toEqual([says]);
      return;
    }
    const { plan, planAgain } = must(found);
    const reads = { invites: true, subscribers: true };
    const snapshot = edit(realmOf({ subscribers: {}, invites: [], ...after }));
    const { failed, succeeded } = await rehearse({ plan, snapshot, reads, kinds, planAgain });
    expect(failed?.said.quoted ?? "it succeeds").toContain(says);
    expect(plan.calls.find(({ n }) => n === failed?.n)?.operation).toBe(failed?.operation);
    expect(succeeded).toBeLessThan(plan.calls.length);
  },
);

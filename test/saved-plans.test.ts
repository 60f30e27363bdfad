import { afterAll, describe, expect, test } from "vitest";
import { parsePlanFile, planFileText } from "../src/apply/plan-file.ts";
import { EXIT } from "../src/model/diagnostic.ts";
import { type Json, sameJson } from "../src/model/json.ts";
import type { Call, Expectation, Plan } from "../src/model/plan.ts";
import { plannedCases } from "./support/cases.ts";
import { oneIn } from "./support/sample.ts";
import { World } from "./support/world.ts";

/** Every case that can be planned, with its plan as read back from the file in which it was saved. */
const cases = (
  await Promise.all(
    (
      await plannedCases()
    ).map(async ({ name, yaml, live, plan }) => {
      if (!plan.ok || plan.value.calls.length === 0) return [];
      const inputs = { file: "realm.yaml", allow: [], files: [], directories: [], snapshot: live };
      const { plan: read } = parsePlanFile(
        await planFileText(plan.value, { inputs, origin: { configuration: "", snapshot: "" } }),
        "realm.plan",
      );
      return [{ name, yaml, live, plan: read }];
    }),
  )
).flat();

test("there are such cases", () => expect(cases.length).toBeGreaterThan(150));

/**
 * Fields whose call itself says what is added and what is removed, so that it never overwrites anybody's work: people who join and leave, and what
 * the call before deletes for good (the terms of an invitation, a playground's template). Nobody can read which picture an emoji has: its id is
 * expected instead.
 */
const BY_THEMSELVES: { readonly [operation: string]: readonly string[] } = {
  subscribe: ["subscribers"],
  unsubscribe: ["subscribers"],
  "add-code-playground": ["url_template"],
  "deactivate-custom-emoji": ["image"],
  "upload-custom-emoji": ["image"],
  "send-invites": ["expires", "invite_as", "notify_referrer_on_join"],
};

describe("for every field that a call overwrites, the plan has the value that the field must still have", () => {
  test.each(cases)("$name", ({ plan }) => {
    const touched = plan.calls.flatMap((call) =>
      call.for.flatMap(({ address, fields }) =>
        plan.changes.find((change) => change.address === address)?.action === "create"
          ? []
          : fields.map((field) => ({ call, address, field })),
      ),
    );
    const unguarded = touched.filter(
      ({ call, address, field }) =>
        BY_THEMSELVES[call.operation]?.includes(field) !== true &&
        // If the plan itself changes the value in between, the request that does so checks it.
        !plan.calls.some(
          ({ n, expects }) =>
            (n === call.n || call.after.includes(n)) &&
            expects.some((expectation) => expectation.address === address && expectation.field === field),
        ),
    );
    expect(unguarded.map(({ call: { n, operation }, field }) => ({ n, operation, field }))).toEqual([]);
  });
});

describe("a plan made from a value that the realm no longer has is refused, and the error names all three values", () => {
  test.each(oneIn(7, cases))("$name", async ({ yaml, live, plan }) => {
    const world = new World(live);
    let refused = 0;
    for (const call of plan.calls) {
      for (const expectation of call.expects) {
        if (isMadeInBetween(expectation, call, plan)) continue;
        const result = await world.apply(withOther(plan, expectation), yaml);
        expect(result).toMatchObject({ outcome: "conflict", exitCode: EXIT.conflict, journal: null });
        const { address, field } = expectation;
        const shown = result.conflicts.find((conflict) => conflict.address === address && conflict.field === field);
        const wanted = plan.changes
          .find((change) => change.address === address)
          ?.fields.find((change) => change.field === field)?.after;
        expect(shown).toMatchObject({
          planned: otherThan(expectation.value),
          ...(wanted === undefined ? {} : { wanted }),
        });
        expect(shown?.calls).toContain(call.n);
        expect(result.calls.filter(({ state }) => state === "done")).toEqual([]);
        refused += 1;
      }
    }
    expect(world.writes).toBe(0);
    total += refused;
  });

  let total = 0;
  afterAll(() => expect(total).toBeGreaterThan(150));
});

/** A value that an earlier call of the plan sets, or a name that it frees: no reading before the run could show it. */
function isMadeInBetween({ address, id, field, value }: Expectation, { n }: Call, { calls, changes }: Plan): boolean {
  const earlier = calls.filter((call) => call.n < n);
  if (earlier.some((call) => call.for.some((purpose) => purpose.address === address && purpose.fields.includes(field))))
    return true;
  // If all but one are new, nobody could have changed their order.
  if (field === "order" && Array.isArray(value)) {
    const made = changes.filter(({ action }) => action === "create").map(({ name }) => name);
    return value.filter((name) => typeof name === "string" && !made.includes(name)).length < 2;
  }
  return field === "exists" && id === undefined && changes.some((change) => change.was !== undefined);
}

/** Several calls may rely on the same value: all of them were planned from it. */
function withOther(plan: Plan, { address, field, value }: Expectation): Plan {
  const isSame = (other: Expectation): boolean =>
    other.address === address && other.field === field && sameJson(other.value, value);
  return {
    ...plan,
    calls: plan.calls.map((call) => ({
      ...call,
      expects: call.expects.map((other) => (isSame(other) ? { ...other, value: otherThan(value) } : other)),
    })),
  };
}

/** As it could have been when the plan was made. For an order, the same items in reverse. */
function otherThan(value: Json): Json {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (Array.isArray(value) && value.length > 1) return [...value].reverse();
  return typeof value === "string" ? `${value} before` : "before";
}

import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { liveObjects } from "../../src/model/kind.ts";
import { Realm } from "../../src/model/realm.ts";
import { outcomeIn } from "../outcome/expect.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst } from "../support/world.ts";
import { scenario } from "./arbitrary.ts";
import { begin, options, TIMEOUT_MS } from "./begin.ts";
import { rotations } from "./rotations.ts";
import { together } from "./together.ts";

test(
  "requests can be put in an order after any exchange of names",
  async () => {
    await fc.assert(
      fc.asyncProperty(rotations, async ({ overlay, yaml }) => {
        const planned = await planAgainst(yaml, realmOf(overlay));
        const codes = planned.ok ? [] : planned.diagnostics.map(({ code }) => code);
        expect(codes).not.toContain("plan/cycle");
      }),
      options,
    );
  },
  TIMEOUT_MS,
);

describe.each([
  // Channels in depth: every field, cycles of names, inactive objects, levels.
  { of: "channels", scenarios: scenario, options },
  // Twice the work of the others, but half as many runs find the planted errors.
  { of: "all kinds", scenarios: together, options: { numRuns: Math.ceil(options.numRuns / 2) } },
  { of: "of names that rotate", scenarios: rotations, options },
])("random realms and files of $of", ({ scenarios, options }) => {
  test(
    "apply reaches the state of the file, with exactly the fewest writes",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenarios, async (input) => {
          const { world, plan, yaml } = await begin(input);
          const expectOutcome = outcomeIn(world, yaml);
          const result = await world.apply(plan, yaml);
          expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
          expect(world.writes).toBe(plan.least_calls);
          expect(plan.calls.length).toBe(plan.least_calls);
          expectOutcome();
          expect(must(await world.plan(yaml)).changes).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "every call changes something, and each is needed",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenarios, fc.nat(), async (input, seed) => {
          const { world, plan, yaml } = await begin(input);
          fc.pre(plan.calls.length > 0);
          const left = plan.calls[seed % plan.calls.length]?.n ?? 0;
          const skipped = new Set<number>([left]);
          for (const call of plan.calls) {
            if (skipped.has(call.n) || call.after.some((n) => skipped.has(n))) {
              skipped.add(call.n);
              continue;
            }
            const before = world.fingerprint();
            expect((await world.send(call)).outcome).toBe("applied");
            expect(world.fingerprint()).not.toBe(before);
          }
          const again = await world.plan(yaml);
          expect(again.ok && again.value.changes.length === 0).toBe(false);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "the same input gives the same plan, and a plan is plain JSON",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenarios, async ({ overlay, yaml }) => {
          const snapshot = realmOf(overlay);
          const plan = await planAgainst(yaml, snapshot);
          expect(await planAgainst(yaml, structuredClone(snapshot))).toEqual(plan);
          expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "a realm exported as a file needs no change",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenarios, async ({ overlay }) => {
          const snapshot = realmOf(overlay);
          const plan = must(await planAgainst(JSON.stringify(writtenDown(new Realm(snapshot))), snapshot));
          expect(plan.changes).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );
});

/** Every kind that a file can contain, as a file that has everything. */
function writtenDown(realm: Realm): { readonly [section: string]: unknown } {
  const file: { [section: string]: unknown } = { version: 1 };
  const manage: { [section: string]: string } = {};
  for (const kind of kinds) {
    const live = liveObjects(kind, realm);
    if (live === undefined || kind.yaml?.item === undefined) continue;
    const seen = new Set<string>();
    // An archived folder may have the name of one in use; a file means the one in use.
    const named = [...live]
      .sort((a, b) => Number(a.inactive) - Number(b.inactive))
      .filter(({ key }) => {
        const isNew = !seen.has(key);
        seen.add(key);
        return isNew;
      });
    const kept = live.filter((object) => named.includes(object));
    const all = kept.map((object) => [object.name, kind.yaml?.item?.(object, realm)] as const);
    // Links that the server shows alike can be declared once (docs/internals/decisions/0024-an-invitation-is-an-act.md).
    const texts = all.map(([, item]) => JSON.stringify(item));
    const items = kind.shape === "list" ? all.filter((_, index) => texts.indexOf(texts[index] ?? "") === index) : all;
    const written = items.map(([, item]) => item);
    if (kind.shape === "singleton") file[kind.section] = written[0];
    else file[kind.section] = kind.shape === "map" ? Object.fromEntries(items) : written;
    manage[kind.section] = kind.isPartial === true || items.length < all.length ? "additive" : "exact";
  }
  return { ...file, manage };
}

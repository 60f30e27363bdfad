import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { type Dependency, type DraftCall, dependencyKey } from "../../src/model/draft-call.ts";
import type { ResourceKind } from "../../src/model/kind.ts";
import type { PlanContext } from "../../src/model/plan-context.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { withReferences } from "../../src/plan/cycles.ts";
import { type Scenario, scenario } from "../properties/arbitrary.ts";
import { rotations } from "../properties/rotations.ts";
import { together } from "../properties/together.ts";
import { casesOf, planText } from "../support/cases.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { isSoak } from "../support/sample.ts";
import { isBroughtAbout } from "./brought-about.ts";

/**
 * If a request waits for a state that no request provides, the order is lost and nobody notices. So every state that the plan brings about has a
 * request that provides it, and over all plans no state is waited for in vain, or provided for nobody.
 */
const SEED = 14;
const PLANS_PER_SOURCE = isSoak ? 200 : 16;

interface Drafted {
  readonly drafts: readonly DraftCall[];
  readonly context: PlanContext;
}

async function draftsOf(yaml: string, live: Snapshot): Promise<Drafted | undefined> {
  const drafts: DraftCall[] = [];
  let seen: PlanContext | undefined;
  const watched = kinds.map(
    (kind): ResourceKind => ({
      ...kind,
      calls: {
        ...kind.calls,
        draft(changes, context) {
          const own = kind.calls.draft(changes, context);
          drafts.push(...own);
          seen = context;
          return own;
        },
      },
    }),
  );
  await planText(yaml, live, watched);
  return seen === undefined ? undefined : { drafts, context: seen };
}

/** Whole requests, and each way to split one: every way must be correct on its own. */
function waysOf(drafts: readonly DraftCall[]): readonly (readonly DraftCall[])[] {
  const splits = drafts.flatMap((draft) =>
    (draft.alternatives ?? []).map((parts) => [
      ...drafts.filter((other) => other.alternatives !== draft.alternatives),
      ...parts,
    ]),
  );
  return [drafts, ...splits].map((way) => way.map(withReferences));
}

const asked = (draft: DraftCall): readonly Dependency[] => [...(draft.needs ?? []), ...(draft.softNeeds ?? [])];

/** One sentence for each request that waits for a state that the plan brings about and that no request provides. */
function forgotten({ drafts, context }: Drafted): readonly string[] {
  return waysOf(drafts).flatMap((way) => {
    const provided = new Set(way.flatMap(({ provides = [] }) => provides.map(dependencyKey)));
    return way.flatMap((draft) =>
      asked(draft).flatMap((dependency) => {
        const key = dependencyKey(dependency);
        const expected = isBroughtAbout(dependency, context);
        const isProvided = provided.has(key);
        if (expected === "perhaps" || (expected === "yes" && isProvided) || (expected === "no" && !isProvided))
          return [];
        return [`${draft.operation} waits for ${key}: brought about: ${expected}, provided: ${isProvided}`];
      }),
    );
  });
}

/** A state and the kind of object that it concerns. */
function shapeOf(dependency: Dependency): string {
  const { state } = dependency;
  if ("setting" in dependency) return state;
  return `${state} ${"kind" in dependency ? dependency.kind : dependency.address.split(":", 1).join("")}`;
}

test("some request provides each state that the plan causes, and no state is needed or provided without use", async () => {
  const inputs = [
    ...casesOf().map(({ name, yaml, live }) => ({ name, yaml, live })),
    ...Object.entries({ scenario, together, rotations }).flatMap(([name, scenarios]) => {
      const samples: readonly Scenario[] = fc.sample(scenarios, { numRuns: PLANS_PER_SOURCE, seed: SEED });
      return samples.map(({ overlay, yaml }, index) => ({ name: `${name} ${index}`, yaml, live: realmOf(overlay) }));
    }),
  ];
  const needed = new Set<string>();
  const provided = new Set<string>();
  const given = new Set<string>();
  const wrong: string[] = [];
  for (const { name, yaml, live } of inputs) {
    const drafted = await draftsOf(yaml, live);
    if (drafted === undefined) continue;
    for (const way of waysOf(drafted.drafts)) {
      for (const draft of way) {
        for (const dependency of asked(draft)) needed.add(shapeOf(dependency));
        for (const dependency of draft.provides ?? []) provided.add(shapeOf(dependency));
      }
    }
    // The request that creates an object provides its existence, whether a request waits for it or not.
    for (const { provides = [], alternatives = [] } of drafted.drafts)
      for (const dependency of [...provides, ...alternatives.flat().flatMap((draft) => draft.provides ?? [])])
        given.add(shapeOf(dependency));
    wrong.push(...forgotten(drafted).map((sentence) => `${name}: ${sentence}`));
  }
  expect([...new Set(wrong)].slice(0, 20)).toEqual([]);
  expect([...needed].filter((shape) => !provided.has(shape)).sort()).toEqual([]);
  expect([...given].filter((shape) => !needed.has(shape)).sort()).toEqual([]);
}, 240_000);

import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import type { Counted } from "../../src/model/counted.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { guardsOf } from "../../src/plan/guards.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import fc from "../support/random.ts";
import { realmOf, TAKEN_AT } from "../support/realm.ts";
import { must, World } from "../support/world.ts";
import { NEWCOMERS, powersIn } from "./attempts.ts";
import { differencesBetween, type Model, type Shifts, saidShifts, shiftsBetween, widerThanSaid } from "./compared.ts";
import { fileOf, type Scenario, scenarios } from "./scenario.ts";

/**
 * The oracle of access: for a random organization and a random plan, everything that anybody could do over HTTP before and after it is tried (attempts.ts);
 * what people really gain and lose must be what the difference says, no more and no less, and the guards must count it.
 */
const RUNS = { numRuns: Number(process.env.REALMCTL_RUNS ?? 12) };
const NOW = Date.parse(TAKEN_AT);

interface Run {
  readonly plan: Plan;
  readonly live: Snapshot;
  readonly before: RealmState;
  readonly after: RealmState;
}

/** Skipped are scenarios with errors, plans that change nothing, and those of which the server refuses a part: test/properties has these. */
async function carriedOut({ overlay, edits }: Scenario): Promise<Run> {
  const world = new World(realmOf(overlay));
  const yaml = fileOf(edits);
  const planned = await world.plan(yaml);
  fc.pre(planned.ok && planned.value.changes.length > 0);
  const plan = must(planned);
  const live = await world.read();
  const before = world.sandbox.state();
  fc.pre((await world.apply(plan, yaml)).outcome === "applied");
  return { plan, live, before, after: world.sandbox.state() };
}

/** The model without one of the things that it has to know. */
const BLIND: { readonly [part: string]: (model: Model) => Model } = {
  "owners of bots": ({ snapshot, changes }) => ({
    snapshot: { ...snapshot, users: snapshot.users.map((user) => ({ ...user, bot_owner_id: null })) },
    changes: changes.map((change) => ({ ...change, fields: change.fields.filter(({ field }) => field !== "owner") })),
  }),
  "archived channels": (model) => ({
    ...model,
    sees: ({ was, is }) => !(typeof is === "object" && "archived" in is && is.archived) && typeof was !== "string",
  }),
  "people who join later": (model) => ({ ...model, newcomers: false }),
};

test(
  "what people gain and lose over HTTP is what the difference says and guards count; without a part of the model it is not",
  async () => {
    const noticed = new Set<string>();
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const run = await carriedOut(scenario);
        const { plan, live, before, after } = run;
        const real = shiftsBetween(await powersIn(before, NOW), await powersIn(after, NOW));
        const existed = (id: number): boolean => before.channels[id] !== undefined;
        const wrong = (model: Model): readonly string[] => {
          const said = saidShifts(model, after);
          return [...differencesBetween(real, said), ...widerThanSaid(real, said, existed)];
        };
        const model: Model = { snapshot: live, changes: plan.changes };
        expect([...wrong(model), ...uncounted(run, real)]).toEqual([]);
        for (const [part, without] of Object.entries(BLIND)) if (wrong(without(model)).length > 0) noticed.add(part);
      }),
      RUNS,
    );
    expect([...noticed].sort()).toEqual(Object.keys(BLIND).sort());
  },
  60_000 + RUNS.numRuns * 10_000,
);

/** Real gains and losses of reading that the guards do not count. */
function uncounted({ plan, live, before }: Run, real: Shifts): readonly string[] {
  const guards = guardsOf({ plan, snapshot: live, kinds, policies: [], allow: [] });
  const counted = (name: Counted): number => {
    const found = guards.find((guard) => guard.name === name)?.fact.about;
    return found?.kind === "limit" ? found.amount : 0;
  };
  const gained = new Set<number>();
  for (const { stream_id: id, invite_only } of Object.values(before.channels))
    for (const power of invite_only ? ["read", "read_past", "reach"] : [])
      for (const person of real.get(`+ ${power}|${id}`) ?? []) gained.add(person);
  const joiners = Object.values(NEWCOMERS).filter((id) => gained.delete(id));
  const isReactivated = plan.changes.some(({ fields }) => fields.some(({ field }) => field === "deactivated"));
  const found: string[] = [];
  const amount = counted("people_gaining_access");
  if (isReactivated ? amount < gained.size : amount !== gained.size)
    found.push(`guard people_gaining_access: ${amount}, not ${[...gained].join(",")}`);
  if (joiners.length > 0 && counted("opened") === 0) found.push(`guard opened: 0, but ${joiners.join(",")}`);
  return found;
}

import { expect, test } from "vitest";
import type { RiskFact } from "../../src/model/facts.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import type { RealmState } from "../../src/sandbox/index.ts";
import { mayThroughBots } from "../access/oracle.ts";
import { scenario } from "../prefix-safety/scenario.ts";
import { planText } from "../support/cases.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";
import { options, TIMEOUT_MS } from "./begin.ts";

const rights = ["reads", "can_send_message_group"] as const;
type Right = (typeof rights)[number];

/** People (no bots) who hold a right in each channel, one by one in the server's own words (test/access/oracle.ts), which does not use plans. */
function holdersIn(state: RealmState, right: Right, earlier?: RealmState): ReadonlyMap<number, ReadonlySet<number>> {
  const people = Object.values(state.users).filter(({ is_bot }) => !is_bot);
  const asked = right === "reads" ? "read" : right;
  return new Map(
    Object.values(state.channels).map((channel) => [
      channel.stream_id,
      new Set(
        people.filter((user) => mayThroughBots(state, user, channel, asked, earlier)).map(({ user_id }) => user_id),
      ),
    ]),
  );
}

const without = (some: ReadonlySet<number> = new Set(), others: ReadonlySet<number> = new Set()): number =>
  [...some].filter((id) => !others.has(id)).length;

/** "reads name: +2 -1" for each right in each existing channel, if it changes. */
async function whatHappens(plan: Plan, live: Snapshot): Promise<readonly string[]> {
  const world = new World(live);
  const before = world.sandbox.state();
  for (const call of plan.calls) expect((await world.send(call)).outcome).toBe("applied");
  const after = world.sandbox.state();
  return rights.flatMap((right) => {
    const [then, now] = [holdersIn(before, right), holdersIn(after, right, before)];
    return Object.values(before.channels).flatMap(({ stream_id, name }) => {
      const gained = without(now.get(stream_id), then.get(stream_id));
      const lost = without(then.get(stream_id), now.get(stream_id));
      return gained + lost === 0 ? [] : [`${right} ${name}: +${gained} -${lost}`];
    });
  });
}

/** The same, as the plan's facts about channels say it. */
function whatIsSaid(plan: Plan, live: Snapshot): readonly string[] {
  const facts = factsOf(plan);
  return rights.flatMap((right) =>
    live.channels.flatMap(({ name }) => {
      const count = (shift: "gained" | "lost"): number =>
        facts.reduce((sum, fact) => {
          const isRight = right === "reads" ? fact.kind === "readers" : fact.kind === "right" && fact.setting === right;
          if (!isRight || !("people" in fact) || !("shift" in fact)) return sum;
          if (("at_most" in fact && fact.at_most) || fact.shift !== shift) return sum;
          if (!("object" in fact) || !fact.object.address.startsWith("channel:")) return sum;
          return fact.object.name === name ? sum + fact.people : sum;
        }, 0);
      const [gained, lost] = [count("gained"), count("lost")];
      return gained + lost === 0 ? [] : [`${right} ${name}: +${gained} -${lost}`];
    }),
  );
}

function factsOf(plan: Plan): readonly RiskFact[] {
  return plan.changes.flatMap(({ risks }) => risks.map(({ fact }) => fact));
}

/** Channels named where the plan says who joins or leaves a group, or that everybody on the web can read it. */
function readWithoutNumber(plan: Plan): ReadonlySet<string> {
  return new Set(
    factsOf(plan).flatMap((fact) => {
      if (fact.kind === "open-to-web") return [fact.object.name];
      return fact.kind === "members" ? fact.channels.map(({ name }) => name) : [];
    }),
  );
}

test(
  "people who gain or lose the right to read a channel or to post there: as many as the plan says, and nobody is left out",
  async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ overlay, yaml }) => {
        const live = realmOf(overlay);
        const planned = await planText(yaml, live);
        fc.pre(planned.ok);
        const plan = must(planned);
        const said = whatIsSaid(plan, live);
        compared += said.length;
        const happens = await whatHappens(plan, live);
        // Every number in the plan is right …
        expect(happens).toEqual(expect.arrayContaining([...said]));
        // … and no change of readers is missing: what follows only from a group is reported with the group.
        const unreported = happens.filter((line) => line.startsWith("reads ") && !said.includes(line));
        const named = readWithoutNumber(plan);
        expect(unreported.filter((line) => !named.has(line.slice("reads ".length, line.indexOf(":"))))).toEqual([]);
      }),
      options,
    );
    expect(compared).toBeGreaterThan(options.numRuns / 4);
  },
  TIMEOUT_MS,
);

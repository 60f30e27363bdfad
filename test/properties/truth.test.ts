import fc from "fast-check";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import type { RealmState } from "../../src/sandbox/index.ts";
import { rightsIn } from "../prefix-safety/oracle.ts";
import { scenario } from "../prefix-safety/scenario.ts";
import { planText } from "../support/cases.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";
import { options, TIMEOUT_MS } from "./begin.ts";

/** People (no bots) who read each channel, by the server's own state: the oracle of test/prefix-safety, which knows nothing of plans. */
function readersIn(state: RealmState): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  for (const right of rightsIn(state, [])) {
    const [, who, channel] = /^(\d+) reads channel (\d+)$/.exec(right) ?? [];
    if (who === undefined || channel === undefined || state.users[Number(who)]?.is_bot === true) continue;
    found.set(Number(channel), (found.get(Number(channel)) ?? new Set()).add(Number(who)));
  }
  return found;
}

const without = (some: ReadonlySet<number> = new Set(), others: ReadonlySet<number> = new Set()): number =>
  [...some].filter((id) => !others.has(id)).length;

/** "name: +2 -1" for each channel that was there and that other people read afterwards. */
async function whatHappens(plan: Plan, live: Snapshot): Promise<readonly string[]> {
  const world = new World(live);
  const before = world.sandbox.state();
  for (const call of plan.calls) expect((await world.send(call)).outcome).toBe("applied");
  const after = world.sandbox.state();
  const [then, now] = [readersIn(before), readersIn(after)];
  return Object.values(before.channels).flatMap(({ stream_id, name }) => {
    const gained = without(now.get(stream_id), then.get(stream_id));
    const lost = without(then.get(stream_id), now.get(stream_id));
    return gained + lost === 0 ? [] : [`${name}: +${gained} -${lost}`];
  });
}

/** The same, as the plan says it of channels; and the channels that it names where it says who comes into a group or leaves it. */
function whatIsSaid(plan: Plan, live: Snapshot): { readonly ofChannels: readonly string[]; readonly ofGroups: string } {
  const counts = new Map<string, { gained: number; lost: number }>();
  const ofGroups: string[] = [];
  for (const { message } of plan.changes.flatMap(({ risks }) => risks)) {
    if (message.includes(", whose members can read ")) ofGroups.push(`${message} `.replaceAll(",", " "));
    const [, name = "", gained] = /^#(\S+) becomes readable by (\d+) more/.exec(message) ?? [];
    const [, lost, other = ""] = /^(\d+) (?:people|person) can no longer read #(\S+)$/.exec(message) ?? [];
    const channel = name === "" ? other : name;
    if (channel === "") continue;
    const so = counts.get(channel) ?? { gained: 0, lost: 0 };
    counts.set(channel, { gained: so.gained + Number(gained ?? 0), lost: so.lost + Number(lost ?? 0) });
  }
  const ofChannels = live.channels.flatMap(({ name }) => {
    const so = counts.get(name);
    return so === undefined ? [] : [`${name}: +${so.gained} -${so.lost}`];
  });
  return { ofChannels, ofGroups: ofGroups.join("\n") };
}

test(
  "who comes to read a channel and who no longer does: the plan says it, and says how many",
  async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ overlay, yaml }) => {
        const live = realmOf(overlay);
        const planned = await planText(yaml, live);
        fc.pre(planned.ok);
        const plan = must(planned);
        const { ofChannels, ofGroups } = whatIsSaid(plan, live);
        compared += ofChannels.length;
        const happens = await whatHappens(plan, live);
        // A number that is said is right; what follows from a group alone is said with the group.
        expect(happens).toEqual(expect.arrayContaining([...ofChannels]));
        for (const line of happens.filter((each) => !ofChannels.includes(each)))
          expect(ofGroups).toContain(`#${line.slice(0, line.indexOf(":"))} `);
      }),
      options,
    );
    expect(compared).toBeGreaterThan(options.numRuns / 4);
  },
  TIMEOUT_MS,
);

import { type Dependency, nameFree } from "../../model/dependency.ts";
import type { LiveObject, Pair, PlanContext } from "../../model/kind.ts";
import type { Address, Change } from "../../model/plan.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { foldCase } from "../names.ts";
import { outcomeOf } from "./outcome.ts";
import { settingsBeforePrivacy } from "./split.ts";

/** Channel names have at most 60 characters (zulip-api.md §3.10); a temporary name keeps to that on every server. */
const NAME_LIMIT = 60;

export interface Rename {
  readonly change: Change;
  readonly from: LiveObject;
  /** The key that the channel gives up, or undefined when only the case changes. */
  readonly frees: string | undefined;
  /** The key that it takes, when another channel of this plan has to give it up first. */
  readonly takes: string | undefined;
  /** The name in between, for one channel of each cycle. */
  readonly temporary: string | undefined;
}

/** Who renames to what, and which channel of every cycle steps aside first (zulip-api.md §15.4). */
export function renamesOf(changes: readonly Change[], context: PlanContext): ReadonlyMap<Address, Rename> {
  const holders = channelsByKey(context);
  const steps = new Map<Address, Rename>();
  for (const change of changes) {
    if (change.was === undefined) continue;
    const from = context.pair(change.address)?.live;
    if (from === undefined) continue;
    const key = foldCase(change.name);
    const isOther = key !== from.key;
    steps.set(change.address, {
      change,
      from,
      frees: isOther ? from.key : undefined,
      takes: isOther && holders.has(key) ? key : undefined,
      temporary: undefined,
    });
  }

  for (const cycle of cyclesOf(steps, holders)) {
    // A channel that takes two requests anyway makes room at no extra cost.
    const aside =
      cycle.find(({ change }) => settingsBeforePrivacy(outcomeOf(change, context), context).length > 0) ?? cycle[0];
    if (aside === undefined || aside.from.id === null) continue;
    steps.set(aside.change.address, {
      ...aside,
      temporary: temporaryName(aside.change.name, aside.from.id, NAME_LIMIT),
    });
  }
  return steps;
}

/** Renames in which each takes the name that the next gives up, and the last that of the first. Every channel is in one at most. */
export function cyclesOf(
  steps: ReadonlyMap<Address, Rename>,
  holders: ReadonlyMap<string, Pair>,
): readonly (readonly Rename[])[] {
  const cycles: Rename[][] = [];
  const seen = new Set<Address>();
  for (const start of steps.values()) {
    const path: Rename[] = [];
    let step: Rename | undefined = start;
    while (step?.takes !== undefined && !seen.has(step.change.address)) {
      seen.add(step.change.address);
      path.push(step);
      const holder = holders.get(step.takes);
      step = holder === undefined ? undefined : steps.get(holder.address);
    }
    const closed = step === undefined ? -1 : path.indexOf(step);
    if (closed >= 0) cycles.push(path.slice(closed));
  }
  return cycles;
}

/** Which object of the section holds a name on the server now, archived channels included. */
export function channelsByKey(context: PlanContext): ReadonlyMap<string, Pair> {
  const holders = new Map<string, Pair>();
  for (const pair of context.pairs("channels")) if (pair.live !== undefined) holders.set(pair.live.key, pair);
  return holders;
}

/** No channel holds the name any more. */
export function freeName(name: string): Dependency {
  return nameFree("channel", foldCase(name));
}

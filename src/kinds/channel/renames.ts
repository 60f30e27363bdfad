import { type Dependency, nameFree } from "../../model/dependency.ts";
import type { Move } from "../../model/facets.ts";
import type { LiveObject, Pair } from "../../model/objects.ts";
import type { Address, Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase } from "../names.ts";
import { outcomeOf } from "./outcome.ts";
import { settingsSentFirst } from "./split.ts";

export interface Rename {
  readonly change: Change;
  readonly from: LiveObject;
  /** The key that the channel frees, or undefined if only the case changes. */
  readonly frees: string | undefined;
  /** The key that it takes, if another channel of this plan has to free it first. */
  readonly takes: string | undefined;
}

/** The renames of a plan (zulip-api.md §15.4). */
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
    });
  }
  return steps;
}

/** Renames by which a name passes from one object to another: not those that change only the case, or take a free name. */
export function channelMoves(changes: readonly Change[], context: PlanContext): readonly Move[] {
  return [...renamesOf(changes, context).values()].flatMap(({ change, frees: from, takes: to }) => {
    if (from === undefined || to === undefined) return [];
    return [{ change, from, to, isTwice: settingsSentFirst(outcomeOf(change, context), context).length > 0 }];
  });
}

/** The object of the section that has a name on the server now, also if it is archived. */
export function channelsByKey(context: PlanContext): ReadonlyMap<string, Pair> {
  const holders = new Map<string, Pair>();
  for (const pair of context.pairs("channels")) if (pair.live !== undefined) holders.set(pair.live.key, pair);
  return holders;
}

/** The state in which no channel has the name. */
export function freeName(name: string): Dependency {
  return nameFree("channel", foldCase(name));
}

import { type Dependency, nameFree } from "../../model/dependency.ts";
import type { LiveObject, Pair } from "../../model/objects.ts";
import type { Address, Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { foldCase } from "../names.ts";
import { type Move, steppingAside } from "../stepping-aside.ts";
import { outcomeOf } from "./outcome.ts";
import { settingsSentFirst } from "./split.ts";

export interface Rename {
  readonly change: Change;
  readonly from: LiveObject;
  /** The key that the channel frees, or undefined if only the case changes. */
  readonly frees: string | undefined;
  /** The key that it takes, if another channel of this plan has to free it first. */
  readonly takes: string | undefined;
  /** The temporary name, for one channel of each cycle. */
  readonly temporary: string | undefined;
}

/** The renames, and the channel of every cycle that gets a temporary name first (zulip-api.md §15.4). */
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

  const isTwice = ({ change }: Rename): boolean => settingsSentFirst(outcomeOf(change, context), context).length > 0;
  for (const aside of steppingAside(movesOf(steps.values()), isTwice)) {
    const { change, from } = aside;
    if (from.id !== null) steps.set(change.address, { ...aside, temporary: temporaryName(change.name, from.id) });
  }
  return steps;
}

/** Renames by which a name passes from one object to another: not those that change only the case, or take a free name. */
export function movesOf(renames: Iterable<Rename>): readonly Move<Rename>[] {
  return [...renames].flatMap((item) =>
    item.frees === undefined || item.takes === undefined ? [] : [{ from: item.frees, to: item.takes, item }],
  );
}

/** The object of the section that has a name on the server now, also if it is archived. */
export function channelsByKey(context: PlanContext): ReadonlyMap<string, Pair> {
  const holders = new Map<string, Pair>();
  for (const pair of context.pairs("channels")) if (pair.live !== undefined) holders.set(pair.live.key, pair);
  return holders;
}

/** No channel has the name. */
export function freeName(name: string): Dependency {
  return nameFree("channel", foldCase(name));
}

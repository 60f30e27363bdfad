import { type Dependency, nameFree } from "../../model/dependency.ts";
import type { LiveObject, Pair } from "../../model/objects.ts";
import type { Address, Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { foldCase } from "../names.ts";
import { type Move, steppingAside } from "../stepping-aside.ts";
import { outcomeOf } from "./outcome.ts";
import { settingsBeforePrivacy } from "./split.ts";

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

  const isTwice = ({ change }: Rename): boolean =>
    settingsBeforePrivacy(outcomeOf(change, context), context).length > 0;
  for (const aside of steppingAside(movesOf(steps.values()), isTwice)) {
    const { change, from } = aside;
    if (from.id !== null) steps.set(change.address, { ...aside, temporary: temporaryName(change.name, from.id) });
  }
  return steps;
}

/** Renames by which a name changes hands: not those that change nothing but case, or take a name that nobody has. */
export function movesOf(renames: Iterable<Rename>): readonly Move<Rename>[] {
  return [...renames].flatMap((item) =>
    item.frees === undefined || item.takes === undefined ? [] : [{ from: item.frees, to: item.takes, item }],
  );
}

/** Which object of the section holds a name on the server now, archived channels included. */
export function channelsByKey(context: PlanContext): ReadonlyMap<string, Pair> {
  const holders = new Map<string, Pair>();
  for (const pair of context.pairs("channels")) if (pair.live !== undefined) holders.set(pair.live.key, pair);
  return holders;
}

/** No channel has the name. */
export function freeName(name: string): Dependency {
  return nameFree("channel", foldCase(name));
}

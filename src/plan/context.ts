import { kindOf } from "../model/address.ts";
import type { Desired } from "../model/desired.ts";
import type { ObjectState } from "../model/draft-call.ts";
import { once } from "../model/lazy.ts";
import type { DeclaredObject, Pair } from "../model/objects.ts";
import type { Address } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { moveKey, movesOf } from "./moves.ts";
import { namingsIn } from "./namings.ts";
import type { Realms, Section } from "./sections.ts";

const WRITTEN: readonly ObjectState[] = ["written"];

export function contextOf(
  desired: Desired,
  { now, named }: Realms,
  sections: readonly Section[],
  namedInFile: ReadonlySet<Address>,
  file = desired,
): PlanContext {
  const pairsByAddress = new Map<Address, Pair>();
  const pairsBySection = new Map<string, readonly Pair[]>();
  for (const { kind, pairs } of sections) {
    pairsBySection.set(kind.section, pairs);
    // Declared objects come first: they keep the address if an undeclared object has the same name.
    for (const pair of pairs) if (!pairsByAddress.has(pair.address)) pairsByAddress.set(pair.address, pair);
  }
  const settingsAfter = new Map(
    sections.flatMap(({ kind, changes }) =>
      kind.shape === "singleton" ? Object.entries(kind.diff?.settingsAfter?.(changes, named) ?? {}) : [],
    ),
  );
  const statesOf = new Map(sections.map(({ kind }) => [kind.name, kind.calls.writtenStates]));
  const declared = (section: string): readonly DeclaredObject[] => desired.sections.get(section) ?? [];
  const moves = once(() => movesOf(sections, context));
  const namings = once(() => namingsIn(sections, context));
  const context: PlanContext = {
    realm: named,
    unrenamed: now,
    snapshot: named.snapshot,
    file,
    changes: sections.flatMap(({ changes }) => changes),
    declared,
    pairs: (section) => pairsBySection.get(section) ?? [],
    pair: (address) => pairsByAddress.get(address),
    settingAfter: (name) => settingsAfter.get(name) ?? named.setting(name),
    policy: (section) => (desired.sections.has(section) ? (desired.manage[section] ?? "additive") : undefined),
    isNamedInFile: (address) => namedInFile.has(address),
    whole: (address) => (statesOf.get(kindOf(address)) ?? WRITTEN).map((state) => ({ state, address })),
    manages: (section) => desired.sections.has(section),
    namings: (object) => namings()(object),
    move: (address, field) => moves().get(moveKey(address, field)),
    idOf: (address) => {
      const pair = pairsByAddress.get(address);
      if (pair?.live?.id !== undefined && pair.live.id !== null) return pair.live.id;
      if (pair?.change?.action === "create") return { idOf: address };
      throw new RangeError(`${address} is neither on the server nor made by this plan`);
    },
  };
  return context;
}

import { kindOf } from "../model/address.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { inactive, type ObjectState, removed } from "../model/draft-call.ts";
import type { Move } from "../model/facets.ts";
import { keyOf, type ResourceKind, temporaryNameOf } from "../model/kind.ts";
import { addTo, once, overlaid } from "../model/lazy.ts";
import { namedIn } from "../model/named-in.ts";
import type { DeclaredObject, LiveObject, Named, Pair } from "../model/objects.ts";
import type { Address } from "../model/plan.ts";
import type { Naming, PlanContext, PlannedMove } from "../model/plan-context.ts";
import type { Realm } from "../model/realm.ts";
import { isReactivation, isRemoval } from "../model/tally.ts";
import { SPARES, temporaryName } from "../model/temporary-name.ts";
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

/*
 * Renames through a temporary name, for every kind whose names are unique on the server.
 *
 * Terms: a *move* is an object that frees one name and takes another; moves in which each takes the name that the next frees, and the last that of
 * the first, are a *cycle*. Premise: names are unique after every request, so no object of a cycle can be first.
 *
 *     kinds declare the moves (`calls.moves`)
 *     for each cycle of moves:
 *       one object steps aside: it gets a temporary name, if possible in a request that it needs anyway
 *       the others follow, each as soon as the name that it takes is free (cycles.ts orders them)
 *       the one that stepped aside takes its name last, in one additional request
 *     kinds write the requests: for an object that steps aside, one with the temporary name, and one with the new name
 *
 * One additional request for each cycle is the minimum, and the planner counts it. What this does not do: break cycles of names and other needs
 * (cycles.ts does, with the alternatives of a kind), or find an object again that an interrupted run left under a temporary name (match.ts does).
 */

/** Every move of a plan, by its key ({@link moveKey}). */
export function movesOf(
  sections: readonly Pick<Section, "kind" | "changes" | "live">[],
  context: PlanContext,
): ReadonlyMap<string, PlannedMove> {
  const planned = new Map<string, PlannedMove>();
  for (const { kind, changes, live } of sections) {
    const taken = once(() => textsOf(live));
    // An object that steps aside with one name does so with another in the same requests.
    const twice = new Set<Address>();
    for (const [field, moves] of byField(kind.calls.moves?.(changes, context) ?? [])) {
      const isTwice = ({ change, isTwice }: Move): boolean => isTwice === true || twice.has(change.address);
      const aside = new Set(asideIn(moves, isTwice));
      // Without an id, nobody has to find the object by its temporary name: any number that is unique will do.
      const numbered = [...aside, ...moves.filter((move) => !aside.has(move))];
      for (const [index, move] of numbered.entries()) {
        const { change, name = change.name } = move;
        const temporary = freeNameOf(kind, { field, name }, change.id ?? index + 1, taken());
        const isAside = aside.has(move);
        planned.set(moveKey(change.address, field), {
          temporary,
          aside: isAside ? temporary : undefined,
          requests: isAside && !isTwice(move) ? 1 : 0,
        });
      }
      for (const { change } of aside) twice.add(change.address);
    }
  }
  return planned;
}

/** The object's own name, unlike a name in a field. */
const OWN_NAME = "name";

/** The move of an object: of its own name, or of the name in a field. */
const moveKey = (address: Address, field = OWN_NAME): string => (field === OWN_NAME ? address : `${address}\n${field}`);

function byField(moves: readonly Move[]): ReadonlyMap<string, readonly Move[]> {
  const found = new Map<string, Move[]>();
  for (const move of moves) addTo(found, move.of ?? OWN_NAME, move);
  return found;
}

/** Anybody may have given an object the temporary name that another one needs. */
function freeNameOf(
  kind: ResourceKind,
  { field, name }: { readonly field: string; readonly name: string },
  id: number,
  taken: ReadonlySet<string>,
): string {
  const made = (spare?: number): string =>
    field === OWN_NAME ? temporaryNameOf(kind, name, id, spare) : temporaryName(name, id, undefined, spare);
  return SPARES.map(made).find((candidate) => !taken.has(candidate.toLowerCase())) ?? made();
}

/** Names that objects have on the server; some kinds have them in a field. */
const textsOf = (live: readonly LiveObject[]): ReadonlySet<string> =>
  new Set(
    live.flatMap(({ name, fields }) =>
      [name, fields.name, fields.full_name].flatMap((text) => (typeof text === "string" ? [text.toLowerCase()] : [])),
    ),
  );

/** One of each cycle, if possible one that needs no additional request. */
function asideIn(moves: readonly Move[], isTwice: (move: Move) => boolean): readonly Move[] {
  const byName = new Map(moves.map((move) => [move.from, move]));
  return nameCycles(new Map(moves.map(({ from, to }) => [from, to]))).flatMap((names) => {
    const cycle = names.flatMap((name) => byName.get(name) ?? []);
    return cycle.find(isTwice) ?? cycle[0] ?? [];
  });
}

/**
 * Finds cycles of names: each object takes the name that the next one frees, and the last that of the first.
 * @param moves the name that an object frees → the name that it takes
 * @returns each cycle as the freed names, in the order in which they are taken; every name is in at most one cycle
 */
export function nameCycles(moves: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const seen = new Set<string>();
  for (const start of moves.keys()) {
    const path: string[] = [];
    let name = start;
    for (let next = moves.get(name); next !== undefined && !seen.has(name); next = moves.get(name)) {
      seen.add(name);
      path.push(name);
      name = next;
    }
    const closed = path.indexOf(name);
    if (closed >= 0) cycles.push(path.slice(closed));
  }
  return cycles;
}

type Known = Pick<PlanContext, "realm" | "whole">;

/**
 * Which objects of any kind name which others, before and after a plan; objects of sections that are not in the file count, too.
 * @returns the fields that name an object, in the order of the kinds and of their objects
 */
function namingsIn(sections: readonly Section[], known: Known): (named: Pair) => readonly Naming[] {
  const kinds = new Map(sections.map(({ kind }) => [kind.name, kind]));
  const keyIn = (kind: string, name = "", id?: number): string => {
    const target = kinds.get(kind);
    return id === undefined ? `${kind}:${target === undefined ? name : keyOf(target, name)}` : `${kind} ${id}`;
  };
  const found = new Map<string, Naming[]>();
  for (const section of sections)
    for (const [{ kind, name, id }, naming] of ownNamings(section, known)) {
      const key = keyIn(kind, name, id);
      addTo(found, key, naming);
    }
  return ({ kind, change, live }) => [
    ...(found.get(keyIn(kind, change?.name ?? live?.name)) ?? []),
    ...(found.get(keyIn(kind, undefined, live?.id ?? Number.NaN)) ?? []),
  ];
}

function* ownNamings(section: Section, { realm, whole }: Known): Iterable<readonly [named: Named, naming: Naming]> {
  const { kind, isManaged, pairs, live: all } = section;
  const undeclared = all.map((live): Pair => ({ kind: kind.name, address: `${kind.name}:${live.name}`, live }));
  for (const pair of isManaged ? pairs : undeclared) {
    const { live, change, address } = pair;
    const now = namesOf(kind, pair, realm, "now");
    // An object that is removed keeps its values until then.
    const next = change === undefined || change.action === "remove" ? now : namesOf(kind, pair, realm, "next");
    const wasInactive = live?.inactive === true;
    const isInactive =
      change === undefined ? wasInactive : isRemoval(change) || (wasInactive && !isReactivation(change));
    const ending = kind.inactivity === undefined ? removed(address) : inactive(address);
    const by = kind.shape === "singleton" ? undefined : { address, name: change?.name ?? live?.name ?? "" };
    for (const [key, named] of new Map([...now, ...next])) {
      const [isNow, isNext] = [now.has(key), next.has(key)];
      const end = isNext ? [ending] : whole(address);
      yield [named, { field: named.field, by, isNow, isNext, change, wasInactive, isInactive, end }];
    }
  }
}

type Names = ReadonlyMap<string, Named>;

const byText = (named: readonly Named[]): Names =>
  new Map(named.filter(({ isUse }) => isUse !== false).map((each) => [JSON.stringify(each), each]));

/** @param is whether the object is as it is now, or as the plan leaves it */
function namesOf(
  { file, live: facet }: ResourceKind,
  { live, change, declared }: Pair,
  realm: Realm,
  is: "now" | "next",
): Names {
  if (is === "now" && live === undefined) return new Map();
  const changed = is === "now" ? [] : (change?.fields ?? []).map(({ field, after }) => [field, after] as const);
  const object = {
    name: (is === "now" ? undefined : change?.name) ?? live?.name ?? "",
    fields: overlaid(live?.fields ?? {}, Object.fromEntries(changed)),
    absent: false,
    ...defined({ creation: live === undefined ? declared?.creation : undefined }),
  };
  return byText([...namedIn(file, object), ...(live === undefined ? [] : (facet.otherNames?.(live, realm) ?? []))]);
}

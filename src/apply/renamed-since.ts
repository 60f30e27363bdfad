import { kindOf, nameIn } from "../model/address.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import { withNames } from "../model/named-in.ts";
import type { Address, Change, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { NOWHERE, spansIn } from "../model/span.ts";
import type { LiveObjects } from "./goals.ts";
import { type FoundJournal, startOf } from "./journal.ts";

/** Address → id. */
type IdsOfNames = { readonly [address: Address]: number };

/**
 * The objects that values of a plan name, and that the plan neither creates nor changes: only by its id is an object found again after somebody
 * renamed it.
 */
export function idsOfNames({ changes }: Plan, kinds: readonly ResourceKind[], objects: LiveObjects): IdsOfNames {
  const own = new Set(changes.map(({ address }) => address));
  const known = new Set(kinds.map(({ name }) => name));
  const ids: { [address: Address]: number } = {};
  const note = (kind: string, name: string): string => {
    const address: Address = `${kind}:${name}`;
    const id = own.has(address) || !known.has(kind) ? undefined : objects.find(address)?.id;
    if (typeof id === "number") ids[address] = id;
    return name;
  };
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  for (const { kind, name, fields } of changes) {
    const { file } = byName.get(kind) ?? {};
    if (file === undefined) continue;
    for (const { field, before, after } of fields)
      for (const value of [before, after])
        withNames(
          file,
          { key: name, name, absent: false, fields: { [field]: value }, at: NOWHERE, spans: spansIn({}) },
          note,
        );
  }
  return ids;
}

/** The ids of objects that a run created, as its journals say; what the first one says counts. */
export function idsOfCreated({ changes }: Plan, journals: readonly FoundJournal[]): ReadonlyMap<Address, number> {
  const created = changes.filter(({ action }) => action === "create").map(({ address }) => address);
  const learned = journals
    .flatMap(({ entries }) => entries)
    .flatMap((one) => (one.entry === "learned" ? [one.ids] : []));
  return new Map(
    created.flatMap((address) => {
      const id = learned.find((ids) => ids[address] !== undefined)?.[address];
      return id === undefined ? [] : [[address, id] as const];
    }),
  );
}

/**
 * Objects whose names on the server are not those that the plan of a run has for them, as renames to the plan's names: what somebody renamed since, and
 * what has a name now that was another object's. With these names, a value means the same object in the plan and in the reading.
 */
export function renamedSince(
  plan: Plan,
  journals: readonly FoundJournal[],
  kinds: readonly ResourceKind[],
  snapshot: Snapshot,
): readonly Change[] {
  const known = namesInPlan(plan, journals);
  const created = new Set(plan.changes.flatMap(({ action, address }) => (action === "create" ? [address] : [])));
  const realm = new Realm(snapshot);
  return kinds.flatMap((kind) => {
    const names = known.get(kind.name);
    if (names === undefined) return [];
    const taken = new Set(names.values());
    return (liveObjects(kind, realm) ?? []).flatMap(({ id, name: was }): readonly Change[] => {
      if (id === null) return [];
      const isOther = !names.has(id) && taken.has(was) && !created.has(`${kind.name}:${was}`);
      const name = names.get(id) ?? (isOther ? `${was} (id ${id})` : was);
      const address: Address = `${kind.name}:${name}`;
      return name === was ? [] : [{ action: "update", kind: kind.name, address, id, was, name, fields: [], risks: [] }];
    });
  });
}

/** Kind → id → the name that an object has in the values of the plan. */
function namesInPlan(plan: Plan, journals: readonly FoundJournal[]): ReadonlyMap<string, ReadonlyMap<number, string>> {
  const names = new Map<string, Map<number, string>>();
  const add = (kind: string, id: number, name: string): void => {
    const known = names.get(kind) ?? new Map<number, string>();
    if (!known.has(id)) names.set(kind, known.set(id, name));
  };
  for (const { kind, id, name } of plan.changes) if (id !== undefined) add(kind, id, name);
  const byAddress = journals.flatMap((journal) => Object.entries(startOf(journal)?.names ?? {}));
  for (const [address, id] of [...idsOfCreated(plan, journals), ...byAddress])
    add(kindOf(address), id, nameIn(address));
  return names;
}

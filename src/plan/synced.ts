import type { ListPart } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Named as NamedObject, namedOf } from "../model/facts.ts";
import { canonicalName, keyOf, type ResourceKind } from "../model/kind.ts";
import { namedIn } from "../model/named-in.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Address, Plan } from "../model/plan.ts";
import type { GuardPolicy, SyncPart } from "../model/policy.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { SyncedList, WaitingList } from "../model/sync.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { realmsOf } from "./sections.ts";

/*
 * The part of a file that `sync` keeps: as with `--only`, it is the plan of a smaller file, so risks, guards, order and the check at the end are those of
 * every plan (docs/internals/decisions/0030-a-part-is-the-plan-of-a-smaller-file.md). This smaller file has only objects that exist, by the names that they
 * have on the server, and of them only the fields that the policy names. Nothing in it is created, renamed, archived or removed.
 */

export interface SyncedPart {
  readonly desired: Desired;
  readonly lists: readonly SyncedList[];
  readonly waiting: readonly WaitingList[];
}

/** @returns the patterns of `sync`, one list for each policy that has some; undefined: no policy says what `sync` keeps */
export function syncOf(policies: readonly GuardPolicy[]): readonly (readonly SyncPart[])[] | undefined {
  const named = policies.flatMap(({ sync }) => (sync === undefined ? [] : [sync]));
  return named.some((parts) => parts.length > 0) ? named : undefined;
}

/** By the address of an object and the field of a list: what of the list's difference is not planned now. */
export type Waits = ReadonlyMap<Address, { readonly [field: string]: ReadonlySet<ListPart> }>;

/**
 * @param policies a list is kept if each of them names it
 * @param waits of lists that are kept: what guard rails hold back
 */
export function syncedPart(
  desired: Desired,
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
  policies: readonly (readonly SyncPart[])[],
  waits: Waits = new Map(),
): SyncedPart {
  const now = new Names(desired, snapshot, kinds);
  const seenRealm = new Realm(snapshot);
  const lists: SyncedList[] = [];
  const waiting: WaitingList[] = [];
  const sections = new Map<string, readonly DeclaredObject[]>();
  const kept = new Map<Address, ReadonlySet<string>>();
  for (const kind of kinds) {
    const objects = (desired.sections.get(kind.section) ?? []).flatMap((declared): DeclaredObject | readonly [] => {
      // By its old name alone, it may be another object: somebody renamed the one that was meant, and made a new one.
      const live = now.asFileHas(kind, declared);
      const named = fieldsNamed(kind, declared, policies);
      const address: Address = `${kind.name}:${live?.name ?? canonicalName(kind, declared.name)}`;
      const fields = named.filter((field) => {
        const list = { object: { address, name: live?.name ?? declared.name }, field };
        const other = live === undefined ? undefined : now.notYet(kind, only(declared, [field], live));
        const mayBeUnseen =
          live === undefined &&
          !now.isThere(declared) &&
          kind.shape !== "singleton" &&
          kind.live.unseen?.(seenRealm) !== undefined;
        if (live === undefined || other !== undefined)
          waiting.push({ ...list, ...defined({ for: other, mayBeUnseen: mayBeUnseen || undefined }) });
        else lists.push(list);
        return live !== undefined && other === undefined;
      });
      if (live === undefined || fields.length === 0) return [];
      kept.set(address, new Set(fields));
      return { ...only(declared, fields, live), ...defined({ waits: waits.get(address) }) };
    });
    if (objects.length > 0) sections.set(kind.section, objects);
  }
  const { realm, policy, errorsAlone } = desired;
  const manage = Object.fromEntries([...sections.keys()].map((section) => [section, "additive" as const]));
  const warnings = desired.warnings.filter(({ unresolved }) => {
    const own = unresolved?.in === undefined ? undefined : kept.get(unresolved.in.address);
    return own !== undefined && (unresolved?.field === undefined || own.has(unresolved.field));
  });
  return {
    desired: { ...defined({ realm, policy, errorsAlone }), manage, sections, warnings },
    lists,
    waiting,
  };
}

/** Every list of the file that each policy names. */
export function keptLists(
  desired: Desired,
  kinds: readonly ResourceKind[],
  policies: readonly (readonly SyncPart[])[],
) {
  return kinds.flatMap((kind) =>
    (desired.sections.get(kind.section) ?? []).flatMap((declared) =>
      fieldsNamed(kind, declared, policies).map((field) => ({ kind: kind.name, declared, field })),
    ),
  );
}

/** The patterns that name no list of the file: most likely a wrong name. A list that names something unknown is one, too. */
export function idleParts(
  desired: Desired,
  kinds: readonly ResourceKind[],
  policies: readonly (readonly SyncPart[])[],
): readonly SyncPart[] {
  const isOf = (part: SyncPart) => (kind: ResourceKind) =>
    (desired.sections.get(kind.section) ?? []).some(
      (declared) =>
        fieldsNamed(kind, declared, [[part]]).length > 0 ||
        (declared.gaps?.some(({ field }) => field === "" || field === part.field) === true &&
          isNamed(kind, declared, part.field)(part)),
    );
  return policies.flat().filter((part) => !kinds.some(isOf(part)));
}

const isNamed =
  (kind: ResourceKind, declared: DeclaredObject, field: string) =>
  (part: SyncPart): boolean =>
    part.section === kind.section &&
    part.field === field &&
    matchesWildcard(keyOf(kind, part.name), keyOf(kind, declared.name));

/** The fields of an object that the file has and every policy names. */
function fieldsNamed(
  kind: ResourceKind,
  declared: DeclaredObject,
  policies: readonly (readonly SyncPart[])[],
): readonly string[] {
  if (declared.absent || declared.isLeft === true) return [];
  return Object.keys(kind.file.fields).filter(
    (field) =>
      kind.file.fields[field]?.syncedBy !== undefined &&
      (Object.hasOwn(declared.fields, field) || Object.hasOwn(declared.creation ?? {}, field)) &&
      policies.every((parts) => parts.some(isNamed(kind, declared, field))),
  );
}

/** The object with these fields alone, as it is called on the server. */
function only(declared: DeclaredObject, fields: readonly string[], { key, name, id }: LiveObject): DeclaredObject {
  const picked = <T>(values: { readonly [field: string]: T } = {}): { readonly [field: string]: T } =>
    Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)));
  const { at, spans, gaps = [], creation, partial } = declared;
  const own = gaps.filter(({ field }) => field === "" || fields.includes(field));
  return {
    ...{ key, name, absent: false, at, spans, fields: picked(declared.fields) },
    ...defined({
      id: id ?? undefined,
      creation: creation && picked(creation),
      partial: partial && picked(partial),
      gaps: own.length === 0 ? undefined : own,
    }),
  };
}

/** What the objects of the file are on the server today. */
class Names {
  private readonly matched: ReadonlyMap<DeclaredObject, LiveObject>;
  private readonly unsure: ReadonlySet<DeclaredObject>;
  private readonly declared = new Map<string, DeclaredObject>();
  private readonly kinds: ReadonlyMap<string, ResourceKind>;

  constructor(desired: Desired, snapshot: Snapshot, kinds: readonly ResourceKind[]) {
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    const { matchings } = realmsOf(desired, snapshot, kinds);
    this.matched = new Map([...matchings.values()].flatMap(({ liveOf }) => [...liveOf]));
    this.unsure = new Set([...matchings.values()].flatMap(({ unsure = [] }) => [...unsure]));
    for (const kind of kinds)
      for (const object of desired.sections.get(kind.section) ?? [])
        this.declared.set(`${kind.name}\n${object.key}`, object);
  }

  /** Whether the server has it, in use or not. */
  isThere(declared: DeclaredObject): boolean {
    return this.matched.has(declared);
  }

  /** The object on the server, if it is in use there, and it is known which one it is. */
  liveOf(declared: DeclaredObject): LiveObject | undefined {
    if (this.unsure.has(declared)) return undefined;
    const live = this.matched.get(declared);
    return live?.inactive === true ? undefined : live;
  }

  /** The object in use that has the name or the id of its entry. */
  asFileHas(kind: ResourceKind, declared: DeclaredObject): LiveObject | undefined {
    const live = this.liveOf(declared);
    const isSame = live?.name === canonicalName(kind, declared.name) || live?.key === declared.key;
    return isSame || declared.id !== undefined ? live : undefined;
  }

  /** The first object that it names and that the server does not have under this name. */
  notYet(kind: ResourceKind, object: DeclaredObject): NamedObject | undefined {
    for (const { kind: other, name } of namedIn(kind.file, object)) {
      const of = this.kinds.get(other);
      if (name === undefined || of === undefined) continue;
      const own = this.declared.get(`${other}\n${keyOf(of, name)}`);
      // What the file does not declare was looked up on the server when the file was read.
      if (own === undefined) continue;
      const live = this.liveOf(own);
      if (live === undefined || live.name !== canonicalName(of, own.name))
        return namedOf({ address: `${other}:${own.name}`, name: own.name });
    }
    return undefined;
  }
}

/** The operations that a plan of lists may have: those that change the fields of its own changes, and nothing else. */
export function allowedOperations(
  lists: readonly Pick<SyncedList, "field">[],
  kinds: readonly ResourceKind[],
): ReadonlySet<string> {
  const fields = new Set(lists.map(({ field }) => field));
  return new Set(
    kinds.flatMap(({ file }) =>
      Object.entries(file.fields).flatMap(([field, { syncedBy = [] }]) => (fields.has(field) ? syncedBy : [])),
    ),
  );
}

/** Requests and changes of a plan that are about anything else than these lists: there are none, unless realmctl has an error. */
export function beyondLists(
  plan: Pick<Plan, "changes" | "calls">,
  lists: readonly SyncedList[],
  kinds: readonly ResourceKind[],
): readonly string[] {
  const known = new Set(lists.map(({ object, field }) => `${object.address}\n${field}`));
  const operations = allowedOperations(lists, kinds);
  const isKnown = (address: Address) => (field: string) => known.has(`${address}\n${field}`);
  return [
    ...plan.changes
      .filter(({ action, address, fields }) => {
        const named = fields.map(({ field }) => field);
        return action !== "update" || !named.every(isKnown(address));
      })
      .map(({ address }) => address),
    ...plan.calls
      .filter(
        ({ operation, for: purposes }) =>
          !operations.has(operation) || !purposes.every(({ address, fields }) => fields.every(isKnown(address))),
      )
      .map(({ operation }) => operation),
  ];
}

import { type Quoted, quote } from "../model/diagnostics/values.ts";
import { ACCOUNT } from "../model/facets.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import { liveObjects, type ResourceKind, secrecyOf } from "../model/kind.ts";
import { withNames } from "../model/named-in.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { UndoFact, UndoNote } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { textsIn, withoutTexts } from "../model/texts.ts";
import type { LiveObjects } from "./goals.ts";

/*
 * The values that an undo restores name what was there before the run. What is not there any more is left out, and told.
 */

type Sections = ReadonlyMap<string, readonly DeclaredObject[]>;

interface Restored {
  readonly sections: Sections;
  readonly notes: readonly UndoNote[];
}

/** @param restore what is restored of a value (nothing: the field stays as it is), and a note if it is not all */
function restoredWith(
  sections: Sections,
  kinds: readonly ResourceKind[],
  restore: (
    kind: ResourceKind,
    object: DeclaredObject,
    field: string,
    value: Json,
  ) => { readonly value?: Json | undefined; readonly fact?: UndoFact },
): Restored {
  const notes: UndoNote[] = [];
  const restored = new Map(sections);
  for (const kind of kinds) {
    const objects = sections.get(kind.section)?.map((object) => {
      const fields = Object.entries(object.fields).flatMap(([field, before]): readonly (readonly [string, Json])[] => {
        const { value, fact } = restore(kind, object, field, before);
        if (fact !== undefined) notes.push({ kind: kind.name, name: object.name, fact });
        return value === undefined ? [] : [[field, value]];
      });
      return { ...object, fields: Object.fromEntries(fields) };
    });
    if (objects !== undefined) restored.set(kind.section, objects);
  }
  return { sections: restored, notes };
}

/** An archived object that shares its name with another is shown with its id: `North (archived, id 2)`. */
const ARCHIVED = / \(archived, id \d+\)$/;

/**
 * The restored values of an undo, without fields whose earlier value names something that no longer exists: somebody renamed or deleted it since, and
 * the name is ambiguous now; or somebody whom the account that undoes does not see.
 */
export function withoutMissing(sections: Sections, snapshot: Snapshot, kinds: readonly ResourceKind[]): Restored {
  const known = namesOf(sections, snapshot, kinds);
  const realm = new Realm(snapshot);
  const namesIn = (isAccount: boolean) =>
    new Set(
      kinds.flatMap((kind) => ((kind.isAccount === true) === isAccount ? [...(known.get(kind.name) ?? [])] : [])),
    );
  const account = kinds.find(({ isAccount }) => isAccount)?.name;
  const named = { accounts: namesIn(true), groups: namesIn(false), account };
  return restoredWith(sections, kinds, (kind, object, field, value) => {
    const missing =
      missingIn(kind, { ...object, fields: { [field]: value } }, known) ??
      (secrecyOf(kind, field) === "groups" ? unseenIn(value, realm, named) : undefined);
    return missing === undefined ? { value } : { fact: { why: "name-missing", field, name: missing } };
  });
}

/** The first name that an object's fields mention and no object has. */
function missingIn(
  kind: ResourceKind,
  object: DeclaredObject,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): Quoted | undefined {
  let missing: Quoted | undefined;
  // The object's own name (a default channel has the name of its channel) is handled elsewhere.
  withNames(kind.file, object, (other, name) => {
    const bare = name.replace(ARCHIVED, "");
    if (bare !== object.name && known.get(other)?.has(bare) === false) missing ??= quote(name, other);
    return name;
  });
  return missing;
}

/** The first person of a value whose address the reading does not have: it changed since, or this account does not see it. */
function unseenIn(
  value: Json,
  realm: Realm,
  {
    accounts,
    groups,
    account,
  }: {
    readonly accounts: ReadonlySet<string>;
    readonly groups: ReadonlySet<string>;
    /** The kind whose objects have addresses. */
    readonly account: string | undefined;
  },
): Quoted | undefined {
  // A bot that the undo renames has its earlier address afterwards.
  const isBack = (address: string): boolean => accounts.has(address.slice(0, address.lastIndexOf("@")));
  const isGroup = (text: string): boolean => !text.includes("@") || groups.has(text);
  const unseen = textsIn(value).find(
    (text) => !isGroup(text) && !isBack(text) && realm.userByEmail(text) === undefined,
  );
  return unseen === undefined ? undefined : quote(unseen, account);
}

function namesOf(sections: Sections, snapshot: Snapshot, kinds: readonly ResourceKind[]): Map<string, Set<string>> {
  const realm = new Realm(snapshot);
  const names = new Map<string, Set<string>>();
  for (const kind of kinds) {
    const live = liveObjects(kind, realm);
    if (live === undefined) continue;
    const own = (sections.get(kind.section) ?? []).filter(({ absent }) => !absent);
    const others = kind.identity?.undeclarable?.(snapshot) ?? [];
    names.set(kind.name, new Set([...live, ...own, ...others].map(({ name }) => name)));
  }
  return names;
}

/**
 * The restored values of an undo, without people and bots that are deactivated and that the undo does not reactivate: the server does not accept
 * deactivated accounts in a value. A list is restored without them; a field that has only such accounts stays as it is: a permission for nobody is
 * not the earlier value.
 */
export function withoutInactive(sections: Sections, snapshot: Snapshot, kinds: readonly ResourceKind[]): Restored {
  const inactive = inactiveNames(sections, snapshot, kinds);
  if (inactive.size === 0) return { sections, notes: [] };
  return restoredWith(sections, kinds, (kind, _, field, value) => {
    // Only if the value consists of people: a description that looks like an address is not a person.
    const names = secrecyOf(kind, field) === "groups" ? textsIn(value).filter((text) => inactive.has(text)) : [];
    if (names.length === 0) return { value };
    const others = withoutTexts(value, inactive);
    const rest = namesNobody(others) ? undefined : others;
    const people = names.map((name) => quote(name));
    return { value: rest, fact: { why: "account-inactive", field, people, kept: rest !== undefined } };
  });
}

/** Whether a permission has neither groups nor people left. */
const namesNobody = (value: Json | undefined): boolean =>
  isObject(value) && Object.values(value).every((part) => isList(part) && part.length === 0);

/** The names of accounts that are deactivated after the undo. The undo sets no value that names them. */
function inactiveNames(sections: Sections, snapshot: Snapshot, kinds: readonly ResourceKind[]): Set<string> {
  const to = new Map<number, Json>();
  for (const { section, isAccount } of kinds) {
    if (isAccount !== true) continue;
    for (const { id, fields } of sections.get(section) ?? [])
      if (id !== undefined && fields.deactivated !== undefined) to.set(id, fields.deactivated);
  }
  const realm = new Realm(snapshot);
  return new Set(
    snapshot.users
      .filter(({ is_active, user_id }) => (to.get(user_id) ?? !is_active) === true)
      .map(({ user_id }) => realm.userName(user_id)),
  );
}

/** The plan uses the names that objects were to get; the declarations of an undo use the names that they will have. */
export function namedAsBefore(
  sections: ReadonlyMap<string, readonly DeclaredObject[]>,
  changes: readonly Change[],
  objects: LiveObjects,
  kinds: readonly ResourceKind[],
): ReadonlyMap<string, readonly DeclaredObject[]> {
  const names = new Map<string, string>();
  const accounts = new Map<string, Map<number, string>>();
  for (const { kind: name, address, id, was, name: planned } of changes) {
    const kind = kinds.find((candidate) => candidate.name === name);
    if (was === undefined || id === undefined || kind === undefined) continue;
    const declared = sections.get(kind.section)?.find((object) => object.id === id);
    const now = declared?.name ?? objects.find(address, id)?.name ?? planned;
    names.set(`${name}\n${planned}`, now);
    if (kind.isAccount === true) accounts.set(name, (accounts.get(name) ?? new Map()).set(id, now));
  }
  for (const [planned, now] of objects.accountNames(accounts)) names.set(`${ACCOUNT}\n${planned}`, now);
  if (names.size === 0) return sections;
  const nameOf = (kind: string, name: string): string => names.get(`${kind}\n${name}`) ?? name;
  const renamed = new Map(sections);
  for (const { section, file } of kinds) {
    const declared = sections.get(section);
    if (declared === undefined) continue;
    renamed.set(
      section,
      declared.map((object) => withNames(file, object, nameOf)),
    );
  }
  return renamed;
}

import { type Quoted, quote } from "../model/diagnostics/values.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import { type ResourceKind, secrecyOf } from "../model/kind.ts";
import type { DeclaredObject } from "../model/objects.ts";
import { Realm } from "../model/realm.ts";
import type { UndoNote } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";

type Sections = ReadonlyMap<string, readonly DeclaredObject[]>;

/**
 * The restored values of an undo, without people and bots that are deactivated and that the undo does not reactivate: the server does not accept
 * deactivated accounts in a value. A list is restored without them; a field that has only such accounts stays as it is: a permission for nobody is
 * not the earlier value.
 */
export function withoutInactive(
  sections: Sections,
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
): { readonly sections: Map<string, readonly DeclaredObject[]>; readonly notes: readonly UndoNote[] } {
  const inactive = inactiveNames(sections, snapshot, kinds);
  const notes: UndoNote[] = [];
  const whole = new Map<string, readonly DeclaredObject[]>(sections);
  if (inactive.size === 0) return { sections: whole, notes };
  for (const kind of kinds) {
    const declared = sections.get(kind.section);
    if (declared === undefined) continue;
    const kept = declared.map((object) => {
      const fields = Object.entries(object.fields).flatMap(([field, value]): [string, Json][] => {
        // Only if the value consists of people: a description that looks like an address is not a person.
        if (secrecyOf(kind, field) !== "groups") return [[field, value]];
        const found: Quoted[] = [];
        const others = withoutNames(value, inactive, found);
        if (found.length === 0) return [[field, value]];
        const rest = namesNobody(others) ? undefined : others;
        const fact = { why: "account-inactive", field, people: found, kept: rest !== undefined } as const;
        notes.push({ kind: kind.name, name: object.name, fact });
        return rest === undefined ? [] : [[field, rest]];
      });
      return { ...object, fields: Object.fromEntries(fields) };
    });
    whole.set(kind.section, kept);
  }
  return { sections: whole, notes };
}

/** Whether a permission has neither groups nor people left. */
const namesNobody = (value: Json | undefined): boolean =>
  isObject(value) && Object.values(value).every((part) => isList(part) && part.length === 0);

/** The value without these names; undefined if the value itself is one of them. */
function withoutNames(value: Json, names: ReadonlySet<string>, found: Quoted[]): Json | undefined {
  if (typeof value === "string") {
    if (!names.has(value)) return value;
    found.push(quote(value));
    return undefined;
  }
  if (isList(value)) return value.flatMap((item) => withoutNames(item, names, found) ?? []);
  if (!isObject(value)) return value;
  const parts: { [part: string]: Json } = {};
  for (const [part, own] of Object.entries(value)) {
    const rest = withoutNames(own, names, found);
    if (rest !== undefined) parts[part] = rest;
  }
  return parts;
}

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

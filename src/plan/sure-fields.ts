import type { Desired } from "../model/desired.ts";
import { isList, type Json, sameJson } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import { asGroupValue, groupValue, type Realm } from "../model/realm.ts";
import { byText, isAccountName, listed } from "../model/texts.ts";

// Most files have no name that does not resolve: it is loaded when it is called (scripts/on-call.mjs).

/**
 * For drift: the object with those of its permissions and lists that cannot be what the file says, whatever the names mean that do not resolve. Such a name
 * may be any account of the server's value, or any group that the file does not know, but no role, and each is one: what is there beyond that was added by
 * somebody. Otherwise a member who hides the address would hide, too, that the same permission was opened.
 */
export function withSureFields(
  object: DeclaredObject,
  live: LiveObject,
  input: { readonly desired: Desired; readonly kinds: readonly ResourceKind[]; readonly realm: Realm },
): DeclaredObject {
  const fields = { ...object.fields };
  const partial = { ...object.partial };
  for (const field of new Set(object.gaps?.map((gap) => gap.field))) {
    const said = partial[field] ?? fields[field];
    const now = live.fields[field];
    if (said === undefined || now === undefined) continue;
    const most = mostAlike(said, now, gapsIn(object, field, input.kinds), input);
    if (most === undefined || sameJson(most, now)) continue;
    fields[field] = most;
    partial[field] = said;
  }
  return { ...object, fields, partial };
}

interface Gaps {
  readonly accounts: number;
  readonly others: readonly ResourceKind[];
}

/** The names of the field that do not resolve and may still exist: how many accounts, and of which kind each other one is. */
function gapsIn({ gaps = [] }: DeclaredObject, field: string, kinds: readonly ResourceKind[]): Gaps {
  const open = gaps
    .filter((gap) => gap.field === field && !gap.isGone)
    .flatMap((gap) => kinds.find(({ name }) => name === gap.kind) ?? []);
  const others = open.filter(({ isAccount }) => isAccount !== true);
  return { accounts: open.length - others.length, others };
}

/** The value that the file can mean and that is most like the server's. */
function mostAlike(
  said: Json,
  now: Json,
  { accounts, others }: Gaps,
  { desired, realm }: Parameters<typeof withSureFields>[2],
): Json | undefined {
  const [own, there] = [partsOf(said), partsOf(now)];
  if (own === undefined || there === undefined || isList(said) !== isList(now)) return undefined;
  const declared = new Set(
    others.flatMap(({ section }) => (desired.sections.get(section) ?? []).map(({ name }) => name)),
  );
  const isHidden = (name: string): boolean => realm.user(realm.userId(name))?.delivery_email === null;
  const users = there.users.filter((name) => !own.users.includes(name));
  const groups = there.groups.filter(
    (name) => !own.groups.includes(name) && !name.startsWith("role:") && !declared.has(name),
  );
  const likely = [...users.filter(isHidden), ...users.filter((name) => !isHidden(name))];
  const all = {
    groups: [...own.groups, ...groups.slice(0, others.length)],
    users: [...own.users, ...likely.slice(0, accounts)],
  };
  if (isList(said)) return [...all.groups, ...all.users].sort(byText);
  const value = groupValue(all.groups, all.users);
  return typeof value === "string" ? value : { ...value };
}

/** The groups and accounts of a permission, or of a list. */
function partsOf(value: Json): { readonly groups: readonly string[]; readonly users: readonly string[] } | undefined {
  if (isList(value)) {
    const names = listed(value);
    return { groups: names.filter((name) => !isAccountName(name)), users: names.filter(isAccountName) };
  }
  const known = asGroupValue(value);
  if (typeof known !== "string") return known;
  return { groups: known === "role:nobody" ? [] : [known], users: [] };
}

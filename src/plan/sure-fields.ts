import type { Desired } from "../model/desired.ts";
import { sameJson } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import { asGroupValue, type GroupValue, groupValue, type Realm } from "../model/realm.ts";

// Most files have no name that does not resolve: it is loaded when it is called (scripts/on-call.mjs).

/**
 * For drift: the object with those of its permissions that cannot be what the file says, whatever the names mean that do not resolve. A name that is no
 * longer known may be any account of the server's value, or any group that the file does not know, but no role, and each is one: what is there beyond that
 * was added by somebody. Otherwise a member who hides the address would hide, too, that the same permission was opened.
 */
export function withSureFields(
  object: DeclaredObject,
  live: LiveObject,
  input: { readonly desired: Desired; readonly kinds: readonly ResourceKind[]; readonly realm: Realm },
): DeclaredObject {
  const fields = { ...object.fields };
  for (const [field, partial] of Object.entries(object.partial ?? {})) {
    const known = asGroupValue(partial);
    const now = asGroupValue(live.fields[field] ?? null);
    if (known === undefined || now === undefined) continue;
    const most = mostAlike(known, now, gapsIn(object, field, input.kinds), input);
    if (!sameJson(most, now)) fields[field] = most;
  }
  return { ...object, fields };
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
  known: GroupValue,
  now: GroupValue,
  { accounts, others }: Gaps,
  { desired, realm }: Parameters<typeof withSureFields>[2],
): GroupValue {
  const [own, there] = [partsOf(known), partsOf(now)];
  const declared = new Set(
    others.flatMap(({ section }) => (desired.sections.get(section) ?? []).map(({ name }) => name)),
  );
  const isHidden = (name: string): boolean => realm.user(realm.userId(name))?.delivery_email === null;
  const users = there.users.filter((name) => !own.users.includes(name));
  const groups = there.groups.filter(
    (name) => !own.groups.includes(name) && !name.startsWith("role:") && !declared.has(name),
  );
  const likely = [...users.filter(isHidden), ...users.filter((name) => !isHidden(name))];
  return groupValue([...own.groups, ...groups.slice(0, others.length)], [...own.users, ...likely.slice(0, accounts)]);
}

function partsOf(value: GroupValue): { readonly groups: readonly string[]; readonly users: readonly string[] } {
  if (typeof value !== "string") return value;
  return { groups: value === "role:nobody" ? [] : [value], users: [] };
}

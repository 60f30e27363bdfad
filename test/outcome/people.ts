import { rows } from "../../src/sandbox/rows/values.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { asFields, texts } from "./file.ts";
import { ascending, type Ref, type Rows } from "./seen.ts";

/** `ada@example.org`, or `{id: 17}`. */
export function personIn(state: RealmState, value: unknown): number {
  const { id } = asFields(value);
  if (typeof id === "number") return id;
  const address = String(value).trim().toLowerCase();
  const found = rows(state.users).find(
    ({ email, delivery_email }) => email.toLowerCase() === address || delivery_email.toLowerCase() === address,
  );
  if (found === undefined) throw new RangeError(`nobody has the address ${address}`);
  return found.user_id;
}

export function peopleIn(state: RealmState, value: unknown): readonly number[] {
  return Array.isArray(value) ? value.map((person: unknown) => personIn(state, person)) : [];
}

/** One group by name, or `{groups, users}`: nobody, and a single group, have a shorter form (zulip-api.md §3.7). */
export function whoIs(state: RealmState, value: unknown, group: (name: string) => Ref): unknown {
  if (value === null) return group("role:nobody");
  if (typeof value === "string") return group(value);
  const { groups, users } = asFields(value);
  const people = ascending(peopleIn(state, users));
  const named = ascending(texts(groups).map(group));
  if (people.length > 0 || named.length > 1) return { people, groups: named };
  return named[0] ?? group("role:nobody");
}

/** Everybody in these groups and in their subgroups. */
export function everybodyIn(groups: Rows, some: readonly Ref[]): readonly number[] {
  const seen = new Set<string>();
  const people = new Set<number>();
  const visit = (ref: unknown): void => {
    const group = groups[String(ref)];
    if (group === undefined || seen.has(String(ref))) return;
    seen.add(String(ref));
    if (Array.isArray(group.members)) for (const id of group.members) people.add(Number(id));
    if (Array.isArray(group.subgroups)) for (const inner of group.subgroups) visit(inner);
  };
  for (const ref of some) visit(ref);
  return [...people];
}

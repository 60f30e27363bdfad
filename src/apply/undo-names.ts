import { ACCOUNT } from "../model/facets.ts";
import type { ResourceKind } from "../model/kind.ts";
import { withNames } from "../model/named-in.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import type { LiveObjects } from "./goals.ts";

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

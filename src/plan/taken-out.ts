import type { Desired } from "../model/desired.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quoteAll } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Plan } from "../model/plan.ts";

/**
 * What an earlier version of the file lists and this one does not, although the server keeps it: whoever deletes an entry may expect that the object
 * goes, and whoever deletes a setting, that it gets its default. A warning for each section. Both plans are for one reading.
 */
export function takenOut(
  earlier: { readonly plan: Plan; readonly desired: Desired },
  now: Plan,
  kinds: readonly ResourceKind[],
): readonly Diagnostic[] {
  return kinds.flatMap((kind): readonly Diagnostic[] => {
    if (kind.isPartial === true) return peopleOut(kind, earlier, now);
    const names = kind.shape === "singleton" ? fieldsOut(kind, earlier, now) : objectsOut(kind, earlier.plan, now);
    if (names.length === 0) return [];
    const is = kind.shape === "singleton" ? ("fields" as const) : ("objects" as const);
    const of = kind.shape === "singleton" ? undefined : kind.name;
    return [warning("plan/taken-out", { section: kind.section, is, names: quoteAll(names, of) })];
  });
}

function objectsOut({ name: kind, section }: ResourceKind, earlier: Plan, now: Plan): readonly string[] {
  const left = now.unmanaged.find((item) => item.section === section);
  if (left === undefined || left.policy === "ignore") return [];
  // What the earlier version would remove, it did not list either.
  const unlisted = new Set([
    ...unmanagedIn(earlier, section),
    ...earlier.changes.flatMap((change) => (change.kind === kind && change.undeclared ? [change.name] : [])),
  ]);
  return left.names.filter((name) => !unlisted.has(name));
}

/** Of a section that never lists what it does not have: if it is gone as a whole, nobody watches any of its objects. */
function peopleOut(
  { name: kind, section }: ResourceKind,
  { desired }: { readonly desired: Desired },
  now: Plan,
): readonly Diagnostic[] {
  const isLeft = now.matches[section] !== undefined || now.changes.some((change) => change.kind === kind);
  if (isLeft || now.extra?.partial !== undefined) return [];
  const names = (desired.sections.get(section) ?? []).filter(({ absent }) => !absent).map(({ name }) => name);
  return names.length === 0 ? [] : [warning("plan/taken-out", { section, is: "fields", names: quoteAll(names, kind) })];
}

/** Of a singleton: no policy removes a field that the section leaves out. */
function fieldsOut(
  { section }: ResourceKind,
  { plan, desired }: { readonly plan: Plan; readonly desired: Desired },
  now: Plan,
): readonly string[] {
  const left = now.unmanaged.find((item) => item.section === section);
  if (left?.policy === "ignore") return [];
  const listed = desired.sections.get(section)?.flatMap(({ fields }) => Object.keys(fields)) ?? [];
  // The whole section is gone; a plan of a part does not have the others.
  if (left === undefined && now.matches[section] === undefined) return now.extra?.partial === undefined ? listed : [];
  const unlisted = new Set(unmanagedIn(plan, section));
  return (left?.names ?? []).filter((name) => !unlisted.has(name));
}

const unmanagedIn = ({ unmanaged }: Plan, section: string): readonly string[] =>
  unmanaged.flatMap((item) => (item.section === section ? item.names : []));

import type { Desired } from "../model/desired.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quote, quoteAll } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import { type DeclaredObject, keepKey, type LiveObject } from "../model/objects.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { compareSections, realmsOf, type Section } from "./sections.ts";
import { isLeaving } from "./unset.ts";

/**
 * What an earlier version of the file watches and this one does not, although the server keeps it: whoever deletes an entry may expect that the object
 * goes, and whoever deletes a line, that something gets its default. Both versions are compared with one reading, as drift would compare them. Warnings for
 * each section.
 */
export function takenOut(
  earlier: Desired,
  now: Desired,
  {
    snapshot,
    kinds,
    partial,
  }: { readonly snapshot: Snapshot; readonly kinds: readonly ResourceKind[]; readonly partial: Plan | undefined },
): readonly Diagnostic[] {
  const compared = (desired: Desired): ReadonlyMap<ResourceKind, Section> => {
    const sections = compareSections(desired, kinds, realmsOf(desired, snapshot, kinds), undefined, true);
    return new Map(sections.map((section) => [section.kind, section]));
  };
  const [was, is] = [compared(earlier), compared(now)];
  const isAnyRealm = earlier.realm !== undefined && now.realm === undefined && partial === undefined;
  const ofRealm = isAnyRealm ? [warning("plan/taken-out", { section: "realm", is: "realm" })] : [];
  const ofKinds = kinds.flatMap((kind) => {
    const [before, after] = [was.get(kind), is.get(kind)];
    // A plan of a part does not have the others.
    const isAsked = partial === undefined || partial.matches[kind.section] !== undefined;
    if (before === undefined || after === undefined || !isAsked) return [];
    const isOpened = earlier.manage[kind.section] === "exact" && now.manage[kind.section] !== "exact";
    // Also if this version leaves the section, or the object, aside: from then on nothing watches it.
    const own = ofSection(kind, before, after);
    // The entries of a section that is gone tell of it, if it had some.
    const bySection = isOpened && kind.shape !== "singleton" && (after.isManaged || own.length === 0);
    const { section } = kind;
    if (bySection) return [...own, warning("plan/taken-out", { section, is: "policy" })];
    const excepted = quoteAll(newlyLeftOut(section, earlier, now));
    const absent = quoteAll(mayComeBack(before, now), kind.name);
    return [
      ...own,
      ...(excepted.length === 0 ? [] : [warning("plan/taken-out", { section, is: "except", names: excepted })]),
      ...(absent.length === 0 ? [] : [warning("plan/taken-out", { section, is: "absent", names: absent })]),
    ];
  });
  return [...ofRealm, ...ofKinds];
}

/** What the earlier version removes, is not there, and is no difference any more if somebody makes it. */
function mayComeBack({ kind: { section }, pairs }: Section, now: Desired): readonly string[] {
  if (now.manage[section] === "exact") return [];
  const kept = new Set(now.sections.get(section)?.map(({ key }) => key));
  return pairs.flatMap(({ declared, live }) =>
    declared?.absent === true && live === undefined && !kept.has(declared.key) ? [declared.name] : [],
  );
}

/** Patterns of an exact section that the earlier version did not have. */
function newlyLeftOut(section: string, earlier: Desired, now: Desired): readonly string[] {
  if (earlier.manage[section] !== "exact" || now.manage[section] !== "exact") return [];
  const before = new Set(earlier.except?.[section]);
  return (now.except?.[section] ?? []).filter((pattern) => !before.has(pattern));
}

function ofSection(kind: ResourceKind, before: Section, after: Section): readonly Diagnostic[] {
  const { section, shape, name: of } = kind;
  const isSingle = shape === "singleton";
  const entries = new Map(after.pairs.flatMap(({ live, ...pair }) => (live ? [[keepKey(of, live), pair]] : [])));
  const whole: { readonly [is in "objects" | "inactive"]: string[] } = { objects: [], inactive: [] };
  const parts: Part[] = [];
  for (const { declared, live } of before.pairs) {
    if (declared === undefined || live === undefined) continue;
    const entry = entries.get(keepKey(of, live));
    // What this version removes is no longer to be watched.
    if (entry?.declared === undefined && entry?.change !== undefined) continue;
    if (entry?.declared === undefined && !isSingle) whole[live.inactive ? "inactive" : "objects"].push(live.name);
    else if (isLeaving(kind, declared) || !isLeaving(kind, entry?.declared))
      parts.push(unwatched(kind, live, declared, entry?.declared));
  }
  const partly = parts.filter(({ fields, adds }) => fields.length + adds.length > 0);
  const fields = isSingle ? partly.flatMap((part) => part.fields) : [];
  return [
    // No section has all people: whoever is missing is no object that should go.
    ...(["objects", "inactive"] as const).flatMap((is) =>
      whole[is].length === 0
        ? []
        : [
            warning("plan/taken-out", {
              section,
              is: kind.isPartial === true ? "fields" : is,
              names: quoteAll(whole[is], of),
            }),
          ],
    ),
    ...(fields.length === 0 ? [] : [warning("plan/taken-out", { section, is: "fields", names: quoteAll(fields) })]),
    ...(isSingle || partly.length === 0
      ? []
      : [
          warning("plan/taken-out", {
            section,
            is: "parts",
            parts: partly.map(({ name, ...part }) => ({ ...part, name: quote(name, of) })),
          }),
        ]),
  ];
}

/** What an entry that stays in the file no longer watches of its object. */
interface Part {
  readonly name: string;
  readonly fields: readonly string[];
  /** Lists that only gain from now on. */
  readonly adds: readonly string[];
}

function unwatched(
  { inactivity }: ResourceKind,
  { name }: LiveObject,
  was: DeclaredObject,
  is: DeclaredObject | undefined,
): Part {
  const isWritten = (field: string): boolean =>
    [is?.fields, is?.creation].some((fields) => fields !== undefined && Object.hasOwn(fields, field)) ||
    is?.gaps?.some((gap) => gap.field === field) === true;
  const watched = Object.keys(was.fields).filter((field) => field !== inactivity?.field);
  const adds = (is?.adds ?? []).filter((field) => watched.includes(field) && was.adds?.includes(field) !== true);
  return { name, fields: watched.filter((field) => !isWritten(field)), adds };
}

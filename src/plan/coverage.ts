import type { Covered, NotCovered } from "../model/coverage.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { isList } from "../model/json.ts";
import { hasGap, type Pair } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import { asideIn } from "./left-aside.ts";
import type { Section } from "./sections.ts";
import { type FieldInUse, fieldsInUse } from "./unset.ts";

// Only `drift --coverage` asks for it: it is loaded when it is called (scripts/on-call.mjs).

/**
 * Every field of every object that the file could have, and why it is not compared: from the same walk over the compared sections that counts them ({@link
 * fieldsInUse}). Besides, what that walk does not count: fields that the reading does not have, objects that are archived, and what the account does not see.
 */
export function coverageOf(sections: readonly Section[], desired: Desired, realm: Realm): readonly Covered[] {
  const managed = new Set(sections.flatMap(({ kind, isManaged }) => (isManaged ? [kind.name] : [])));
  const open = new Set(
    (desired.unseen ?? []).flatMap(({ what, section, names }) =>
      what === undefined ? names.map(({ quoted }) => `${section}\n${quoted}`) : [],
    ),
  );
  const counted = [...fieldsInUse(sections, realm)].map((one): Covered => {
    const { kind, object, declared, field, isPermission, isWatched } = one;
    const isInPart = comparesInPart(one);
    const isOpen = kind.shape === "singleton" && open.has(`${kind.section}\n${field}`);
    const isAside = declared === undefined && asideIn(kind, desired)(object.name);
    const why = isOpen
      ? "names-unseen"
      : isAside
        ? "left-aside"
        : isWatched && !isInPart
          ? undefined
          : whyNot(one, managed.has(kind.name));
    return {
      section: kind.section,
      kind: kind.name,
      name: object.name,
      field,
      compared: isInPart ? "in-part" : isWatched ? "yes" : "no",
      ...defined({
        is_permission: isPermission || undefined,
        why,
        policy: why === "not-in-file" ? (desired.manage[kind.section] ?? "additive") : undefined,
        at: isWatched ? declared?.spans.of(field) : undefined,
      }),
    };
  });
  return [...counted, ...sections.flatMap((section) => uncounted(section, realm)), ...unseenRows(desired, sections)];
}

/** A list that only gains, or one with a name that may be somebody who is in it: whoever cannot be meant is still found (sure-fields.ts). */
function comparesInPart({ declared, object, field, isPermission }: FieldInUse): boolean {
  if (declared === undefined) return false;
  const isOfNames = isPermission || isList(object.fields[field] ?? null);
  return declared.adds?.includes(field) === true || (isOfNames && hasGap(declared, field));
}

function whyNot({ declared, field, isNewer }: FieldInUse, isManaged: boolean): NotCovered {
  if (isNewer) return "newer";
  if (declared === undefined) return isManaged ? "not-in-file" : "no-section";
  if (declared.isLeft === true) return "held";
  if (declared.adds?.includes(field) === true) return "only-adds";
  return declared.gaps?.some((gap) => gap.field === field) === true ? "unresolved" : "not-written";
}

/** Fields of declared objects that a reading does not have, and objects that are not in use. */
function uncounted({ kind, pairs, live, isManaged }: Section, realm: Realm): readonly Covered[] {
  const own = { section: kind.section, kind: kind.name, compared: "no" } as const;
  const declared = new Set(pairs.flatMap(({ declared: entry, live: found }) => (entry && found ? [found] : [])));
  const inactive = live.filter((object) => isManaged && object.inactive && !declared.has(object));
  return [
    ...pairs
      .flatMap((pair) => (pair.declared === undefined ? [] : missingFields(pair, kind, realm)))
      .map((one) => {
        return { ...own, ...one };
      }),
    ...inactive.map(({ name }) => ({ ...own, name, why: "inactive" as const })),
  ];
}

type MissingField = Pick<Covered, "name" | "field" | "why">;

function missingFields(
  { live }: Pair,
  { file, docs, inactivity }: Section["kind"],
  realm: Realm,
): readonly MissingField[] {
  if (live === undefined) return [];
  return Object.entries(file.fields).flatMap(([field, { level = 0, isOfSome }]): readonly MissingField[] => {
    if (field === inactivity?.field || Object.hasOwn(live.fields, field)) return [];
    if (level > realm.level) return [{ name: live.name, field, why: "too-old" as const }];
    if (isOfSome === true) return [];
    return [{ name: live.name, field, why: Object.hasOwn(docs.unseen ?? {}, field) ? "not-told" : "not-read" }];
  });
}

function unseenRows({ unseen = [] }: Desired, sections: readonly Section[]): readonly Covered[] {
  const kinds = new Map(sections.map(({ kind }) => [kind.section, kind]));
  return unseen.flatMap(({ what, section, names }) => {
    const kind = kinds.get(section);
    const own = { section, kind: kind?.name ?? section, compared: "no" } as const;
    const why = what ?? "names-unseen";
    // Settings are counted with the fields.
    return kind?.shape === "singleton" ? [] : names.map(({ quoted }) => ({ ...own, name: quoted, why }));
  });
}

import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import type { Span } from "../model/diagnostic.ts";
import { isOtherRight, type ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject, Pair } from "../model/objects.ts";
import type { Watch } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { spansIn } from "../model/span.ts";

/** Whether fields that the file leaves out have defaults to keep, and where `manage:` says so. For singletons, `exact` says it as well. */
export function unsetIn(kind: ResourceKind, desired: Desired): { readonly at: Span | undefined } | undefined {
  const { section, shape } = kind;
  const at = desired.unset?.[section];
  if (at !== undefined) return { at };
  return shape === "singleton" && desired.manage[section] === "exact" ? { at: desired.manageAt?.[section] } : undefined;
}

/**
 * If `manage:` says `unset: default`, fields that the file leaves out get the value of a new object, if the value is known and this server has the
 * field. Objects that the plan removes do not count, and new ones have their defaults anyway.
 */
export function withDefaults(
  kind: ResourceKind,
  declared: DeclaredObject,
  live: LiveObject | undefined,
  { at, realm }: { readonly at: Span | undefined; readonly realm: Realm },
): DeclaredObject {
  if (live === undefined || isLeaving(kind, declared)) return declared;
  const defaults = kind.diff?.defaults?.(realm, live) ?? {};
  const left = Object.entries(defaults).filter(
    ([field]) =>
      Object.hasOwn(live.fields, field) &&
      !Object.hasOwn(declared.fields, field) &&
      declared.creation?.[field] === undefined &&
      // The file has a value, which is not known.
      declared.gaps?.some((gap) => gap.field === field) !== true &&
      // If no request can set a value, nobody can have set it on purpose, and nobody could restore it.
      kind.calls.canSet?.(field, live.fields[field] ?? null) !== false &&
      isExpressible(kind, field, live, realm),
  );
  if (left.length === 0) return declared;
  const places = at === undefined ? [] : left.map(([field]) => [field, at] as const);
  return {
    ...declared,
    fields: { ...Object.fromEntries(left), ...declared.fields },
    spans: places.length === 0 ? declared.spans : spansIn(Object.fromEntries(places), declared.spans),
    unset: left.map(([field]) => field),
  };
}

/** A channel stays in an archived folder, which no file can name: otherwise one such channel would keep `unset: default` out of the whole section. */
const isExpressible = ({ file, yaml }: ResourceKind, field: string, { fields }: LiveObject, realm: Realm): boolean =>
  file.fields[field]?.isPermission === true ||
  yaml?.whyInexpressible?.(field, fields[field] ?? null, realm) === undefined;

/** The file asks that the object goes: what else it was to be does not matter. */
export const isLeaving = ({ inactivity }: ResourceKind, declared: DeclaredObject | undefined): boolean =>
  declared !== undefined &&
  (declared.absent || (inactivity !== undefined && declared.fields[inactivity.field] === true));

/** A field of an active object that a file can set, and whether this one sets it; or a setting that this version does not know. */
export interface FieldInUse {
  readonly kind: ResourceKind;
  readonly object: LiveObject;
  readonly declared: DeclaredObject | undefined;
  readonly field: string;
  readonly isPermission: boolean;
  readonly isNewer: boolean;
  /** Whether a plan says if it matches the file. */
  readonly isWatched: boolean;
}

/** All fields that a file can set, whatever the file says. A section that the file does not have is not watched, and neither is an object that no entry names. */
export function* fieldsInUse(
  sections: readonly {
    readonly kind: ResourceKind;
    readonly pairs: readonly Pair[];
    readonly live: readonly LiveObject[];
  }[],
  realm: Realm,
): Iterable<FieldInUse> {
  for (const { kind, pairs, live } of sections) {
    const declaredOf = new Map(pairs.map(({ declared, live: found }) => [found, declared]));
    const { inactivity, file } = kind;
    const newer = kind.live.newer?.(realm) ?? [];
    for (const object of live) {
      if (object.inactive) continue;
      const declared = declaredOf.get(object);
      // What this version does not know is not watched.
      for (const field of newer)
        if (!Object.hasOwn(object.fields, field))
          yield { kind, object, declared, field, isPermission: false, isNewer: true, isWatched: false };
      // No file lists all people.
      if (declared === undefined && kind.isPartial === true) continue;
      for (const field of Object.keys(object.fields)) {
        const spec = field === inactivity?.field ? undefined : file.fields[field];
        const isRight = spec === undefined && isOtherRight(kind, field);
        if (spec === undefined && !isRight) continue;
        const isWatched = declared !== undefined && Object.hasOwn(declared.fields, field);
        const isPermission = isRight || spec?.isPermission === true;
        yield { kind, object, declared, field, isPermission, isNewer: false, isWatched };
      }
    }
  }
}

/** For how many fields of active objects a plan says whether they match the file. */
export function watchOf(...input: Parameters<typeof fieldsInUse>): Watch {
  const permissions = { watched: 0, all: 0 };
  const others = { watched: 0, all: 0 };
  for (const { isPermission, isWatched } of fieldsInUse(...input)) {
    const count = isPermission ? permissions : others;
    count.all += 1;
    if (isWatched) count.watched += 1;
  }
  return { permissions, others };
}

/** The settings that the server has, this version does not know, and the file does not have: none of them is compared. */
export function newerIn(
  sections: readonly { readonly kind: ResourceKind; readonly pairs: readonly Pair[] }[],
  realm: Realm,
): { readonly newer?: readonly string[] } {
  const names = sections.flatMap(({ kind, pairs }) => {
    const written = new Set(pairs.flatMap(({ declared }) => Object.keys(declared?.fields ?? {})));
    const settings = (kind.live.newer?.(realm) ?? []).filter((name) => !written.has(name));
    return [...settings, ...(kind.live.newerObjects?.(realm) ?? [])];
  });
  return defined({ newer: names.length === 0 ? undefined : [...new Set(names)].sort() });
}

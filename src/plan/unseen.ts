import type { Unseen } from "../model/coverage.ts";
import type { Desired } from "../model/desired.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Quoted, quote } from "../model/diagnostics/values.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";

/*
 * What the account that reads may just not see: such an object of the file is neither missing nor to be created, and whatever names it cannot be compared
 * either. Only readings of accounts that do not see everything need it, so it is loaded when it is called (scripts/on-call.mjs).
 */

export interface Entry {
  readonly kind: ResourceKind;
  readonly declared: DeclaredObject;
  readonly live: LiveObject | undefined;
}

/** Objects of the file that were not found, and that this account may just not see. */
export const unseenEntries = <One extends Entry>(
  entries: readonly One[],
  realm: Realm,
  comparesOnly: boolean,
): readonly One[] =>
  entries.filter(
    ({ kind, declared, live }) =>
      live === undefined &&
      kind.shape !== "singleton" &&
      // Of a section that no reading has, that is said.
      liveObjects(kind, realm) !== undefined &&
      kind.live.unseen?.(realm) !== undefined &&
      kind.live.mayBeUnseen?.(declared, comparesOnly) === true,
  );

/** Something of the file that is left out: an object, or a field of one. */
export interface LeftOut {
  readonly entry: Entry;
  /** Empty for the whole object. */
  readonly field: string;
}

/** What is not seen, and all that names it, directly or through another new object. @param namers what names an object, by its kind and key */
export function withNamers(
  unseen: readonly Entry[],
  namers: ReadonlyMap<string, readonly LeftOut[]>,
): readonly LeftOut[] {
  const found = new Map<string, LeftOut>();
  const add = (left: LeftOut): void => {
    const { kind, declared } = left.entry;
    const isWhole = left.field === "" || (left.entry.live === undefined && kind.shape !== "singleton");
    const key = `${kind.name}\n${declared.key}\n${isWhole ? "" : left.field}`;
    if (declared.absent && !unseen.includes(left.entry)) return;
    if (!found.has(key)) found.set(key, isWhole ? { ...left, field: "" } : left);
  };
  for (const entry of unseen) add({ entry, field: "" });
  // A map is walked in the order of insertion, and also through what is added meanwhile.
  for (const { entry, field } of found.values())
    if (field === "") for (const one of namers.get(`${entry.kind.name}\n${entry.declared.key}`) ?? []) add(one);
  return [...found.values()];
}

/** What the account does not see of these sections, whether or not the file has it. */
export function unseenIn(
  { sections, warnings }: Pick<Desired, "sections" | "warnings">,
  kinds: readonly ResourceKind[],
  realm: Realm,
  leftOut: readonly LeftOut[],
): readonly Unseen[] {
  const named = (entry: Entry): Quoted => quote(entry.declared.name, entry.kind.name);
  const found = kinds.flatMap((kind): readonly Unseen[] => {
    const { section } = kind;
    const what = kind.shape === "singleton" ? undefined : kind.live.unseen?.(realm);
    const own = leftOut.filter(({ entry }) => entry.kind === kind);
    if (what !== undefined && sections.has(section))
      return [{ what, section, names: own.map(({ entry }) => named(entry)) }];
    const isOne = kind.shape === "singleton";
    const names = own.map(({ entry, field }) => (isOne ? quote(field) : named(entry)));
    return names.length === 0 ? [] : [{ section, names }];
  });
  const addresses = new Map(
    warnings.flatMap((one) => (isAddress(one) ? [[one.fact.address.quoted, one.fact.address]] : [])),
  );
  if (addresses.size === 0) return found;
  return [...found, { what: "addresses", section: sectionOf(kinds, warnings), names: [...addresses.values()] }];
}

type UnseenAddress = Diagnostic & { readonly fact: { readonly address: Quoted } };

const sectionOf = (kinds: readonly ResourceKind[], warnings: readonly Diagnostic[]): string =>
  kinds.find(({ name }) => name === warnings.find(isAddress)?.unresolved?.kind)?.section ?? "";

const isAddress = (one: Diagnostic): one is UnseenAddress =>
  one.unresolved?.isUnseen === true && one.code === "reference/unknown-person" && one.fact.found === "no-address";

import type { Diagnostic, Unresolved } from "../model/diagnostic.ts";
import { type Person, type Quoted, quote } from "../model/diagnostics/values.ts";
import type { Json } from "../model/json.ts";
import { hasGap } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import { isAccountName, textsIn } from "../model/texts.ts";
import type { Section } from "./sections.ts";

// Most plans have no name that does not resolve: it is loaded when it is called (scripts/on-call.mjs).

/** The most names that a message has. */
const MOST_NAMED = 5;

/**
 * The same diagnostics; those about names that do not resolve say what the server has in that place and the file does not name: the object that was meant
 * may be among it, under its new name, or as a person who hides the address.
 */
export function withWaysOut(
  diagnostics: readonly Diagnostic[],
  sections: readonly Section[],
  realm: Realm,
): readonly Diagnostic[] {
  const now = new Map<string, Unresolved["now"]>();
  const declaredIn = (kind: string): readonly string[] =>
    sections
      .filter((section) => section.kind.name === kind)
      .flatMap(({ pairs }) => pairs.flatMap(({ declared }) => declared?.name ?? []));
  for (const { pairs } of sections)
    for (const { address, declared, live } of pairs)
      if (live !== undefined)
        for (const { field, kind: named } of declared?.gaps ?? [])
          if (
            declared !== undefined &&
            field !== "" &&
            (hasGap(declared, field) || !Object.hasOwn(declared.fields, field))
          ) {
            const there = live.fields[field] ?? null;
            // What the file declares under its name is not the one.
            const own = declared.partial?.[field] ?? declared.fields[field] ?? null;
            const known = new Set([...textsIn(own), ...declaredIn(named)]);
            const areAccounts = sections.some(({ kind }) => kind.name === named && kind.isAccount === true);
            const others = namesIn(there, areAccounts)
              .filter(isNotIn(known))
              .filter((name) => !areAccounts || realm.user(realm.userId(name))?.is_active === true);
            now.set(`${address}\n${field}\n${named}`, others.map(shownIn(named, areAccounts, realm)));
          }
  /** An entry that is the name of another object: what the section has on the server under names that the file does not have. */
  const besides = ({ in: own, kind: named, isGone }: Unresolved): Unresolved["now"] => {
    const section = sections.find(({ kind }) => own?.address.startsWith(`${kind.name}:`));
    if (isGone || section === undefined || section.kind.name === named || section.kind.isAccount) return undefined;
    const strangers = section.pairs.flatMap(({ declared, live }) => (declared === undefined && live ? [live] : []));
    return strangers.filter(({ inactive }) => !inactive).map(({ name }) => quote(name, named));
  };
  return diagnostics.map((diagnostic) => {
    const { unresolved } = diagnostic;
    if (unresolved?.in === undefined || unresolved.isHeld || unresolved.returns || unresolved.isExcepted)
      return diagnostic;
    const { field = "" } = unresolved;
    const key = `${unresolved.in.address}\n${field}\n${unresolved.kind}`;
    const found = (field === "" ? besides(unresolved) : now.get(key)) ?? [];
    return found.length === 0
      ? diagnostic
      : { ...diagnostic, unresolved: { ...unresolved, now: found.slice(0, MOST_NAMED) } };
  });
}

const isNotIn =
  (known: ReadonlySet<string>) =>
  (name: string): boolean =>
    !known.has(name);

/** Names of accounts in a value, or the names of everything else. */
const namesIn = (value: Json, areAccounts: boolean): readonly string[] =>
  textsIn(value).filter((text) => isAccountName(text) === areAccounts);

const shownIn =
  (kind: string, areAccounts: boolean, realm: Realm) =>
  (name: string): Quoted | Person => {
    if (!areAccounts) return quote(name, kind);
    const person = realm.user(realm.userId(name));
    if (person === undefined || person.delivery_email !== null) return quote(name);
    return { user_id: person.user_id, full_name: person.full_name };
  };

/** Whether no account can make the change: nobody may give, take or invite with a role that this version does not know. */
export function needsUnknownRole({ fact }: Pick<Diagnostic, "fact">): boolean {
  const asked = "right" in fact && typeof fact.right === "object" ? fact.right : fact;
  return "needs" in asked && typeof asked.needs === "object" && asked.needs !== null && "role" in asked.needs;
}

import { isList, isObject, type Json, mapOf } from "./json.ts";
import type { Realm } from "./realm.ts";

/** How a reading and a file write somebody whose address is hidden: `user:17`. */
const HIDDEN = /^user:(\d+)$/;

/**
 * Addresses of a list that nobody has, and the account that each of them probably means: somebody who is in the list on the server, hides the address, and
 * is not named otherwise. The one whose name fits the address; the others in their order, if there are as many as addresses.
 * @param raw the list as the file writes it @param live the list on the server @returns address → `{id: 17}`
 */
export function standIns(
  raw: Json | undefined,
  live: Json,
  realm: Realm,
): ReadonlyMap<string, { readonly id: number }> {
  const found = new Map<string, { readonly id: number }>();
  const { texts } = namesIn(raw ?? null);
  const unknown = texts.filter((text) => text.includes("@") && realm.userByEmail(text.trim()) === undefined);
  if (unknown.length === 0) return found;
  const hidden = hiddenIn(raw, live);
  const take = (address: string, id: number): void => {
    found.set(address, { id });
    hidden.delete(id);
  };
  for (const address of unknown) {
    const fitting = [...hidden].filter((id) => fits(address, realm.user(id)?.full_name ?? ""));
    const [id, ...others] = fitting;
    if (id !== undefined && others.length === 0) take(address, id);
  }
  const left = unknown.filter((address) => !found.has(address));
  if (left.length === hidden.size)
    for (const [at, id] of [...hidden].entries()) {
      const address = left[at];
      if (address !== undefined) take(address, id);
    }
  return found;
}

/** Accounts in a value of the server whose addresses are hidden, and which the file does not name by their ids. */
export function hiddenIn(raw: Json | undefined, live: Json): Set<number> {
  const { texts, ids } = namesIn(raw ?? null);
  return new Set(
    namesIn(live).texts.flatMap((text) => {
      const id = Number(HIDDEN.exec(text)?.[1] ?? Number.NaN);
      return Number.isNaN(id) || ids.has(id) || texts.includes(text) ? [] : [id];
    }),
  );
}

/** Whether a part of the address before the `@` is a part of the name. */
function fits(address: string, name: string): boolean {
  const words = new Set(name.toLowerCase().split(/\s+/));
  return (address.toLowerCase().split("@")[0] ?? "").split(/[._+-]/).some((part) => words.has(part));
}

function namesIn(value: Json): { readonly texts: readonly string[]; readonly ids: ReadonlySet<number> } {
  const texts = new Set<string>();
  const ids = new Set<number>();
  const visit = (item: Json): void => {
    const id = mapOf(item)?.id;
    if (typeof item === "string") texts.add(item);
    else if (typeof id === "number") ids.add(id);
    else if (isList(item)) for (const one of item) visit(one);
    else if (isObject(item)) for (const one of Object.values(item)) visit(one);
  };
  visit(value);
  return { texts: [...texts], ids };
}

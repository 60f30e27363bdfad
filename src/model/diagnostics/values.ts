import type { Named } from "../facts.ts";
import type { Snapshot } from "../snapshot.ts";

/**
 * The parts of facts. They are typed, so that redaction finds every name: {@link Named} objects, {@link Quoted} texts, {@link Pattern}s and {@link Person}s. Every
 * other text in a fact is a {@link Word}. A test refuses `string` in the files of facts: it would not say which of these it is.
 */
export type { Named } from "../facts.ts";

/**
 * A word of realmctl, of a schema or of the API: a field, a setting, a flag, a path of a file, a URL. Never a name that a person chose for an object.
 */
export type Word = string;

/** A text that somebody wrote, in a file or on the server. */
export interface Quoted {
  readonly quoted: string;
  /** The kind of object that has this name; absent for any other text. */
  readonly of?: Word;
}

/** A pattern of names, or a guard rail that has one in its name: `protect:channel:board-*`. */
export interface Pattern {
  readonly pattern: string;
}

/** Somebody with an account. Readers who may not know the name get the number. */
export interface Person {
  readonly user_id: number;
  readonly full_name?: string;
  readonly email?: string;
}

/** The number of accounts whose addresses the reading account does not see, and the only one. */
export type HiddenAccounts = { readonly hidden: number; readonly only?: Person };

/** The origin of a value that somebody typed when asked for it. */
export const TYPED = "typed";

export function quote(quoted: string, of?: Word): Quoted {
  return of === undefined ? { quoted } : { quoted, of };
}

export const quoteAll = (texts: readonly string[], of?: Word): readonly Quoted[] =>
  texts.map((text) => quote(text, of));

/** An object by its kind and name. */
export function named(kind: Word, name: string): Named {
  return { address: `${kind}:${name}`, name };
}

/** The account that a command runs with. */
export function runningAccount({ account: { user_id, full_name, email } }: Snapshot): Person {
  return { user_id, full_name, email };
}

/** A value in a file, in the form in which somebody wrote it. */
export type FoundValue =
  | { readonly is: "nothing" }
  /** @property keys its first keys, or the texts of a list that is its only value @property sole the text that is its only value */
  | { readonly is: "map"; readonly keys?: readonly Quoted[]; readonly sole?: Quoted }
  /** @property texts the elements of the list, if all of them are texts */
  | { readonly is: "list"; readonly length: number; readonly texts?: readonly Quoted[] }
  | { readonly is: "text"; readonly text: Quoted }
  | { readonly is: "number"; readonly number: number }
  | { readonly is: "boolean"; readonly boolean: boolean };

/** The maximum number of shown elements of a list. */
const MOST_TEXTS = 100;

export function foundValue(value: unknown): FoundValue {
  if (typeof value === "string") return { is: "text", text: quote(value) };
  if (typeof value === "number") return { is: "number", number: value };
  if (typeof value === "boolean") return { is: "boolean", boolean: value };
  if (Array.isArray(value)) {
    const texts = value.filter((item) => typeof item === "string");
    const { length } = value;
    return texts.length === length
      ? { is: "list", length, texts: quoteAll(texts.slice(0, MOST_TEXTS)) }
      : { is: "list", length };
  }
  if (typeof value !== "object" || value === null) return { is: "nothing" };
  const [first, ...others] = Object.entries(value);
  if (first === undefined) return { is: "map" };
  const only = others.length === 0 && Array.isArray(first[1]) ? first[1] : [];
  const inner = only.filter((item) => typeof item === "string");
  const names = inner.length > 0 && inner.length === only.length ? inner : [first, ...others].map(([key]) => key);
  const keys = quoteAll(names.slice(0, MOST_TEXTS));
  return others.length === 0 && typeof first[1] === "string"
    ? { is: "map", keys, sole: quote(first[1]) }
    : { is: "map", keys };
}

import { own } from "../own.ts";
import type { Quoted, Word } from "./values.ts";
import { listOf } from "./words.ts";

/** A part of an answer that does not have the form that servers send. */
export interface UnexpectedPart {
  /** The path of the part: `users[3].role`; absent for the answer as a whole. */
  readonly part?: Word;
  readonly cause: FormCause;
}

/** An error in the form of one part of an answer or a snapshot. */
export type FormCause =
  | { readonly is: "missing" | "other" }
  /** `expected` is the name of a JSON type, or `int`. */
  | { readonly is: "type"; readonly expected: Word }
  | { readonly is: "unknown"; readonly keys: readonly Quoted[] }
  | { readonly is: "value"; readonly allowed: readonly Word[] };

/** The error in a part of an answer or a file, as a clause. @param whole the name of the whole: "the answer" */
export function formCause({ part, cause }: UnexpectedPart, whole: string): string {
  const about = part === undefined ? whole : `"${part}"`;
  switch (cause.is) {
    case "missing":
      return `${about} is missing`;
    case "type":
      return `${about} is not ${typeWord(cause.expected, "an object")}`;
    case "unknown":
      return `${about} has unknown fields: ${listOf(cause.keys)}`;
    case "value":
      return `${about} is not one of ${cause.allowed.join(", ")}`;
    case "other":
      return `${about} has a value that is not possible there`;
  }
}

const TYPES: { readonly [type: string]: string } = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  null: "null",
};

/** A type of JSON in words. @param map the word for an object, which YAML calls a map */
export const typeWord = (type: string, map: string): string =>
  type === "object" || type === "record" ? map : (own(TYPES, type) ?? type);

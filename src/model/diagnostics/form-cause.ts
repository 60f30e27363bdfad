import { cases, type FactIn } from "../cases.ts";
import { own } from "../defined.ts";
import type { Quoted, Word } from "./values.ts";
import { listOf } from "./words.ts";

/** A part of an answer that does not have the form that servers send. */
export interface UnexpectedPart {
  /** The path of the part: `users[3].role`; absent for the answer as a whole. */
  readonly part?: Word;
  readonly cause: FormCause;
}

/** An error in the form of one part of an answer or a snapshot. */
const causeText = cases("is", {
  missing: "is missing",
  /** @property expected the name of a JSON type, or `int` */
  type: ({ expected }: { expected: Word }) => `is not ${typeWord(expected, "an object")}`,
  unknown: ({ keys }: { keys: readonly Quoted[] }) => `has unknown fields: ${listOf(keys)}`,
  value: ({ allowed }: { allowed: readonly Word[] }) => `is not one of ${allowed.join(", ")}`,
  other: "has a value that is not possible there",
});
export type FormCause = FactIn<typeof causeText>;

/** The error in a part of an answer or a file, as a clause. @param whole the name of the whole: "the answer" */
export const formCause = ({ part, cause }: UnexpectedPart, whole: string): string =>
  `${part === undefined ? whole : `"${part}"`} ${causeText(cause)}`;

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

import type { UnexpectedPart } from "../../../model/diagnostics/server.ts";
import { listOf } from "./words.ts";

/** The error in a part of an answer or a file, as a clause. @param whole the name of the whole: "the answer" */
export function formCause({ part, cause }: UnexpectedPart, whole: string): string {
  const about = part === undefined ? whole : `"${part}"`;
  switch (cause.is) {
    case "missing":
      return `${about} is missing`;
    case "type":
      return `${about} is not ${TYPES[cause.expected] ?? cause.expected}`;
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
  object: "an object",
  record: "an object",
  null: "null",
};

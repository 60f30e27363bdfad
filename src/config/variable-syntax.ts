import { isObject } from "../model/json.ts";

/** References to variables in texts: `${name}`, and `$${` for the two characters themselves. Nothing else is special. */

/** Names of variables. */
export const VARIABLE_NAME = /^[a-z][a-z0-9_]*$/;

export interface Reference {
  readonly kind: "reference";
  /** The text between the braces, whether or not it is a name. */
  readonly name: string;
  readonly written: string;
  /** False when the text ends first. */
  readonly closed: boolean;
}
type Part = Reference | { readonly kind: "text"; readonly text: string };

/** A text as its parts; neighbouring texts are one, and an empty text is one empty part. */
export function parseTemplate(text: string): readonly Part[] {
  const parts: Part[] = [];
  let plain = "";
  const flush = (): void => {
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
  };
  let at = 0;
  for (let next = text.indexOf("${"); next !== -1; next = text.indexOf("${", at)) {
    if (next > at && text[next - 1] === "$") {
      plain += `${text.slice(at, next - 1)}\${`;
      at = next + 2;
      continue;
    }
    plain += text.slice(at, next);
    const end = text.indexOf("}", next);
    const stop = end === -1 ? text.length : end + 1;
    flush();
    const written = text.slice(next, stop);
    parts.push({ kind: "reference", name: written.slice(2, end === -1 ? undefined : -1), written, closed: end !== -1 });
    at = stop;
  }
  plain += text.slice(at);
  if (plain !== "" || parts.length === 0) parts.push({ kind: "text", text: plain });
  return parts;
}

/** What a key of a map stands for: no references, but `$${` for the two characters. */
export const literalName = (key: string): string =>
  key.includes("$${")
    ? parseTemplate(key)
        .map((part) => (part.kind === "text" ? part.text : part.written))
        .join("")
    : key;

/** Escapes a text from elsewhere (the server) so that it means the same in a file. */
export function escapeReferences(text: string): string {
  return text.replaceAll("${", "$$${");
}

const isName = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

function isPerson(value: unknown): boolean {
  if (typeof value === "string") return /^[^\s@]+@[^\s@]+$/.test(value.trim());
  return isObject(value) && Object.keys(value).join() === "id" && Number.isSafeInteger(value.id);
}

/**
 * Types of variables, as `vars:` names them. Whether the group, person or channel exists is checked where the variable is used, as for a name that is
 * written out.
 */
const TYPES = {
  string: (value: unknown) => typeof value === "string",
  integer: Number.isSafeInteger,
  boolean: (value: unknown) => typeof value === "boolean",
  group: isName,
  person: isPerson,
  channel: isName,
} as const;
export type VariableType = keyof typeof TYPES;
export const VARIABLE_TYPES: readonly string[] = Object.keys(TYPES);

export function isVariableType(value: unknown): value is VariableType {
  return typeof value === "string" && Object.hasOwn(TYPES, value);
}

/** Whether a value has a type. */
export const isOfType = (type: VariableType, value: unknown): boolean => TYPES[type](value);

import { AMPERSAND, ASTERISK, BANG, HASH, NOT_PLAIN, SPACE } from "./plain-text.ts";
import { isTree } from "./tree.ts";

/** A tag before a value on the same line, or before a map or list on the next lines. */
export interface Tag {
  /** The tag in the text: `!!str`, `!mine`. */
  readonly name: string;
  readonly start: number;
  readonly stop: number;
  /** The position after the spaces: the start of the value, or the end of the line. */
  readonly behind: number;
}

/** Tags of the core schema that the plain reader knows. Others with `!!` (`!!float`, `!!set`, `!!binary` …) are the full parser's. */
const CORE: ReadonlySet<string> = new Set(["!!str", "!!int", "!!bool", "!!null", "!!map", "!!seq"]);

/** The tag that starts at a `!`. */
export function tagAt(text: string, start: number, end: number): Tag {
  let stop = start + 1;
  while (stop < end && text.charCodeAt(stop) !== SPACE) stop++;
  const name = text.slice(start, stop);
  if (!CORE.has(name) && !/^![a-zA-Z0-9_-]+$/.test(name)) throw NOT_PLAIN;
  let behind = stop;
  while (behind < end && text.charCodeAt(behind) === SPACE) behind++;
  const next = text.charCodeAt(behind);
  // An alias has no tag; an anchor after a tag, and a second tag, are rare.
  if (behind < end && (next === ASTERISK || next === AMPERSAND || next === BANG)) throw NOT_PLAIN;
  return { name, start, stop, behind };
}

/** Whether a value is on the line of its tag. */
export const hasValue = ({ behind }: Tag, text: string, end: number): boolean =>
  behind < end && text.charCodeAt(behind) !== HASH;

/** Whether the tag is not one of YAML's. The full parser keeps the value, and reports the tag as an error. */
export const isOwn = ({ name }: Tag): boolean => !CORE.has(name);

/**
 * The value with a tag.
 * @param value as it would be without the tag
 * @param written its text, for a scalar: a tag can make a number a text
 */
export function tagged({ name }: Tag, value: unknown, written: string): unknown {
  const isCollection = typeof value === "object" && value !== null;
  if (name === "!!map" || name === "!!seq") {
    if ((name === "!!map" ? isTree(value) : Array.isArray(value)) && isCollection) return value;
    throw NOT_PLAIN;
  }
  if (name === "!!int" || name === "!!bool" || name === "!!null") {
    const is = name === "!!int" ? "number" : name === "!!bool" ? "boolean" : "object";
    // A text in quotes is a text.
    if (!isCollection && typeof value === is) return value;
    throw NOT_PLAIN;
  }
  if (isCollection && name === "!!str") throw NOT_PLAIN;
  return isCollection || typeof value === "string" ? value : written;
}

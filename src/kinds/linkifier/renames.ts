import { type Dependency, nameFree } from "../../model/dependency.ts";
import type { Fields } from "../../model/objects.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { readPattern } from "./pattern.ts";

/**
 * The temporary pattern of a linkifier while others take its own. It still matches everything that the new pattern matches, so the example and the
 * templates that are sent with it stay valid. Patterns have no maximum length.
 */
export function patternInBetween(target: string, id: number, spare?: number): string {
  return temporaryName(`${target}|`, id, Number.POSITIVE_INFINITY, spare);
}

/** No linkifier has the pattern. */
export function freePattern(pattern: string): Dependency {
  return nameFree("linkifier", pattern);
}

/** The templates with the groups of the pattern by their numbers: a group with another name is no other link. */
export function withNumberedGroups(pattern: string, fields: Fields): Fields {
  const read = readPattern(pattern);
  if ("cause" in read) return fields;
  const numbers = new Map(read.pattern.groups.map((name, index) => [name, String(index)]));
  const numbered = (expression: string): string => expression.replace(/\w+/g, (word) => numbers.get(word) ?? word);
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      field.endsWith("_template") && typeof value === "string" ? value.replace(/\{[^}]*\}/g, numbered) : value,
    ]),
  );
}

import { type Quoted, quote } from "../model/diagnostics/values.ts";
import { isList, type Json } from "../model/json.ts";
import type { Synonyms } from "../model/synonyms.ts";
import { isTree } from "../source/tree.ts";
import { inlineYaml } from "../source/write.ts";
import type { Shape } from "./shape.ts";

/*
 * Lists that somebody wrote as maps: `invites: {ada@example.org: {…}}`, or `- ada@example.org: {…}`. A kind says which field the key would be.
 */

/**
 * One entry of such a map, as the list has it, with the fields as they are called; undefined if it has other maps in it, or a field that is none.
 */
export function listEntry(key: string, value: unknown, shape: Shape): Quoted | undefined {
  const { entry } = shape.synonyms;
  if (entry === undefined) return undefined;
  const [named, other] = entry;
  // `- name: general`: the word says what the value is.
  if (named === undefined)
    return quote(
      `- ${inlineYaml(typeof value === "string" && /^(?:name|channel|stream|id)$/.test(key) ? value : key)}`,
    );
  if (isTree(value) && Object.hasOwn(value, named)) return undefined;
  const fields: { [field: string]: Json } = { [named]: named === "emails" ? [key] : key };
  const written = isTree(value) ? value : other === undefined || value === null ? {} : { [other]: value };
  for (const [field, one] of Object.entries(written)) {
    if (!isScalar(one) && !(isList(one) && one.every(isScalar))) return undefined;
    const known = shape.fieldsAt([]);
    const meant = known.includes(field) ? { field } : shape.fieldMeant(field, known, one);
    if (meant === "needless") continue;
    const [line = "", said] = meant === undefined ? [] : "line" in meant ? meant.line.split(": ") : [meant.field];
    if (!known.includes(line) || Object.hasOwn(fields, line)) return undefined;
    fields[line] = said ?? one;
  }
  return quote(`- ${inlineYaml(fields)}`);
}

/** The field that an entry lacks to send anything. */
export const besidesIn = (entry: Quoted, { besides }: Synonyms): string | undefined =>
  besides === undefined || entry.quoted.includes(`${besides}:`) ? undefined : besides;

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** An entry of a list that is a map with one name. */
export function soleEntry(value: unknown, shape: Shape): Quoted | undefined {
  const [only, ...others] = isTree(value) ? Object.entries(value) : [];
  return only === undefined || others.length > 0 ? undefined : listEntry(only[0], only[1], shape);
}

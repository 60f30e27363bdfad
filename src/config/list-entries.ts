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
  const whole = withFields(fields, Object.entries(written), shape);
  return whole === undefined ? undefined : quote(`- ${inlineYaml(whole)}`);
}

type Fields = { readonly [field: string]: Json };

/** Adds fields as they are called; undefined if one of them has other maps in it, or is none. */
function withFields(given: Fields, written: readonly (readonly [string, unknown])[], shape: Shape): Fields | undefined {
  const fields: { [field: string]: Json } = { ...given };
  for (const [field, one] of written) {
    if (!isScalar(one) && !(isList(one) && one.every(isScalar))) return undefined;
    const known = shape.fieldsAt([]);
    const meant = known.includes(field) ? { field } : shape.fieldMeant(field, known, one);
    if (meant === "needless") continue;
    const [line = "", said] = meant === undefined ? [] : "line" in meant ? meant.line.split(": ") : [meant.field];
    if (!known.includes(line) || Object.hasOwn(fields, line)) return undefined;
    fields[line] = said ?? one;
  }
  return fields;
}

/** Words that name the object of an entry, in the lists of other programs. */
const NAME = /^(?:(?:\w+_)?name|title|(?:\w+_)?email|address|user|domain|channel|stream|group|bot|folder)$/;

/** The first entry of a list as the map has it: `general`, `- general: {…}` and `- name: general` are `general: {…}`. */
export function mapEntry(value: unknown, shape: Shape): Quoted | undefined {
  const known = shape.fieldsAt([]);
  const entry = (name: string, fields: Fields | undefined): Quoted =>
    quote(fields === undefined ? `${inlineYaml(name)}: {…}` : inlineYaml({ [name]: fields }).slice(1, -1));
  if (typeof value === "string") return entry(value, {});
  if (!isTree(value)) return undefined;
  const pairs = Object.entries(value);
  const [first, ...others] = pairs;
  if (first !== undefined && (first[1] === null || isTree(first[1])) && !known.includes(first[0])) {
    const inside = isTree(first[1]) ? Object.entries(first[1]) : [];
    return entry(first[0], withFields({}, [...inside, ...others], shape));
  }
  const name = pairs.find(([key, one]) => NAME.test(key) && !known.includes(key) && typeof one === "string");
  if (typeof name?.[1] !== "string") return undefined;
  const rest = pairs.filter((pair) => pair !== name);
  return entry(name[1], withFields({}, rest, shape));
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

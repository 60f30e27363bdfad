import { defined } from "../model/defined.ts";
import { isObject, type Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Block, BlockEntry } from "../source/write.ts";

/** The layout of a section that is its own item. */
export interface Layout {
  readonly parts: readonly { readonly heading: string; readonly fields: readonly string[] }[];
  /** Descriptions of the fields, for people who see the file for the first time; without them, each part has its heading. */
  readonly about?: { readonly [field: string]: string };
}

/** Fewer fields than this need no headings. */
const FEW = 6;

export function layoutOf({ yaml, file }: ResourceKind, explain: boolean): Layout | undefined {
  if (yaml?.parts === undefined) return undefined;
  const about = Object.fromEntries(Object.entries(file.fields).map(([field, spec]) => [field, spec.about]));
  return { parts: yaml.parts, ...defined({ about: explain ? about : undefined }) };
}

/** Fields in their order, with a blank line and a heading before each part; the rest after the last part is separate. */
export function laidOut(item: Json, { parts, about }: Layout): Json | Block {
  if (!isObject(item)) return item;
  const fields = Object.entries(item);
  if (about === undefined && fields.length < FEW) return item;
  const partOf = (field: string) => parts.find((part) => part.fields.includes(field));
  return {
    entries: fields.map(([key, value], index): BlockEntry => {
      const part = partOf(key);
      const isFirst = index === 0 || partOf(fields[index - 1]?.[0] ?? "") !== part;
      const heading = isFirst && about === undefined && part !== undefined ? [part.heading] : [];
      return {
        key,
        value: about === undefined ? value : explained(value, about),
        comments: [...heading, ...(about?.[key] === undefined ? [] : [about[key]])],
        ...defined({ blankBefore: isFirst && index > 0 ? true : undefined }),
      };
    }),
  };
}

/** Fields below a field (permissions) are explained too, if all of them are fields of the section. */
function explained(value: Json, about: { readonly [field: string]: string }): Json | Block {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => ({ key, value: inner, comments: [about[key] ?? ""] }));
  return entries.length > 0 && entries.every(({ comments: [text] }) => text !== "") ? { entries } : value;
}

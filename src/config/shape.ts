import * as z from "zod";
import { defined } from "../model/defined.ts";
import type { Path } from "../model/diagnostic.ts";
import type { FieldForm } from "../model/diagnostics/fields.ts";
import { isList, isObject } from "../model/json.ts";
import { isRightName } from "../model/permission-settings.ts";
import { didYouMean, type Patience, shortFor } from "../model/suggest.ts";
import type { Synonyms } from "../model/synonyms.ts";
import { fieldMeant, type Meant, valueMeant } from "./synonyms.ts";

/** The fields of a schema, their places, and other words for them: only for suggestions, so it is computed at the first error. */
export interface Shape {
  fieldsAt(path: Path): readonly string[];
  /** Paths of the maps that have this field. */
  pathsOf(field: string): readonly Path[];
  /** What a field is, in the first sentence of its description, and the values that it can have. */
  aboutField(path: Path, field: string): FieldForm;
  /** Fields of the top level that every item must have. */
  requiredFields(): readonly string[];
  /** The known field, or the line, that an unknown word with its value probably means. */
  fieldMeant(word: string, known: readonly string[], value: unknown): Meant | undefined;
  readonly synonyms: Synonyms;
  /** The known value that an unknown word probably means. */
  valueMeant(word: string, known: readonly string[]): string | undefined;
  /** A field further inside with a similar name or spelling. */
  nestedLike(
    field: string,
    value: unknown,
    patience: Patience,
  ): { readonly key: string; readonly path: Path } | undefined;
}

/** @param extra top-level fields that the schema does not have (`profile`) */
export function shapeOf(
  schema: z.ZodType,
  extra: readonly string[] = [],
  // They are loaded when they are read.
  file: { synonyms?(): Synonyms } = {},
): Shape {
  let maps: readonly FieldsOfMap[] | undefined;
  const all = () => {
    maps ??= mapsOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), []);
    return maps;
  };
  const fieldsAt = (path: Path): readonly string[] => {
    const steps = path.map((step) => (typeof step === "number" ? "*" : step)).join("/");
    const fields = all().flatMap((map) => (map.path.join("/") === steps ? map.fields : []));
    return [...new Set(path.length === 0 ? [...extra, ...fields] : fields)];
  };
  return {
    get synonyms() {
      return file.synonyms?.() ?? {};
    },
    fieldsAt,
    aboutField(path, field) {
      const steps = path.map((step) => (typeof step === "number" ? "*" : step)).join("/");
      const schema = all().find((map) => map.path.join("/") === steps && map.fields.includes(field))?.properties[field];
      if (!isObject(schema)) return {};
      const about = typeof schema.description === "string" ? firstSentence(schema.description) : undefined;
      return defined({ about, values: isList(schema.enum) ? schema.enum.map(String) : undefined });
    },
    requiredFields() {
      const json: unknown = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
      return isObject(json) && isList(json.required) ? json.required.map(String) : [];
    },
    pathsOf: (field) => all().flatMap((map) => (map.fields.includes(field) ? [map.path] : [])),
    fieldMeant: (word, known, value) => fieldMeant(word, known, value, file.synonyms?.()),
    valueMeant: (word, known) => valueMeant(word, known, file.synonyms?.()),
    nestedLike(field, value, patience) {
      const misspelt = (word: string, known: readonly string[]) => fieldLike(word, known, patience);
      const meant = (word: string, known: readonly string[]) => {
        const found = fieldMeant(word, known, value, file.synonyms?.());
        return found === undefined || found === "needless" ? undefined : "line" in found ? found.line : found.field;
      };
      for (const like of [meant, misspelt])
        for (const { path, fields } of all()) {
          const key = path.length === 0 ? undefined : like(field, fields);
          if (key !== undefined) return { key, path };
        }
      return undefined;
    },
  };
}

/** `The day on which it ends: `2026-12-31`; or `never`.` without the marks of Markdown. */
function firstSentence(description: string): string {
  const [first = ""] = description.split(/(?<=\.)\s+(?=\p{Lu})/u);
  return first.replaceAll("`", "").replace(/\.$/, "");
}

interface FieldsOfMap {
  readonly path: Path;
  readonly fields: readonly string[];
  /** Their schemas. */
  readonly properties: { readonly [field: string]: unknown };
}

/** The maps in a JSON Schema; "*" stands for any entry of a list. */
function mapsOf(schema: unknown, path: Path): FieldsOfMap[] {
  if (!isObject(schema)) return [];
  const found: FieldsOfMap[] = [];
  const { properties, items } = schema;
  if (isObject(properties)) {
    found.push({ path, fields: Object.keys(properties), properties });
    for (const [key, inner] of Object.entries(properties)) found.push(...mapsOf(inner, [...path, key]));
  }
  if (items !== undefined) found.push(...mapsOf(items, [...path, "*"]));
  for (const branches of [schema.anyOf, schema.oneOf, schema.allOf])
    if (isList(branches)) for (const branch of branches) found.push(...mapsOf(branch, path));
  return found;
}

/**
 * The field whose name is similar. What all names of rights have in common makes no two of them similar: can_pin_messages_group is not a misspelt
 * can_send_message_group.
 */
export function fieldLike(word: string, known: readonly string[], patience: Patience): string | undefined {
  if (!isRightName(word)) return didYouMean(word, known, patience) ?? shortFor(word, known);
  const parts = (name: string): readonly string[] => name.replace(/^can_|_group$/g, "").split("_");
  const written = parts(word);
  // Of as many words, each must be similar: one that means something else is no misspelling.
  const similar = known.filter((name) => {
    const own = parts(name);
    if (!isRightName(name) || own.length !== written.length) return true;
    return own.every((part, at) => part === written[at] || didYouMean(written[at] ?? "", [part], patience) === part);
  });
  return didYouMean(word, similar, patience);
}

import { defined } from "../model/defined.ts";
import { isList, isMap, type Json, type JsonObject } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { ownFields, takesNone } from "./defaults.ts";
import { VARIABLE_NAME } from "./references.ts";
import { VARIABLE_TYPES } from "./variable-types.ts";

/** `definitions` of the schema: what may replace a value that is not a string. */
export const VARIABLE_DEFINITIONS: JsonObject = {
  variable: {
    type: "string",
    pattern: "^\\$\\{[a-z][a-z0-9_]*\\}$",
    description: "A variable that `vars` declares, for the whole value.",
  },
};
const REFERENCE: Json = { $ref: "#/definitions/variable" };

/** Top-level keys of the file about variables and defaults. @param item the schema of an item of a section */
export function variableSections(
  kinds: readonly ResourceKind[],
  item: (kind: ResourceKind) => JsonObject,
): { readonly [key: string]: Json } {
  const names = { pattern: VARIABLE_NAME.source };
  return {
    vars: {
      description: "Variables that values refer to as `${name}`; `$${` is written for the characters themselves.",
      type: "object",
      propertyNames: names,
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        properties: {
          type: {
            enum: [...VARIABLE_TYPES],
            description: "What its value is; with `from`, a string unless this says otherwise.",
          },
          about: { type: "string", description: "What it is for, in a sentence." },
          default: { description: "Its value if nothing else gives it one." },
          from: {
            const: "env",
            description: "Its value is in the environment, unless `values` or an option gives it one.",
          },
          name: {
            type: "string",
            pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
            description: "The variable of the environment.",
          },
        },
      },
      examples: [{ on_call: { type: "group", about: "Who is called at night" } }],
    },
    values: {
      description: "Values of the variables, in the file of the organization that they are for.",
      type: "object",
      propertyNames: names,
      examples: [{ on_call: "engineering" }],
    },
    defaults: {
      description: "Section → fields of every item that does not set them itself or with its profile.",
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(
        kinds.filter((kind) => !takesNone(kind)).map((kind) => [kind.section, defaultsOf(kind, item(kind))]),
      ),
      examples: [{ channels: { privacy: "public" } }],
    },
  };
}

function defaultsOf(kind: ResourceKind, item: JsonObject): Json {
  const { required: _, ...rest } = item;
  const own = ownFields(kind);
  const properties = isMap(item.properties) ? Object.entries(item.properties) : [];
  const many = kind.noun[1];
  return {
    description: `What ${many} get that do not set it themselves.`,
    ...rest,
    properties: Object.fromEntries(properties.filter(([field]) => !own.includes(field))),
  };
}

/** The schema with a variable allowed for every value that is not free text. */
export function withVariables(schema: Json): Json {
  if (!isMap(schema)) return schema;
  const { properties, items, anyOf, ...rest } = schema;
  if (isList(anyOf)) {
    const branches = anyOf.map((branch) => (isClosed(branch) ? branch : withVariables(branch)));
    const open = anyOf.some((branch) => isMap(branch) && isText(branch));
    return { ...rest, anyOf: anyOf.some(isClosed) && !open ? [...branches, REFERENCE] : branches };
  }
  if (isClosed(schema)) {
    const { description, ...closed } = schema;
    return { ...defined({ description }), anyOf: [closed, REFERENCE] };
  }
  return {
    ...rest,
    ...defined({
      properties: properties === undefined ? undefined : mapped(properties),
      items: items === undefined ? undefined : withVariables(items),
    }),
  };
}

const mapped = (properties: Json): Json =>
  isMap(properties)
    ? Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, withVariables(value)]))
    : properties;

/** Accepts no free text: numbers, booleans and words of a list. */
function isClosed(schema: Json): boolean {
  if (!isMap(schema)) return false;
  return isList(schema.enum) || "const" in schema || ["integer", "number", "boolean"].includes(String(schema.type));
}

const isText = (schema: JsonObject): boolean =>
  schema.type === "string" && !isList(schema.enum) && !("const" in schema);

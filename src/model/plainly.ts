import * as z from "zod";
import { isObject } from "./json.ts";

/**
 * A check made from a schema, for long lists that are nearly always valid: it copies nothing and has no messages. If it says no, the schema itself
 * checks the value, and says why. So it may reject valid values (and does, for every form of schema that it does not know), but never accepts one
 * that parsing would refuse or change.
 */
export function plainCheck<T>(schema: z.ZodType<T>): (value: unknown) => value is T {
  const check = checkOf(schema);
  return (value): value is T => check(value);
}

type Check = (value: unknown) => boolean;

function checkOf(schema: z.core.$ZodType): Check {
  if (schema instanceof z.ZodNumberFormat && schema._zod.def.format === "safeint" && !isNarrowed(schema))
    return Number.isSafeInteger;
  if (schema instanceof z.ZodString && !isNarrowed(schema)) return isText;
  if (schema instanceof z.ZodBoolean) return isBoolean;
  if (schema instanceof z.ZodLiteral) return oneOf(schema.values);
  if (schema instanceof z.ZodNullable) return nullable(checkOf(schema.unwrap()));
  if (schema instanceof z.ZodOptional) return optional(checkOf(schema.unwrap()));
  if (schema instanceof z.ZodArray) return listOf(checkOf(schema.element));
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodString) return tableOf(checkOf(schema.valueType));
  if (schema instanceof z.ZodObject) return objectOf(schema);
  if (!(schema instanceof z.ZodUnion)) return never;
  const { options } = schema;
  const literals = options.flatMap((option) => (option instanceof z.ZodLiteral ? [...option.values] : []));
  return literals.length === options.length ? oneOf(new Set(literals)) : never;
}

/** Whether it has checks beyond its type. */
const isNarrowed = (schema: z.ZodType): boolean => (schema.def.checks ?? []).length > 0;

const never: Check = () => false;
const isText: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";

function oneOf(values: ReadonlySet<unknown>): Check {
  return (value) => values.has(value);
}
function nullable(check: Check): Check {
  return (value) => value === null || check(value);
}
function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}
function listOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value) if (!check(item)) return false;
    return true;
  };
}

function tableOf(check: Check): Check {
  return (value) => isObject(value) && Object.values(value).every(check);
}

/**
 * Whether additional keys are allowed follows from what the schema does with them: refuses, keeps or drops. A value without dropped keys is not the
 * same value.
 */
function objectOf(schema: z.ZodObject): Check {
  const fields = Object.entries(schema.shape).map(([name, inner]) => ({ name, check: checkOf(inner) }));
  const known = new Set(fields.map(({ name }) => name));
  const isLoose = schema.def.catchall instanceof z.ZodUnknown;
  return (value) => {
    if (!isObject(value)) return false;
    for (const { name, check } of fields) if (!check(value[name])) return false;
    if (isLoose) return true;
    for (const name in value) if (!known.has(name)) return false;
    return true;
  };
}

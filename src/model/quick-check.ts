import * as z from "zod";
import { isObject } from "./json.ts";

/**
 * A check made from a schema, for long lists that are nearly always valid: it copies nothing and has no messages. If it says no, the schema itself
 * checks the value, and says why. So it may reject valid values (and does, for every form of schema that it does not know), but never accepts one
 * that parsing would refuse or change.
 */
export function quickCheck<T>(schema: z.ZodType<T>): (value: unknown) => value is T {
  const check = checkOf(schema);
  return (value): value is T => check(value);
}

/** Like {@link quickCheck}, for a schema that is only known later. */
export const isQuicklyValid = (schema: z.ZodType, value: unknown): boolean => checkOf(schema)(value);

type Check = (value: unknown) => boolean;

const checks = new WeakMap<z.core.$ZodType, Check>();

/** The check of a schema. It is created once, although the schema may be in many places of a form. */
function checkOf(schema: z.core.$ZodType): Check {
  const check = checks.get(schema) ?? withRules(schema, checkOfForm(schema));
  checks.set(schema, check);
  return check;
}

function checkOfForm(schema: z.core.$ZodType): Check {
  if (schema instanceof z.ZodNumberFormat && schema._zod.def.format === "safeint") return Number.isSafeInteger;
  if (schema instanceof z.ZodString) return isText;
  if (schema instanceof z.ZodBoolean) return isBoolean;
  if (schema instanceof z.ZodLiteral) return isOneOf(schema.values);
  if (schema instanceof z.ZodEnum) return isOneOf(new Set(schema.options));
  if (schema instanceof z.ZodNullable) return nullable(checkOf(schema.unwrap()));
  if (schema instanceof z.ZodOptional && !hasDefault(schema.unwrap())) return optional(checkOf(schema.unwrap()));
  if (schema instanceof z.ZodArray) return listOf(checkOf(schema.element));
  if (schema instanceof z.ZodRecord && checkOf(schema.keyType) === isText) return tableOf(checkOf(schema.valueType));
  if (schema instanceof z.ZodObject) return objectOf(schema);
  return schema instanceof z.ZodUnion ? unionOf(schema.options) : never;
}

/** Adds the schema's rules beyond the type to a check: the schema itself checks them. It returns a copy of a list or an object, and the same text. */
function withRules(schema: z.core.$ZodType, check: Check): Check {
  if ((schema._zod.def.checks ?? []).length === 0) return check;
  return (value) => {
    if (!check(value) || typeof value === "object") return false;
    const { data } = z.safeParse(schema, value);
    return data === value;
  };
}

/** Whether parsing adds a value if none is there. */
const hasDefault = (schema: z.core.$ZodType): boolean => schema._zod.optin !== undefined;

/** The check of a union. Parsing takes the first form that fits; the order does not matter if no value can fit two forms. */
function unionOf(options: readonly z.core.$ZodType[]): Check {
  const literals = options.flatMap((option) => (option instanceof z.ZodLiteral ? [...option.values] : []));
  if (literals.length === options.length) return isOneOf(new Set(literals));
  const types = options.flatMap(typesOf);
  if (types.includes(undefined) || new Set(types).size < types.length) return never;
  const forms = options.map(checkOf);
  return (value) => {
    for (let at = 0; at < forms.length; at += 1) if (forms[at]?.(value) === true) return true;
    return false;
  };
}

/** The types of a schema's values, as far as they are known. */
function typesOf(schema: z.core.$ZodType): readonly (string | undefined)[] {
  if (schema instanceof z.ZodNumberFormat) return ["number"];
  if (schema instanceof z.ZodString) return ["string"];
  if (schema instanceof z.ZodEnum) return [...new Set(schema.options.map((option) => typeof option))];
  if (schema instanceof z.ZodBoolean) return ["boolean"];
  if (schema instanceof z.ZodArray) return ["list"];
  return [schema instanceof z.ZodObject ? "object" : undefined];
}

const never: Check = () => false;
const isText: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";

function isOneOf(values: ReadonlySet<unknown>): Check {
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
    // By index: an iterator creates an object for each item until V8 optimises the loop.
    for (let at = 0; at < value.length; at += 1) if (!check(value[at])) return false;
    return true;
  };
}

/** The check of a map. Parsing drops the key `__proto__`. */
function tableOf(check: Check): Check {
  return (value) => isObject(value) && !Object.hasOwn(value, "__proto__") && Object.values(value).every(check);
}

/** The check of an object. Additional keys are only allowed if the schema keeps them: a value with dropped keys would not be the same value. */
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

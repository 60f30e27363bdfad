import { isObject } from "../model/json.ts";

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

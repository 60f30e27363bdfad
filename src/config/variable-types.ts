import { isObject } from "../model/json.ts";

/** Types of variables, as `vars:` names them. */
export const VARIABLE_TYPES = ["string", "integer", "boolean", "group", "person", "channel"] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export function isVariableType(value: unknown): value is VariableType {
  return VARIABLE_TYPES.some((type) => type === value);
}

/**
 * Whether a value has a type. Whether the group, person or channel exists is checked where the variable is used, as for a name that is written out.
 */
export function isOfType(type: VariableType, value: unknown): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "integer":
      return Number.isSafeInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "group":
    case "channel":
      return isName(value);
    case "person": {
      const isAddress = typeof value === "string" && /^[^\s@]+@[^\s@]+$/.test(value.trim());
      return isAddress || (isObject(value) && Object.keys(value).join() === "id" && Number.isSafeInteger(value.id));
    }
  }
}

const isName = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

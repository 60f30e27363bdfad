import { isObject } from "../model/json.ts";

/** Types of variables, as `vars:` names them. */
export const VARIABLE_TYPES = ["string", "integer", "boolean", "group", "person", "channel"] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export function isVariableType(value: unknown): value is VariableType {
  return VARIABLE_TYPES.some((type) => type === value);
}

interface Flaw {
  /** "a text": what the variable is. */
  readonly wanted: string;
  readonly hint?: string;
}

/**
 * Why a value is not of a type; undefined when it is. Whether the group, person or channel exists is asked where the variable is
 * used, as it is for a name that is written out.
 */
export function valueFlaw(type: VariableType, value: unknown): Flaw | undefined {
  switch (type) {
    case "string":
      if (typeof value === "string") return undefined;
      return {
        wanted: "a text",
        ...(typeof value === "number" || typeof value === "boolean" ? { hint: `put it in quotes: "${value}"` } : {}),
      };
    case "integer":
      if (Number.isSafeInteger(value)) return undefined;
      return {
        wanted: "a whole number",
        ...(typeof value === "string" && /^-?\d+$/.test(value) ? { hint: `write ${value} without quotes` } : {}),
      };
    case "boolean":
      return typeof value === "boolean"
        ? undefined
        : { wanted: "true or false", hint: "write true or false, without quotes" };
    case "group":
      return isName(value) ? undefined : { wanted: "the name of a group", hint: "write it like staff or role:members" };
    case "channel":
      return isName(value) ? undefined : { wanted: "the name of a channel", hint: "write it like general" };
    case "person": {
      const address = typeof value === "string" && /^[^\s@]+@[^\s@]+$/.test(value.trim());
      const byId = isObject(value) && Object.keys(value).join() === "id" && Number.isSafeInteger(value.id);
      if (address || byId) return undefined;
      return {
        wanted: "a person",
        hint: "write the e-mail address of the account, or {id: 17} for somebody who hides the address",
      };
    }
  }
}

const isName = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

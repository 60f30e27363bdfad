import { isObject } from "./json.ts";
import type { Call, Param } from "./plan.ts";

/**
 * Does the call replace a value, or remove what has one, without the server looking at what was there? Only parameters of the form
 * `{new, old}` are compared (zulip-api.md §3.5.1). What a call merely makes, adds or takes away by name replaces nothing.
 */
export function replacesUnseen({ expects, for: purposes, params }: Call): boolean {
  return expects.some(
    ({ address, field }) =>
      field !== "exists" &&
      !isCompared(params[field]) &&
      purposes.some(
        (purpose) => purpose.address === address && (purpose.fields.length === 0 || purpose.fields.includes(field)),
      ),
  );
}

const isCompared = (param: Param | undefined): boolean => isObject(param) && "new" in param && "old" in param;

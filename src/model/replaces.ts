import { isObject } from "./json.ts";
import type { Call, Param } from "./plan.ts";

/**
 * Whether the call replaces a value, or removes an object with one, and the server does not compare the old value. Only parameters of the form `{new,
 * old}` are compared (zulip-api.md §3.5.1). A call that only creates, or adds or removes by name, replaces nothing.
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

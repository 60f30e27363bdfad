import type { Path } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";

/** What is written at a path; undefined if nothing is. */
export function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}

import type { Json } from "../../model/json.ts";
import type { LiveObject } from "../../model/objects.ts";

/** A linkifier as a person would write it: empty fields are left out. */
export function linkifierToYaml({ name, fields }: LiveObject): Json {
  const item: { [field: string]: Json } = { pattern: name };
  for (const [field, value] of Object.entries(fields)) {
    if (value !== null && !(Array.isArray(value) && value.length === 0)) item[field] = value;
  }
  return item;
}

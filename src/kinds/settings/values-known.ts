import type { Json } from "../../model/json.ts";
import { PROPERTIES } from "./properties.ts";

/** Can a request set the value: is it one that a file can say? A newer server may have others. */
export function canSetSetting(field: string, value: Json): boolean {
  return PROPERTIES[field]?.type.schema.safeParse(value).success !== false;
}

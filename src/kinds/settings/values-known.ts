import type { Json } from "../../model/json.ts";
import { isPicture } from "./pictures.ts";
import { PROPERTIES } from "./properties.ts";

/**
 * Whether a request can set the value, that is, whether a file can express it. A newer server may have other values, and a removed picture is lost.
 */
export function canSetSetting(field: string, value: Json): boolean {
  if (isPicture(field)) return value === null;
  return PROPERTIES[field]?.type.schema().safeParse(value).success !== false;
}

import type { Json } from "../../model/json.ts";
import { isPicture } from "./pictures.ts";
import { PROPERTIES } from "./properties.ts";

/** Can a request set the value: is it one that a file can say? A newer server may have others, and a picture that is gone nobody has. */
export function canSetSetting(field: string, value: Json): boolean {
  if (isPicture(field)) return value === null;
  return PROPERTIES[field]?.type.schema.safeParse(value).success !== false;
}

import { sha256 } from "../../src/apply/sha256.ts";
import { canonicalJson, isObject, type Json, type JsonObject } from "../../src/model/json.ts";

/** A saved plan as its text, with a checksum that is right: what anybody can make of one who edits it. */
export function withChecksum(value: JsonObject): string {
  const { signature, ...rest } = value;
  const { checksum: _, ...extra } = isObject(rest.extra) ? rest.extra : {};
  const checksum = sha256(canonicalJson({ ...rest, extra }));
  return `${JSON.stringify({ ...rest, extra: { ...extra, checksum }, ...(signature === undefined ? {} : { signature }) })}\n`;
}

export function jsonOf(text: string): JsonObject {
  const json: Json = JSON.parse(text);
  if (isObject(json)) return json;
  throw new RangeError("no object");
}

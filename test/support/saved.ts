import { sha256 } from "../../src/apply/sha256.ts";
import { canonicalJson, isObject, type Json, type JsonObject } from "../../src/model/json.ts";

/** The text of a saved plan with a correct checksum, as anybody can write it who edits a plan. */
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

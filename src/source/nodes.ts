import { isScalar, type Pair, parseDocument, type YAMLMap } from "yaml";
import type { Json } from "../model/json.ts";
import { quotedText } from "./write.ts";

/** The parsed document, without merges and without checks. */
export function documentOf(text: string) {
  return parseDocument(text, { version: "1.2", schema: "core", uniqueKeys: false, merge: false, logLevel: "silent" });
}

export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => keyName(pair) === key);
}

export const keyName = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : "");

/** The new text with the quotes of the old one, if it allows them. */
export function quotedLike(node: unknown, goal: Json, written: string): string {
  if (typeof goal !== "string" || !isScalar(node)) return written;
  // A text that needs escapes is written with them.
  if (written !== goal && written !== `"${goal}"`) return written;
  if (node.type === "QUOTE_SINGLE") return `'${goal.replaceAll("'", "''")}'`;
  return node.type === "QUOTE_DOUBLE" && !/["\\]/.test(goal) ? quotedText(goal) : written;
}

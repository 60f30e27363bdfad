import { clean } from "./clean.ts";
import { type FileParam, isFileParam } from "./file-param.ts";
import { isList, isObject, type Json } from "./json.ts";

/** Texts that YAML reads as something other than a string unless they are quoted. */
const NEEDS_QUOTES =
  /^$|^\s|\s$|^[-?:,[\]{}#&*!|>'"%@`]|: |:$| #|^(?:true|false|null|yes|no|on|off|~)$|^[+-]?[.\d][\d_.eE+-]*$/i;
const NEEDS_QUOTES_IN_FLOW = /[,[\]{}]/;

/** Text in the double quotes of YAML; {@link clean} does the rest. */
export const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** A canonical value as the file would write it, on one line and safe to print. */
export function valueText(value: Json): string {
  return flow(value, false);
}

function flow(value: Json, inside: boolean): string {
  if (typeof value === "string") {
    const plain = !NEEDS_QUOTES.test(value) && clean(value) === value && !(inside && NEEDS_QUOTES_IN_FLOW.test(value));
    return plain ? value : clean(quoted(value));
  }
  if (isFileParam(value)) return clean(fileText(value));
  if (isList(value)) return `[${value.map((item) => flow(item, true)).join(", ")}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).filter(([, item]) => !(isList(item) && item.length === 0));
    return `{${entries.map(([key, item]) => `${clean(key)}: ${flow(item, true)}`).join(", ")}}`;
  }
  return String(value);
}

/** Enough of the digest to distinguish two versions of a file. */
const DIGEST_DIGITS = 12;

/** A file that is sent, as reports name it. */
export function fileText({ file, sha256, size_bytes, media_type }: FileParam): string {
  return `${file} (${media_type}, ${size_bytes.toLocaleString("en")} bytes, SHA-256 ${sha256.slice(0, DIGEST_DIGITS)}…)`;
}

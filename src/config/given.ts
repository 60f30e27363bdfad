import { defined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import type { Given, ReadValues } from "../model/outside-values.ts";
import type { LoadOptions } from "../source/load.ts";
import type { VariableType } from "./variable-types.ts";

/** The values that a command names besides the file. Most name none. */
export async function givenValues(options: LoadOptions): Promise<ReadValues> {
  const { set = [], files = [] } = options.outside ?? {};
  if (set.length === 0 && files.length === 0) return { given: new Map(), diagnostics: [] };
  return (await import("./outside.ts")).readOutside(options);
}

/** A given value as one of the variable's type, as far as it can be. */
export function givenValue(
  given: Given,
  type: VariableType,
): { readonly value: unknown; readonly at?: Span; readonly by?: "--set" } {
  if (given.by === "--set") return { value: textValue(given.text, type), by: "--set" };
  return { value: given.value, ...defined({ at: given.at }) };
}

/** A text of the command line or the environment as a value of a type; the text itself if it is none. */
export function textValue(text: string, type: VariableType): unknown {
  if (type === "integer" && /^-?\d{1,15}$/.test(text.trim())) return Number(text);
  if (type === "boolean" && /^(?:true|false)$/.test(text.trim())) return text.trim() === "true";
  return text;
}

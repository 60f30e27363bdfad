import { missingArgument } from "./errors.ts";
import type { Params } from "./params.ts";

/** Names that are not parameters of any endpoint, yet are not reported as ignored. */
const ALWAYS_KNOWN: ReadonlySet<string> = new Set(["client"]);

/**
 * All parameters of an endpoint in the declared order, and the names that it does not know.
 * @throws ApiError for the first parameter that is missing or invalid
 */
export function readParams(
  params: Params,
  values: ReadonlyMap<string, string>,
  level: number,
): { readonly args: object; readonly ignored: readonly string[] } {
  const args: { [name: string]: unknown } = {};
  const known = new Set(ALWAYS_KNOWN);
  for (const [name, param] of Object.entries(params)) {
    const raw = level >= param.level && level < param.until ? values.get(name) : undefined;
    if (level >= param.level && level < param.until) known.add(name);
    if (raw !== undefined) args[name] = param.read(raw, name);
    else if (param.fallback !== undefined) args[name] = param.fallback.value;
    else throw missingArgument(name);
  }
  return { args, ignored: [...values.keys()].filter((name) => !known.has(name)).sort() };
}

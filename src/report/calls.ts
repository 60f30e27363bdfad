import { clean } from "../model/clean.ts";
import { isFileParam } from "../model/file-param.ts";
import { type Call, isIdOf, isMinutesUntil, type Param, type Plan } from "../model/plan.ts";
import { fileText } from "../model/value-text.ts";
import { PLAIN, shorten } from "./style.ts";

/** The maximum number of shown characters of a value without `all`. */
const MOST_CHARACTERS = 300;

/**
 * One call in a line: its number, the operation and all parameters.
 * @param all values in full length
 */
function callLine({ n, operation, path, params }: Call, all = false): string {
  const values = [...Object.entries(path), ...Object.entries(params)].map(([name, value]) => {
    const text = JSON.stringify(shown(value));
    return `${name}=${all ? text : shorten(PLAIN, text, MOST_CHARACTERS)}`;
  });
  return clean([`${n}.`, operation, ...values].join(" "));
}

/** Every call of a plan, in the order in which they are sent. */
export function callLines({ calls }: Pick<Plan, "calls">, all = false): readonly string[] {
  return calls.map((call) => callLine(call, all));
}

/** An id that is not known yet is shown as the address of its object. */
function shown(value: Param): Param {
  if (isIdOf(value)) return `id of ${value.idOf}`;
  if (isMinutesUntil(value)) return `minutes until ${value.minutesUntil.slice(0, 16).replace("T", " ")} UTC`;
  if (isFileParam(value)) return fileText(value);
  if (isParams(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item)]));
}

const isParams = (value: Param): value is readonly Param[] => Array.isArray(value);

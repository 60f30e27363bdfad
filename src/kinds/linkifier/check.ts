import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, placed } from "../../model/diagnostic.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { Pair } from "../../model/objects.ts";
import { type Change, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { fieldsAfter } from "./fields.ts";
import { overlapWarnings } from "./overlap.ts";
import { causesOf, type PlaceOf } from "./pattern-causes.ts";

/** Errors that the server would refuse, and errors that only the whole list shows. */
export function checkLinkifiers(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...rightsDiagnostics(changes, context),
    ...context.pairs("linkifiers").flatMap((pair) => pairDiagnostics(pair)),
    ...twice(context),
    ...overlapWarnings(context),
  ];
}

function rightsDiagnostics(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first === undefined || context.realm.isAdmin) return [];
  return [error("linkifiers/not-allowed", { account: runningAccount(context.snapshot) }, first.at)];
}

/** Errors that the item alone did not show, because a part of the linkifier is only on the server. */
function pairDiagnostics(pair: Pair): readonly Diagnostic[] {
  const { declared, change } = pair;
  const fields = fieldsAfter(pair);
  if (declared === undefined || change === undefined || fields === undefined) return [];
  if (fields.url_template === null) return [error("linkifiers/no-template", {}, declared.at)];
  const alone = new Set(Object.keys(declared.fields));
  const whole = new Set(["url_template", "example_input", "reverse_template"]);
  const placeOf: PlaceOf = (field) => {
    const value = field === "pattern" || alone.has(field) ? null : fields[field];
    return defined({ on_server: value === null ? undefined : { field, value: quote(String(value)) } });
  };
  const known = new Set(causesOf(fields, alone).map(({ finding }) => JSON.stringify(finding)));
  return causesOf(fields, whole, placeOf)
    .filter(({ finding }) => finding.severity !== "warning" && !known.has(JSON.stringify(finding)))
    .map(({ field, finding }) => placed(finding, spanOfField(change, field)));
}

/** Two linkifiers that would have one pattern: an item that is renamed to the pattern of another one. */
function twice(context: PlanContext): readonly Diagnostic[] {
  const holders = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  // Linkifiers that are only on the server come last, so the declared one is found first from the end.
  for (const pair of context.pairs("linkifiers").toReversed()) {
    const pattern = fieldsAfter(pair)?.pattern;
    if (pattern === undefined) continue;
    if (holders.has(pattern)) {
      const at = pair.declared?.at ?? pair.change?.at;
      diagnostics.push(error("linkifiers/pattern-taken", { pattern: quote(pattern) }, at));
    }
    holders.add(pattern);
  }
  return diagnostics;
}

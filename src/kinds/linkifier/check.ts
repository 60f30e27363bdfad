import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Pair, PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { accountThatRuns, problem, spanOfField } from "../problems.ts";
import { fieldsAfter } from "./fields.ts";
import { flawsOf } from "./flaws.ts";
import { overlapWarnings } from "./overlap.ts";

/** What the server would refuse, and what only the whole list shows. */
export function checkLinkifiers(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...rightsProblems(changes, context),
    ...context.pairs("linkifiers").flatMap((pair) => pairProblems(pair)),
    ...twice(context),
    ...overlapWarnings(context),
  ];
}

function rightsProblems(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first === undefined || context.realm.isAdmin) return [];
  return [
    problem(
      "linkifiers/not-allowed",
      `${accountThatRuns(context)} may not change linkifiers`,
      "it has to be an administrator of the organization",
      first.at,
    ),
  ];
}

/** What the item alone did not show, because a part of the linkifier is on the server only. */
function pairProblems(pair: Pair): readonly Diagnostic[] {
  const { declared, change } = pair;
  const fields = fieldsAfter(pair);
  if (declared === undefined || change === undefined || fields === undefined) return [];
  if (fields.url_template === null) {
    return [
      problem(
        "linkifiers/no-template",
        "a new linkifier needs a url_template",
        "write where the link shall lead: https://bugs.example.org/{id}",
        declared.at,
      ),
    ];
  }
  const alone = new Set(Object.keys(declared.fields));
  const whole = new Set(["url_template", "example_input", "reverse_template"]);
  const known = flawsOf(fields, alone).map(({ message }) => message);
  return flawsOf(fields, whole)
    .filter(({ message, severity }) => severity === "error" && !known.includes(message))
    .map(({ field, code, message, hint }) => {
      const value = field === "pattern" ? null : fields[field];
      const place = alone.has(field) || value === null ? "" : ` (${field} on the server: ${value})`;
      return problem(code, message + place, hint, spanOfField(change, field));
    });
}

/** Two linkifiers that would have one pattern: an item that is renamed to what another one is called. */
function twice(context: PlanContext): readonly Diagnostic[] {
  const holders = new Set<string>();
  const problems: Diagnostic[] = [];
  // What only the server has comes last, so the declared one is the holder: look from the end.
  for (const pair of context.pairs("linkifiers").toReversed()) {
    const pattern = fieldsAfter(pair)?.pattern;
    if (pattern === undefined) continue;
    if (holders.has(pattern)) {
      problems.push(
        problem(
          "linkifiers/pattern-taken",
          `there is another linkifier with the pattern ${pattern}`,
          "remove that one (absent: true), or give it another pattern",
          pair.declared?.at ?? pair.change?.at,
        ),
      );
    }
    holders.add(pattern);
  }
  return problems;
}

import { type Diagnostic, warning } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { MOST_PATTERN_STEPS, sizeOf } from "./cost.ts";
import { fieldsAfter } from "./fields.ts";
import { finalOrder } from "./order.ts";
import { findInText, readPatternInText } from "./pattern.ts";

/**
 * Linkifiers that never come to work on their own example, because one before them takes it. Only those that the file declares
 * with an example can be judged.
 */
export function overlapWarnings(context: PlanContext): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  // What is compared with what comes before it grows with the square: the first thousands get this warning.
  let left = MOST_PATTERN_STEPS;
  const earlier: {
    readonly source: string;
    readonly size: number;
    readonly pattern: NonNullable<ReturnType<typeof readPatternInText>>;
  }[] = [];
  for (const pair of finalOrder(context)) {
    const fields = fieldsAfter(pair);
    const pattern = fields === undefined ? undefined : readPatternInText(fields.pattern);
    if (fields === undefined || pattern === undefined) continue;
    const { example_input: example } = fields;
    const own = example === null ? undefined : findInText(pattern, example);
    if (example !== null && own !== undefined && pair.declared !== undefined) {
      const taker = earlier.find((candidate) => {
        left -= candidate.size * example.length;
        if (left < 0) return false;
        const taken = findInText(candidate.pattern, example);
        return taken !== undefined && taken.start < own.end && own.start < taken.end;
      });
      if (taker !== undefined) {
        const fact = { pattern: quote(taker.source, "linkifier"), example: quote(example) };
        found.push(warning("linkifiers/overlap", fact, pair.declared.spans.example_input ?? pair.declared.at));
      }
    }
    earlier.push({ source: fields.pattern, pattern, size: sizeOf(fields.pattern) });
  }
  return found;
}

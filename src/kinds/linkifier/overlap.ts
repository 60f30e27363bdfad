import { type Diagnostic, warning } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { DeclaredObject } from "../../model/objects.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { finalOrder } from "./calls.ts";
import { fieldsAfter, fieldsOf, type LinkifierFields, MOST_PATTERN_STEPS } from "./fields.ts";
import { findInText, readPatternInText } from "./pattern.ts";
import { sizeOf } from "./size.ts";

/**
 * Linkifiers that never match their own example, because an earlier one matches it. Only linkifiers that the file declares with an example can be
 * checked.
 */
export function overlapWarnings(context: PlanContext): readonly Diagnostic[] {
  return overlapsIn(finalOrder(context).map((pair) => ({ fields: fieldsAfter(pair), declared: pair.declared })));
}

/** The same for the file alone: linkifiers that are only on the server may come before all of these. */
export function overlapsInFile(
  declared: readonly DeclaredObject[],
  _section: (name: string) => readonly DeclaredObject[],
  realm: Realm | undefined,
): readonly Diagnostic[] {
  if (realm !== undefined) return [];
  const staying = declared.filter(({ absent }) => !absent);
  return overlapsIn(staying.map((object) => ({ fields: fieldsOf(object.name, object.fields), declared: object })));
}

interface Row {
  readonly fields: LinkifierFields | undefined;
  readonly declared: DeclaredObject | undefined;
}

/** @param rows in the order in which the server tries them */
function overlapsIn(rows: readonly Row[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  // The number of comparisons grows with the square of the list: only the first thousands are checked.
  let left = MOST_PATTERN_STEPS;
  const earlier: {
    readonly source: string;
    readonly size: number;
    readonly pattern: NonNullable<ReturnType<typeof readPatternInText>>;
  }[] = [];
  for (const { fields, declared } of rows) {
    const pattern = fields === undefined ? undefined : readPatternInText(fields.pattern);
    if (fields === undefined || pattern === undefined) continue;
    const { example_input: example } = fields;
    const own = example === null ? undefined : findInText(pattern, example);
    if (example !== null && own !== undefined && declared !== undefined) {
      const taker = earlier.find((candidate) => {
        left -= candidate.size * example.length;
        if (left < 0) return false;
        const taken = findInText(candidate.pattern, example);
        return taken !== undefined && taken.start < own.end && own.start < taken.end;
      });
      if (taker !== undefined) {
        const fact = { pattern: quote(taker.source, "linkifier"), example: quote(example) };
        found.push(warning("linkifiers/overlap", fact, declared.spans.of("example_input") ?? declared.at));
      }
    }
    earlier.push({ source: fields.pattern, pattern, size: sizeOf(fields.pattern) });
  }
  return found;
}

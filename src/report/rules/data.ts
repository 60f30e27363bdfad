import { clean } from "../../model/clean.ts";
import { defined } from "../../model/defined.ts";
import type { Diagnostic, ExitCode } from "../../model/diagnostic.ts";
import { count } from "../../model/words.ts";
import type { Ground } from "../../rules/bind.ts";
import type { Violation } from "../../rules/check.ts";
import { targetFact } from "../../rules/claims.ts";
import type { RulesResult } from "../../rules/result.ts";
import { targetAddress } from "../access/names.ts";
import { renderJson } from "../json.ts";
import { wordedDiagnostic } from "../words/diagnostics.ts";
import { brokenRule, unknownFact } from "./facts.ts";
import { reasonText, unknownTexts, violationText } from "./words.ts";

/** The result of each rule, for programs. */
export function rulesJson(
  { outcomes, ground, against, snapshot }: RulesResult,
  exitCode: ExitCode,
  warnings: readonly Diagnostic[],
): string {
  return renderJson({
    format: "realmctl.test",
    version: 4,
    against,
    ...defined({
      realm: snapshot === undefined ? undefined : snapshot.realm.url,
      snapshot_taken_at: snapshot === undefined ? undefined : snapshot.taken_at,
    }),
    rules: outcomes.map(({ name, at, violations, more, undecided, reasons, verdict, checked }) => ({
      name,
      at,
      // The value is null if the result is unknown.
      holds: verdict === "undecided" ? null : verdict === "holds",
      looked_at: checked,
      undecided,
      ...defined({ because: reasons.length === 0 ? undefined : unknownTexts(reasons.map(unknownFact)) }),
      violations: violations.map((violation) => ({
        ...textsOf(name, violation, ground),
        on: targetAddress(violation.target),
        ...defined({ was: wasOf(violation, ground) }),
        kind: violation.kind,
        ...("right" in violation ? { right: violation.right } : { field: violation.field }),
        ...defined({
          person: "id" in violation ? ground.realm.userName(violation.id) : undefined,
          full_name: "id" in violation ? ground.realm.user(violation.id)?.full_name : undefined,
        }),
        granted_at: ("granted" in violation ? violation.granted : undefined) ?? null,
      })),
      more_violations: more,
    })),
    warnings: warnings.map(wordedDiagnostic),
    exit_code: exitCode,
  });
}

function wasOf({ target }: Violation, ground: Ground): string | undefined {
  const on = targetFact(target, ground);
  return on === "organization" ? undefined : on.was;
}

function textsOf(name: string, violation: Violation, ground: Ground) {
  const fact = brokenRule({ name }, violation, ground).violation;
  return { message: violationText(fact), reason: reasonText(fact) || null };
}

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
const escaped = (text: string): string => clean(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

/** JUnit's XML, as CI hosts read it: a test case for each rule. */
export function rulesJunit({ outcomes, ground }: RulesResult): string {
  const [broken, skipped] = (["broken", "undecided"] as const).map(
    (wanted) => outcomes.filter(({ verdict }) => verdict === wanted).length,
  );
  const cases = outcomes.map(({ name, at, violations, more, undecided, reasons, verdict }) => {
    const head = `    <testcase name="${escaped(name)}" classname="${escaped(at.file)}" file="${escaped(at.file)}" line="${at.line}"`;
    if (verdict === "holds") return `${head}/>`;
    if (verdict === "undecided") {
      const number = count(undecided, "right, field or person", "rights, fields and people");
      const why = reasons.length === 0 ? `${number} not known` : unknownTexts(reasons.map(unknownFact)).join("; ");
      return `${head}>\n      <skipped message="${escaped(why)}"/>\n    </testcase>`;
    }
    const lines = violations.map((violation) => {
      const place =
        "granted" in violation && violation.granted !== undefined
          ? ` [${violation.granted.file}:${violation.granted.line}]`
          : "";
      const { message, reason } = textsOf(name, violation, ground);
      return `${message}${reason === null ? "" : ` (${reason})`}${place}`;
    });
    const text = [...lines, ...(more > 0 ? [`and ${more} more`] : [])];
    return `${head}>\n      <failure message="${escaped(lines[0] ?? "")}">${text.map(escaped).join("\n")}</failure>\n    </testcase>`;
  });
  return junit(cases, outcomes.length, `failures="${broken}" skipped="${skipped}"`);
}

function junit(cases: readonly string[], number: number, counts: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${number}" ${counts}>`,
    `  <testsuite name="realmctl test" tests="${number}" ${counts}>`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** JUnit's XML if rules could not be checked: a test case for each error, so that a CI host does not treat it as a run without tests. */
export function errorsJunit(diagnostics: readonly Diagnostic[]): string {
  const found = diagnostics.filter(({ severity }) => severity === "error").map(wordedDiagnostic);
  const cases = found.map(({ code, message, hint, at }) => {
    const place =
      at === undefined ? "" : ` classname="${escaped(at.file)}" file="${escaped(at.file)}" line="${at.line}"`;
    const text = [message, ...(hint === undefined ? [] : [hint])].map(escaped).join("\n");
    return `    <testcase name="${escaped(code)}"${place}>\n      <error type="${escaped(code)}" message="${escaped(message)}">${text}</error>\n    </testcase>`;
  });
  return junit(cases, found.length, `errors="${found.length}"`);
}

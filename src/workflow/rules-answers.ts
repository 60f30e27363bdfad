import { type Checked, type Diagnostic, EXIT, type ExitCode } from "../model/diagnostic.ts";
import { asJson } from "../model/json.ts";
import { unresolvedIn } from "../model/plan.ts";
import { SUGGESTED_OF_FILE, suggestedName } from "../report/rules/words.ts";
import { PLAIN, type Style } from "../report/style.ts";
import type { RulesResult } from "../rules/result.ts";
import { suggestedRules } from "../rules/suggest.ts";
import type { LoadOptions } from "../source/load.ts";
import { writeYaml } from "../source/write.ts";
import { type Against, groundOf, testRules } from "./rules.ts";

/** The form in which results of rules are shown. */
export interface RulesShown {
  /** Default: `text`. `json` is what `realmctl test --format json` prints. */
  readonly format?: "text" | "json" | "junit";
  /** The style of `text`; default: without colours. */
  readonly style?: Style;
  /** Whether `text` also lists the rules that hold. */
  readonly all?: boolean;
}

/** Rules about access, checked. */
export interface RulesAnswer {
  /** 8 if a rule does not hold, 1 if that is not known for what needs a name that does not resolve. */
  readonly exitCode: ExitCode;
  show(shown?: RulesShown): Promise<string>;
  /** Every place where a rule does not hold, and every rule whose result is unknown: for annotations and SARIF. */
  diagnostics(): Promise<readonly Diagnostic[]>;
}

/**
 * Reads rules and checks them, as `realmctl test` does.
 * @param file what the text calls the configuration
 * @returns every error in the rules and in the file, if there are any
 * @throws Failure if the organization cannot be read
 */
export async function answerRules(
  rules: LoadOptions,
  against: Against,
  file: string,
): Promise<Checked<RulesAnswer> & { readonly others?: RulesAnswer }> {
  const { others, ...tested } = await testRules(rules, against);
  if (tested.ok) return { ...tested, value: answerOf(tested.value, tested.warnings, file) };
  return others === undefined ? tested : { ...tested, others: answerOf(others, [], file) };
}

function answerOf(result: RulesResult, warnings: readonly Diagnostic[], file: string): RulesAnswer {
  const isBroken = result.outcomes.some(({ violations }) => violations.length > 0);
  const unresolved = unresolvedIn({ warnings });
  const isWhole = unresolved.length === 0;
  const open = unresolved.flatMap(({ at }) => at ?? []);
  const exitCode = isBroken ? EXIT.ruleBroken : isWhole ? EXIT.done : EXIT.errors;
  const show: RulesAnswer["show"] = async ({ format = "text", style = PLAIN, all = false } = {}) => {
    if (format === "text")
      return (await import("../report/rules/text.ts")).renderRules(result, { style, all, file, open });
    const { rulesJson, rulesJunit } = await import("../report/rules/data.ts");
    return format === "junit" ? rulesJunit(result) : rulesJson(result, exitCode, warningsOfRules(warnings));
  };
  return { exitCode, show, diagnostics: () => diagnosticsOf(result) };
}

/** The warnings about the rules themselves; the others are about the file. */
export const warningsOfRules = (warnings: readonly Diagnostic[]): readonly Diagnostic[] =>
  warnings.filter(({ code }) => code.startsWith("rules/"));

async function diagnosticsOf({ outcomes, ground }: RulesResult): Promise<readonly Diagnostic[]> {
  const { brokenDiagnostics, undecidedDiagnostics } = await import("../report/rules/facts.ts");
  return outcomes.flatMap((outcome) => [...brokenDiagnostics(outcome, ground), ...undecidedDiagnostics(outcome)]);
}

/** A file of rules that hold now, for somebody to review and shorten. */
export async function suggestRules(against: Against): Promise<Checked<string>> {
  const grounded = await groundOf(against, []);
  if (!grounded.ok) return grounded;
  const tests = suggestedRules(grounded.value.ground).map(({ about, claim }) => ({
    name: suggestedName(about),
    ...claim,
  }));
  const { text } = writeYaml({
    entries: [
      { key: "version", value: 1 },
      { key: "tests", value: asJson(tests) },
    ],
  });
  const note = grounded.value.ground.isFileAlone ? SUGGESTED_OF_FILE : "";
  return { ok: true, value: `${note}${text}`, warnings: [] };
}

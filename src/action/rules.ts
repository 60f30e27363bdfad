import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, type ExitCode } from "../model/diagnostic.ts";
import { ruleDoesNotHold } from "../report/action/log.ts";
import type { DriftRules } from "../report/json.ts";
import type { Redaction } from "../report/redact.ts";
import { brokenDiagnostics } from "../report/rules/facts.ts";
import { rulesMarkdown } from "../report/rules/markdown.ts";
import { type SaidDiagnostic, wordedDiagnostic } from "../report/words/diagnostics.ts";
import { type RulesResult, ruleCounts } from "../rules/result.ts";
import { type Against, rulesBeside, testRules } from "../workflow/rules.ts";
import { diagnosticAnnotations } from "./annotations.ts";
import { type Files, hasFile } from "./files.ts";
import type { Annotation } from "./github.ts";
import type { Job } from "./job.ts";

/** The rules of one version of the repository, and their results. */
export interface CheckedRules {
  /** Path of the rules. */
  readonly file: string;
  /** `base`: the rules of the version that the pull request would change, if they differ from the head's. */
  readonly of: "head" | "base";
  /** The result; undefined if the rules cannot be read, or do not fit the organization after the pull request. */
  readonly result?: RulesResult;
  /** Without a result: the errors of these rules; those without an error are another entry. With a result: warnings about the rules. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether one of them refuses the plan. */
const isBroken = ({ result }: CheckedRules): boolean =>
  result === undefined || result.outcomes.some(({ violations }) => violations.length > 0);

/** How many rules are broken; a rules file that cannot be checked counts as one. */
function brokenRules(checked: readonly CheckedRules[]): number {
  return checked.reduce(
    (sum, { result }) => sum + (result?.outcomes.filter(({ violations }) => violations.length > 0).length ?? 1),
    0,
  );
}

/** The result of a run that found nothing else. */
const rulesExitCode = (checked: readonly CheckedRules[]): ExitCode =>
  checked.some(isBroken) ? EXIT.ruleBroken : EXIT.done;

/** The path of the rules, and whether an input names it: a file that no input names does not have to exist. */
function named(job: Job): { readonly file: string; readonly isNamed: boolean } {
  const { rules, file } = job.inputs;
  return { file: rules ?? rulesBeside(file), isNamed: rules !== undefined };
}

/**
 * The rules of the head, checked against the organization as the head leaves it. Errors in them are the pull request's own.
 * @param base the version before, if this is a pull request: it may have objects that the head no longer has
 */
export async function ownRules(
  job: Job,
  files: Files,
  against: Against,
  base?: Files,
): Promise<Checked<readonly CheckedRules[]>> {
  const { file, isNamed } = named(job);
  if (!(await hasFile(files, file)) && (!isNamed || (base !== undefined && (await hasFile(base, file)))))
    return { ok: true, value: [], warnings: [] };
  const tested = await testRules({ ...files, file }, against);
  if (!tested.ok) return tested;
  return { ok: true, value: checkedAs(file, "head", tested), warnings: [] };
}

/** Checks the same rules against the live organization. Rules that no longer fit it do not keep the others from being checked. */
export async function liveRules(job: Job, reader: ZulipReader): Promise<readonly CheckedRules[]> {
  const { file, isNamed } = named(job);
  if (!isNamed && !(await hasFile(job.files, file))) return [];
  return checkedAs(
    file,
    "head",
    await testRules({ ...job.files, file }, { what: "reading", reader, invitations: job.files }),
  );
}

/** A warning about the rules, and no other of the run. */
const isOfRules = ({ code }: Diagnostic): boolean => code.startsWith("rules/");

/** The results of rules; of those with an error, the error, and the results of the others. */
function checkedAs(
  file: string,
  of: CheckedRules["of"],
  tested: Awaited<ReturnType<typeof testRules>>,
): readonly CheckedRules[] {
  if (tested.ok) return [{ file, of, result: tested.value, diagnostics: tested.warnings.filter(isOfRules) }];
  const unfit = { file, of, diagnostics: tested.diagnostics.filter(({ severity }) => severity === "error") };
  return tested.others === undefined ? [unfit] : [unfit, { file, of, result: tested.others, diagnostics: [] }];
}

/**
 * The rules of the base, checked against the same state. As with guard rails, a pull request that changes the organization cannot loosen the rules
 * that it is checked against: if they cannot be read, or name something that it removes, they refuse it.
 */
export async function baseRules(
  job: Job,
  base: Files,
  head: Files,
  against: Against,
): Promise<readonly CheckedRules[]> {
  const { file } = named(job);
  if (!(await hasFile(base, file))) return [];
  if ((await hasFile(head, file)) && (await base.readFile(file)) === (await head.readFile(file))) return [];
  // Warnings about rules that the pull request changes help nobody.
  return checkedAs(file, "base", await testRules({ ...base, file }, against)).map((one) =>
    one.result === undefined ? one : { ...one, diagnostics: [] },
  );
}

/** What is reported about rules wherever reviewers look. */
export interface RulesReport {
  readonly broken: number;
  readonly exitCode: ExitCode;
  /** The report as Markdown, for a comment or a summary. */
  markdown(budget: number): string;
  /** Annotations at the line that grants a forbidden right, otherwise at the rule, if the head has it. */
  readonly annotations: readonly Annotation[];
  /** The lines of the log. */
  readonly lines: readonly string[];
  /** The data for the report of a drift; undefined if there are no rules. */
  readonly data: DriftRules | undefined;
}

/** The report for other readers: names of people and of private objects are hidden, as in all outputs of the job. */
export function rulesReport(job: Job, checked: readonly CheckedRules[], redaction: Redaction): RulesReport {
  const shown = checked.map((one) => ({
    ...one,
    ofBase: one.of === "base",
    result: one.result,
    diagnostics: job.conceal.said(one.diagnostics),
  }));
  const said = shown.flatMap(({ ofBase, result, diagnostics }): readonly SaidDiagnostic[] => {
    // A line of the base has another number in the head.
    if (result === undefined) return diagnostics.map(withoutPlace);
    return result.outcomes.flatMap((outcome) =>
      brokenDiagnostics(outcome, result.ground, redaction)
        .map(wordedDiagnostic)
        .map((one) => (ofBase && one.at === outcome.at ? withoutPlace(one) : one)),
    );
  });
  const doubtful = shown.flatMap(({ result, diagnostics }) => (result === undefined ? [] : diagnostics));
  const annotations = diagnosticAnnotations([...said, ...doubtful]);
  return {
    broken: brokenRules(checked),
    exitCode: rulesExitCode(checked),
    markdown: (budget) => rulesMarkdown(shown, redaction, budget),
    annotations,
    data:
      checked.length === 0
        ? undefined
        : {
            ...ruleCounts(checked.flatMap(({ result }) => result?.outcomes ?? [])),
            // A file of rules that cannot be checked counts, too.
            broken: brokenRules(checked),
            ...defined({
              cannotBeHeld: checked.some(({ result }) => result === undefined) ? (true as const) : undefined,
            }),
            messages: said.map(({ message }) => message),
          },
    lines: said.slice(0, MOST_LINES).map(({ message }) => ruleDoesNotHold(message)),
  };
}

const MOST_LINES = 50;

function withoutPlace({ at: _, ...rest }: SaidDiagnostic): SaidDiagnostic {
  return rest;
}

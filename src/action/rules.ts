import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, type ExitCode } from "../model/diagnostic.ts";
import { ruleDoesNotHold } from "../report/action/log.ts";
import type { DriftRules } from "../report/json.ts";
import type { Redaction } from "../report/redact.ts";
import { brokenDiagnostics } from "../report/rules/facts.ts";
import { rulesMarkdown } from "../report/rules/markdown.ts";
import { type SaidDiagnostic, wordedDiagnostic } from "../report/words/diagnostics.ts";
import type { RulesResult } from "../rules/result.ts";
import { type Against, rulesBeside, testRules } from "../workflow/rules.ts";
import { diagnosticAnnotations } from "./annotations.ts";
import { type Files, hasFile } from "./files.ts";
import type { Annotation } from "./github.ts";
import type { Job } from "./job.ts";

/** Rules of one version of the repository, and what became of them. */
export interface HeldRules {
  /** Path of the rules. */
  readonly file: string;
  /** `base`: those of the version that a pull request asks to change, where they are others than the head's. */
  readonly of: "head" | "base";
  /** Undefined: they cannot be read, or do not fit what the pull request makes of the organization. */
  readonly result?: RulesResult;
  /** Why not: the base's own errors. With a result: what is doubtful in the rules. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether one of them refuses. */
const isBroken = ({ result }: HeldRules): boolean =>
  result === undefined || result.outcomes.some(({ violations }) => violations.length > 0);

/** How many rules do not hold; rules that cannot be held against anything are one. */
function brokenRules(held: readonly HeldRules[]): number {
  return held.reduce(
    (sum, { result }) => sum + (result?.outcomes.filter(({ violations }) => violations.length > 0).length ?? 1),
    0,
  );
}

/** Of a run that found nothing else. */
const rulesExitCode = (held: readonly HeldRules[]): ExitCode => (held.some(isBroken) ? EXIT.ruleBroken : EXIT.done);

/** Where the rules are, and whether somebody said so: a file that nobody named need not be there. */
function named(job: Job): { readonly file: string; readonly isNamed: boolean } {
  const { rules, file } = job.inputs;
  return { file: rules ?? rulesBeside(file), isNamed: rules !== undefined };
}

/**
 * The rules of the version that is asked for, held against what it makes of the organization. Errors in them are its own.
 * @param base the version before, when this is a pull request: what it has may be gone in the head
 */
export async function ownRules(
  job: Job,
  files: Files,
  against: Against,
  base?: Files,
): Promise<Checked<readonly HeldRules[]>> {
  const { file, isNamed } = named(job);
  if (!(await hasFile(files, file)) && (!isNamed || (base !== undefined && (await hasFile(base, file)))))
    return { ok: true, value: [], warnings: [] };
  const tested = await testRules({ ...files, file }, against);
  if (!tested.ok) return tested;
  const diagnostics = tested.warnings.filter(({ code }) => code.startsWith("rules/"));
  return { ok: true, value: [{ file, of: "head", result: tested.value, diagnostics }], warnings: [] };
}

/** Checks the same rules against the organization as it is. Rules that no longer fit it do not keep the others from being checked. */
export async function liveRules(job: Job, reader: ZulipReader): Promise<readonly HeldRules[]> {
  const tested = await ownRules(job, job.files, { what: "reading", reader });
  if (tested.ok) return tested.value;
  const diagnostics = tested.diagnostics.filter(({ severity }) => severity === "error");
  return [{ file: named(job).file, of: "head", diagnostics }];
}

/**
 * The rules of the base, held against the same. A pull request that changes the organization cannot loosen what it is held against, as with
 * guard rails: rules that cannot be read, or name what it takes away, refuse it.
 */
export async function baseRules(job: Job, base: Files, head: Files, against: Against): Promise<readonly HeldRules[]> {
  const { file } = named(job);
  if (!(await hasFile(base, file))) return [];
  if ((await hasFile(head, file)) && (await base.readFile(file)) === (await head.readFile(file))) return [];
  const tested = await testRules({ ...base, file }, against);
  if (tested.ok) return [{ file, of: "base", result: tested.value, diagnostics: [] }];
  return [{ file, of: "base", diagnostics: tested.diagnostics.filter(({ severity }) => severity === "error") }];
}

/** What is said of rules wherever reviewers look. */
export interface RulesReport {
  readonly broken: number;
  readonly exitCode: ExitCode;
  /** For a comment or a summary. */
  markdown(budget: number): string;
  /** At the line that gives somebody what a rule forbids; else at the rule, where the head has it. */
  readonly annotations: readonly Annotation[];
  /** Lines of the log. */
  readonly lines: readonly string[];
  /** For the report of a drift; undefined where there are no rules. */
  readonly data: DriftRules | undefined;
}

/** Rules for others to read: names of people and of private objects are hidden as everywhere in the job's outputs. */
export function rulesReport(job: Job, held: readonly HeldRules[], redaction: Redaction): RulesReport {
  const shown = held.map((one) => ({
    ...one,
    ofBase: one.of === "base",
    result: one.result,
    diagnostics: job.conceal.said(one.diagnostics),
  }));
  const said = shown.flatMap(({ ofBase, result, diagnostics }): readonly SaidDiagnostic[] => {
    // A line of the base is another one in the head.
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
    broken: brokenRules(held),
    exitCode: rulesExitCode(held),
    markdown: (budget) => rulesMarkdown(shown, redaction, budget),
    annotations,
    data:
      held.length === 0
        ? undefined
        : {
            held: held.reduce((sum, { result }) => sum + (result?.outcomes.length ?? 0), 0),
            broken: brokenRules(held),
            ...defined({ cannotBeHeld: held.some(({ result }) => result === undefined) ? (true as const) : undefined }),
            messages: said.map(({ message }) => message),
          },
    lines: said.slice(0, MOST_LINES).map(({ message }) => ruleDoesNotHold(message)),
  };
}

const MOST_LINES = 50;

function withoutPlace({ at: _, ...rest }: SaidDiagnostic): SaidDiagnostic {
  return rest;
}

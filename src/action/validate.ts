import { kinds } from "../kinds/registry.ts";
import { type Checked, type Diagnostic, EXIT, type ExitCode } from "../model/diagnostic.ts";
import { diagnosticLines, worstFirst } from "../report/action/diagnostics.ts";
import { validatedPage } from "../report/action/pages.ts";
import { readWhole } from "../workflow/guards.ts";
import { planRealm } from "../workflow/workflow.ts";
import { diagnosticAnnotations } from "./annotations.ts";
import { namedPolicies } from "./guard-rails.ts";
import { type Job, SUMMARY_BUDGET } from "./job.ts";
import { annotateLog } from "./publish.ts";
import { withRealm } from "./snapshot-source.ts";

/** Checks the files of the checkout, guard rails included, for errors; with a snapshot, checks the file against that realm, too. */
export async function validateCommand(job: Job): Promise<ExitCode> {
  const named = await namedPolicies(job);
  const own =
    job.inputs.snapshot === undefined
      ? await readWhole({ ...job.files, kinds })
      : await withRealm(job, ({ reader }) => planRealm({ ...job.files, reader }));
  const found = [...said(own), ...said(named)];
  const diagnostics = worstFirst(job.conceal.said(found.filter(isFirst)));
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  for (const line of diagnosticLines(diagnostics)) job.say(line);
  annotateLog(job, diagnosticAnnotations(diagnostics));
  job.setOutput("errors", errors);
  const files = [job.files.file, ...(job.inputs.policy === undefined ? [] : [job.inputs.policy])];
  const isValid = own.ok && named.ok;
  await job.summarise(validatedPage(files, isValid, diagnostics, SUMMARY_BUDGET));
  return isValid ? EXIT.done : EXIT.errors;
}

const said = (checked: Checked<unknown>): readonly Diagnostic[] =>
  checked.ok ? checked.warnings : checked.diagnostics;

/** The file and the input may both name the same policy file. */
function isFirst(diagnostic: Diagnostic, index: number, all: readonly Diagnostic[]): boolean {
  const text = JSON.stringify(diagnostic);
  return diagnostic.at === undefined || all.findIndex((other) => JSON.stringify(other) === text) === index;
}

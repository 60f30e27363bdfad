import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import { codeText } from "../report/markdown-text.ts";
import { planRealm } from "../workflow.ts";
import { mistakeAnnotations } from "./annotations.ts";
import { type Job, SUMMARY_BUDGET } from "./job.ts";
import { countMistakes, mistakesMarkdown, worstFirst } from "./mistakes.ts";
import { annotateLog } from "./publish.ts";
import { withRealm } from "./snapshot-source.ts";

/** Looks for mistakes in the checkout; with a snapshot, holds the file against that realm too. */
export async function validateCommand(job: Job): Promise<ExitCode> {
  const checked =
    job.inputs.snapshot === undefined
      ? await readConfig({ ...job.files, kinds })
      : await withRealm(job, ({ reader }) => planRealm({ ...job.files, reader }));
  const diagnostics = worstFirst(job.conceal.mistakes(checked.ok ? checked.warnings : checked.diagnostics));
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  annotateLog(job, mistakeAnnotations(diagnostics));
  job.setOutput("mistakes", errors);
  const head = checked.ok
    ? `${codeText(job.files.file)} is valid.`
    : `${codeText(job.files.file)}: ${countMistakes(diagnostics)}.`;
  await job.summarise(`${head}\n\n${mistakesMarkdown(diagnostics, SUMMARY_BUDGET)}`);
  return checked.ok ? EXIT.done : EXIT.mistakes;
}

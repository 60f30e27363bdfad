import { checksumOf, parsePlanFile, planFileText } from "../apply/plan-file.ts";
import type { Plan } from "../model/plan.ts";
import { planSaved } from "../report/commands/files.ts";
import type { Planned } from "../workflow/workflow.ts";
import type { Context } from "./context.ts";
import { signerOf } from "./sign.ts";
import { type OutputFile, tooLargeOutput, writeOutput } from "./write-files.ts";

/** Writes a plan with all its inputs, and prints its checksum. */
export async function savePlan(
  context: Context,
  output: OutputFile,
  plan: Plan,
  source: Planned,
  signWith: string | undefined,
): Promise<void> {
  const { io } = context;
  const sign = signWith === undefined ? undefined : await signerOf(context, signWith);
  const text = await textOf(output, () => planFileText(plan, source, sign));
  await writeOutput(io, output, text);
  io.err.write(planSaved(output.file, checksumOf(parsePlanFile(text, output.file)), sign !== undefined));
}

/** @throws Failure for a plan that exceeds the maximum length of a string */
async function textOf(output: OutputFile, make: () => Promise<string>): Promise<string> {
  try {
    return await make();
  } catch (thrown) {
    if (thrown instanceof RangeError && /string length/.test(thrown.message)) throw tooLargeOutput(output);
    throw thrown;
  }
}

import { checksumOf, parsePlanFile, planFileText } from "../apply/plan-file.ts";
import type { Plan } from "../model/plan.ts";
import { planSaved } from "../report/commands/files.ts";
import type { Planned } from "../workflow/workflow.ts";
import type { Io } from "./io.ts";
import { signerOf } from "./sign.ts";
import { type OutputFile, writeOutput } from "./write-files.ts";

/** Writes a plan with all its inputs, and prints its checksum. */
export async function savePlan(
  io: Io,
  output: OutputFile,
  plan: Plan,
  { origin, inputs }: Planned,
  signWith: string | undefined,
): Promise<void> {
  const sign = signWith === undefined ? undefined : await signerOf(io, signWith);
  const whole = { ...plan, extra: { ...plan.extra, origin: { ...origin } } };
  const text = await planFileText(whole, inputs, sign);
  await writeOutput(io, output, text);
  io.err.write(planSaved(output.file, checksumOf(parsePlanFile(text, output.file)), sign !== undefined));
}

import type { Failure } from "../model/diagnostic.ts";
import { bugText } from "../report/commands/process.ts";
import { VERSION } from "../version.ts";
import type { Context } from "./context.ts";
import type { Io } from "./io.ts";

/** Exit code for a bug in realmctl itself (EX_SOFTWARE): never for anything the user, the file or the server did. */
export const EXIT_BUG = 70;

/** Shows on stderr what stopped a command; also as JSON for a program that asked for it. */
export async function showFailure(context: Context, { diagnostics, ending, exitCode }: Failure): Promise<void> {
  const { io } = context;
  await context.show(diagnostics, ending);
  if (wantsFormat(io.argv, "jsonl")) {
    const { applyEvents } = await import("../report/apply-events.ts");
    io.out.write(applyEvents(() => io.now()).refused(diagnostics, exitCode));
  } else if (wantsFormat(io.argv, "json")) {
    const { diagnosticsIn } = await import("./diagnostics-output.ts");
    io.out.write(await diagnosticsIn("json", diagnostics, exitCode));
  }
  io.setExitCode(exitCode);
}

/** Whether the command line asks for this format. A program that asks for JSON always gets JSON; people still see the reason on stderr. */
function wantsFormat(argv: readonly string[], format: "json" | "jsonl"): boolean {
  return argv.includes(`--format=${format}`) || argv[argv.indexOf("--format") + 1] === format;
}

/** Reports a bug in realmctl. */
export function reportBug(io: Io, error: unknown): void {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  io.err.write(bugText(VERSION, what));
  if (io.env.REALMCTL_DEBUG && error instanceof Error && error.stack) io.err.write(`${error.stack}\n`);
}

import type { Command } from "commander";
import type { Output, ProcessIo } from "./io.ts";

/** Commands whose standard output is a document, even without `--format`: output for a program or a file is not changed. */
const DOCUMENTS: ReadonlySet<string> = new Set(["export", "snapshot", "api", "fmt", "completion"]);

/**
 * The process, if a job's runner searches its log for commands. GitHub's runner executes a line that begins with `::`, and `##[` anywhere in a line;
 * those of Forgejo and Gitea do so too. Names and texts of an organization can contain anything, and long lines are broken.
 */
interface RunnerLog {
  readonly process: ProcessIo;
  /** Tells the log which command runs, since only text output is changed. */
  runs(command: Command): void;
}

export function runnerLog(process: ProcessIo): RunnerLog {
  // All of these runners set this variable.
  if (process.env.GITHUB_ACTIONS !== "true") return { process, runs: () => {} };
  let isDocument = false;
  return {
    process: {
      ...process,
      out: watched(process.out, () => !isDocument),
      err: watched(process.err, () => true),
      // Spreading would freeze values that are read each time.
      get inputIsTTY() {
        return process.inputIsTTY;
      },
    },
    runs(command) {
      const { format = "text" }: { readonly format?: unknown } = command.opts();
      isDocument = format !== "text" || DOCUMENTS.has(command.name());
    },
  };
}

function watched(output: Output, isText: () => boolean): Output {
  return {
    write: (text) => output.write(isText() ? withoutCommands(text) : text),
    get isTTY() {
      return output.isTTY;
    },
    get columns() {
      return output.columns;
    },
  };
}

/** Text in which no runner finds a command, and which people read in the same way. */
export function withoutCommands(text: string): string {
  if (!text.includes("::") && !text.includes("##[")) return text;
  return text.replaceAll(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll("##[", "# #[");
}

import type { Command } from "commander";
import type { Output, ProcessIo } from "./io.ts";

/** Commands whose standard output is a document, even without `--format`: what a program or a file gets is not touched. */
const DOCUMENTS: ReadonlySet<string> = new Set(["export", "snapshot", "api", "fmt", "completion"]);

/**
 * The process, in whose log a job's runner looks for commands. GitHub's obeys a line that begins with `::`, and `##[` anywhere in one; those
 * of Forgejo and Gitea do so too. Names and texts of an organization say what they like, and lines are broken where they are full.
 */
interface RunnerLog {
  readonly process: ProcessIo;
  /** Told what runs: only text is changed. */
  runs(command: Command): void;
}

export function runnerLog(process: ProcessIo): RunnerLog {
  // All of them set it.
  if (process.env.GITHUB_ACTIONS !== "true") return { process, runs: () => {} };
  let isDocument = false;
  return {
    process: {
      ...process,
      out: watched(process.out, () => !isDocument),
      err: watched(process.err, () => true),
      // Spreading would freeze what is asked each time.
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

/** Text in which no runner finds a command, and people read what they would have read. */
export function withoutCommands(text: string): string {
  if (!text.includes("::") && !text.includes("##[")) return text;
  return text.replaceAll(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll("##[", "# #[");
}

import type { Command } from "commander";
import type { ProcessIo } from "./io.ts";

/** Commands whose standard output is a document, even without `--format`: output for a program or a file is not changed. */
const DOCUMENTS: ReadonlySet<string> = new Set(["export", "snapshot", "api", "fmt", "completion"]);

/**
 * What is written, if a job's runner searches its log for commands. GitHub's runner executes a line that begins with `::`, and `##[` anywhere in a line;
 * those of Forgejo and Gitea do so too. Names and texts of an organization can contain anything, and long lines are broken.
 */
interface RunnerLog {
  written(text: string, to: "out" | "err"): string;
  /** Tells the log which command runs, since only text output is changed. */
  runs(command: Command): void;
}

export function runnerLog({ GITHUB_ACTIONS }: ProcessIo["env"]): RunnerLog {
  // All of these runners set this variable.
  const isSearched = GITHUB_ACTIONS === "true";
  let isDocument = false;
  return {
    written: (text, to) => (isSearched && (to === "err" || !isDocument) ? withoutCommands(text) : text),
    runs(command) {
      const { format = "text" }: { readonly format?: unknown } = command.opts();
      isDocument = format !== "text" || DOCUMENTS.has(command.name());
    },
  };
}

/** Text in which no runner finds a command, and which people read in the same way. */
export function withoutCommands(text: string): string {
  if (!text.includes("::") && !text.includes("##[")) return text;
  return text.replaceAll(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll("##[", "# #[");
}

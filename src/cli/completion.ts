import { Argument, type Command } from "commander";
import { clean } from "../model/clean.ts";
import { EXIT } from "../model/diagnostic.ts";
import type { CommandEntry, RunOther } from "./command.ts";
import { completionsOf } from "./completion/candidates.ts";
import { bashReply, splitLine } from "./completion/line.ts";
import { FILES, SCRIPTS, SHELLS, type Shell } from "./completion/scripts.ts";
import { OUTPUT } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";

const COMPLETION = [
  ...OUTPUT,
  // Used by the script of bash: the line up to the cursor.
  option("--line <text>", "", { isHidden: true }),
  // Used by the other scripts: the words up to the cursor come after `--`.
  option("--words", "", { isHidden: true }),
];

/** A script for a shell, which then asks this command for the candidates at the cursor. */
export function completionCommand(io: Io, _: RunOther, commands: readonly CommandEntry[]): Command {
  return commandOf("completion", COMPLETION)
    .description(
      "Print a script that completes commands, options, codes and the names in realm.yaml. Its first line says where to put it.",
    )
    .addArgument(new Argument("<shell>", "the shell that you use").choices(SHELLS))
    .argument("[words...]", "used by the script itself")
    .action(async (shell: Shell, words: readonly string[], { line, words: isAsked }: FlagsOf<typeof COMPLETION>) => {
      if (line !== undefined) await completeLine(io, commands, line);
      else if (isAsked === true) await completeWords(io, commands, words);
      else io.out.write(SCRIPTS[shell]);
      io.setExitCode(EXIT.done);
    });
}

async function completeLine(io: Io, commands: readonly CommandEntry[], line: string): Promise<void> {
  const split = splitLine(line);
  const { candidates, files } = await completionsOf(io, commands, split.words.slice(1));
  const replies = candidates.filter(({ value }) => isPlain(value)).map(({ value }) => bashReply(value, split));
  io.out.write([...replies, ...(files ? [FILES] : [])].map((each) => `${each}\n`).join(""));
}

async function completeWords(io: Io, commands: readonly CommandEntry[], words: readonly string[]): Promise<void> {
  const { candidates, files } = await completionsOf(io, commands, words);
  const lines = candidates.flatMap(({ value, about }) => (isPlain(value) ? [`${value}\t${clean(about)}`] : []));
  io.out.write([...lines, ...(files ? [FILES] : [])].map((each) => `${each}\n`).join(""));
}

/** Whether a candidate is safe: an invisible character in a name would have an effect in the terminal. */
const isPlain = (value: string): boolean => clean(value) === value;

import { type Command, InvalidArgumentError } from "commander";
import { historyOf } from "../apply/history.ts";
import type { CodeOf } from "../model/api.ts";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { historyJson, historyText } from "../report/commands/history.ts";
import { ARGUMENT_FORMS } from "../report/commands/process.ts";
import { renderJson } from "../report/json.ts";
import { Context } from "./context.ts";
import { CONNECTION, type ConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";

const USUAL_LIMIT = 20;
const MOST_RUNS = 10_000;

const HISTORY = [
  ...CONNECTION,
  option("--limit <number>", `how many runs (default: ${USUAL_LIMIT})`, { parse: limitOf, default: USUAL_LIMIT }),
  option("--format <format>", "the output format", { choices: ["text", "json"], default: "text" }),
];
type HistoryFlags = FlagsOf<typeof HISTORY> & ConnectionFlags;

export function historyCommand(io: Io): Command {
  return commandOf("history", HISTORY)
    .description(
      "Show the runs of this directory, newest first: when, by which account, what they changed, and how they ended. Sends nothing; with a key, says which journals are this account's.",
    )
    .action(async (flags: HistoryFlags) => {
      const codeOf = await ownCodes(new Context(io, flags));
      const runs = historyOf(io.cwd, codeOf, flags.limit);
      const hasKey = codeOf !== undefined;
      io.out.write(flags.format === "json" ? renderJson(historyJson(runs, hasKey)) : historyText(runs, hasKey));
      io.setExitCode(EXIT.done);
    });
}

/** What recognises the journals of the account; undefined if no option names the account and the environment has none: looking at journals needs none. */
async function ownCodes(context: Context<HistoryFlags>): Promise<CodeOf | undefined> {
  const { site, email, key, zuliprc } = context.flags;
  const isNamed = [site, email, key, zuliprc].some((flag) => flag !== undefined);
  try {
    return await context.session(async ({ writer }) => writer.codeOf);
  } catch (thrown) {
    if (thrown instanceof Failure && !isNamed) return undefined;
    throw thrown;
  }
}

function limitOf(written: string): number {
  const limit = /^\d{1,5}$/.test(written) ? Number(written) : 0;
  if (limit >= 1 && limit <= MOST_RUNS) return limit;
  throw new InvalidArgumentError(ARGUMENT_FORMS.limit);
}

import type { CommanderError } from "commander";
import { type Diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import { own } from "../model/own.ts";

type Code = Diagnostic["code"];

/** What commander calls a mistake of the command line → its code here. */
const CODES: { readonly [code: string]: Code } = {
  "commander.unknownOption": "use/unknown-option",
  "commander.unknownCommand": "use/unknown-command",
  "commander.excessArguments": "use/too-many-arguments",
  "commander.missingArgument": "use/missing-argument",
  "commander.optionMissingArgument": "use/no-value",
  "commander.missingMandatoryOptionValue": "use/missing-option",
  "commander.invalidArgument": "use/bad-value",
  "commander.conflictingOption": "use/conflicting-options",
};

/** What other programs call something that this one has, and calls otherwise. */
const ELSEWHERE: { readonly [option: string]: string } = {
  "--dry-run": "realmctl plan shows what apply would do.",
  "--auto-approve": "did you mean --yes?",
  "-y": "did you mean --yes?",
};

/**
 * A mistake of the command line as commander found it, in the form of all others: with a code, on stderr, and as JSON for who asked for that.
 * Undefined for what is none, such as a help text that was printed.
 * @param command the name of the command that was asked for, when there is one
 */
export function misuseOf({ code, message }: CommanderError, command: string | undefined): Failure | undefined {
  const known = own(CODES, code);
  if (known === undefined) return undefined;
  const [first = "", ...others] = message.replace(/^error: /, "").split("\n");
  const help = `realmctl ${command === undefined ? "" : `${command} `}--help shows what is possible`;
  const meant =
    /^\((Did you mean .*)\)$/.exec(others.join(" "))?.[1]?.replace(/^D/, "d") ??
    (known === "use/unknown-option" ? wayOf(first) : undefined);
  return new Failure(EXIT.mistakes, {
    code: known,
    severity: "error",
    message: first.replace(/\.$/, ""),
    hint: meant === undefined ? help : `${meant} ${help}`,
  });
}

/** What to write in place of an option that there is not, where nothing sounds like it. */
function wayOf(message: string): string | undefined {
  const option = /'([^']*)'/.exec(message)?.[1] ?? "";
  const equals = option.indexOf("=");
  if (equals > 0) return `an option without a value of its own is written ${option.slice(0, equals)}.`;
  return own(ELSEWHERE, option);
}

import type { CommanderError } from "commander";
import { type Diagnostic, EXIT, Failure } from "../model/diagnostic.ts";

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

/**
 * A mistake of the command line as commander found it, in the form of all others: with a code, on stderr, and as JSON for who asked for that.
 * Undefined for what is none, such as a help text that was printed.
 * @param command the name of the command that was asked for, when there is one
 */
export function misuseOf({ code, message }: CommanderError, command: string | undefined): Failure | undefined {
  const known = CODES[code];
  if (known === undefined) return undefined;
  const [first = "", ...others] = message.replace(/^error: /, "").split("\n");
  const suggestion = /^\((Did you mean .*)\)$/.exec(others.join(" "))?.[1];
  const help = `realmctl ${command === undefined ? "" : `${command} `}--help shows what is possible`;
  return new Failure(EXIT.mistakes, {
    code: known,
    severity: "error",
    message: first.replace(/\.$/, ""),
    hint: suggestion === undefined ? help : `${suggestion.replace(/^D/, "d")} ${help}`,
  });
}

import { type Command, InvalidArgumentError } from "commander";
import { VARIABLE_NAME } from "../config/references.ts";
import { defined } from "../model/defined.ts";
import type { OutsideValues } from "../model/outside-values.ts";
import { secretsOf } from "../model/secrets.ts";
import { ARGUMENT_FORMS } from "../report/commands/arguments.ts";
import type { ProcessIo } from "./io.ts";
import { collect, repeatable } from "./options.ts";

/** The options that give variables of the file a value (docs/writing.md). */
export interface ValueFlags {
  readonly set?: readonly SetFlag[];
  readonly values?: readonly string[];
}

interface SetFlag {
  readonly name: string;
  readonly text: string;
}

/** For every command that reads the file of an organization as more than text. */
export function withValueFlags(command: Command): Command {
  return command
    .addOption(
      repeatable(
        "--set <name=value>",
        "the value of a variable that the file declares under vars; can be given again",
        (value, before: readonly SetFlag[] = []) => [...before, setFlag(value)],
      ),
    )
    .addOption(
      repeatable(
        "--values <file>",
        "a YAML map with values of variables; can be given again: a later one wins, and --set over all",
        collect,
      ),
    );
}

function setFlag(written: string): SetFlag {
  const at = written.indexOf("=");
  const name = written.slice(0, at);
  if (at < 0 || !VARIABLE_NAME.test(name)) throw new InvalidArgumentError(ARGUMENT_FORMS.set);
  return { name, text: written.slice(at + 1) };
}

/** The values from outside of a command line. A file may ask for every variable of the environment that is no secret. */
export const outsideOf = ({ set, values }: ValueFlags, env: ProcessIo["env"]): OutsideValues => ({
  ...defined({ set, files: values }),
  environment: (name) => env[name],
  isSecret: (text) => secretsOf(env)(text),
});

/** The options that give the variables the same values. */
export function valueWords({ set = [], values = [] }: ValueFlags): readonly string[] {
  return [
    ...values.flatMap((file) => ["--values", file]),
    ...set.flatMap(({ name, text }) => ["--set", `${name}=${text}`]),
  ];
}

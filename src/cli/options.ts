import { type Argument, Command, Option } from "commander";
import { failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { bothGiven, noEffect } from "../report/commands/process.ts";
import { type Io, type ProcessIo, STANDARD_INPUT } from "./io.ts";

/** What an option accepts, and what it is without a value of the command line. */
interface OptionRules<Value> {
  /** @throws InvalidArgumentError for a text that is not possible */
  parse?(text: string, before?: Value): Value;
  readonly choices?: readonly (Value & string)[];
  /** The default as the help shows it. */
  readonly defaultText?: string;
  /** Options that exclude this one, as attributes. */
  readonly conflicts?: string | string[];
  /** Whether it can be given again, with one value each time. Never a variadic one: that would consume the following words. */
  readonly isRepeatable?: boolean;
  readonly isHidden?: boolean;
  readonly isMandatory?: boolean;
}

/** An option of a command. Its type has its name among the flags, its value, and whether it always has one: {@link FlagsOf}. */
interface OptionSpec<Name extends string = string, Value = unknown, IsAlways extends boolean = boolean> {
  /** The option of one command line. */
  make(): Option;
  /** Never there: only the type is used. */
  readonly flag?: readonly [Name, Value, IsAlways];
}

type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;
/** `--detailed-exit-code`, `--out <file>`, `--no-color` → the name among the flags. */
type NameIn<Words extends string> = Words extends `--${infer Name} ${string}`
  ? CamelCase<Name>
  : Words extends `--no-${infer Name}`
    ? CamelCase<Name>
    : Words extends `--${infer Name}`
      ? CamelCase<Name>
      : never;
/** What it is if nothing parses it. */
type TextIn<Words extends string> = Words extends `${string}...>`
  ? readonly string[]
  : Words extends `${string}>` | `${string}]`
    ? string
    : boolean;
/** `--plan [file]` may have no value: then it is true. */
type ValueOf<Words extends string, Value> = Words extends `${string}]` ? Value | true : Value;

type NameOf<Spec, IsAlways extends boolean> = Spec extends OptionSpec<infer Name, unknown, IsAlways> ? Name : never;
type FlagOf<Spec> = Spec extends OptionSpec<string, infer Value> ? Value : never;

/** The flags that a command line with these options has. */
export type FlagsOf<Specs extends readonly OptionSpec[]> = {
  readonly [Spec in Specs[number] as NameOf<Spec, false>]?: FlagOf<Spec>;
} & { readonly [Spec in Specs[number] as NameOf<Spec, true>]: FlagOf<Spec> };

/** The function that declares options below a heading of the help. */
export const optionIn =
  (group: string | undefined) =>
  <
    const Words extends string,
    const Value = TextIn<Words>,
    const Default extends NoInfer<Value> | undefined = undefined,
  >(
    words: Words,
    about: string,
    rules: OptionRules<Value> & { readonly default?: Default } = {},
  ): OptionSpec<NameIn<Words>, ValueOf<Words, Value>, Default extends undefined ? false : true> => ({
    make() {
      const made = new Option(words, about).conflicts(rules.conflicts ?? []).hideHelp(rules.isHidden ?? false);
      if (rules.choices !== undefined) made.choices(rules.choices);
      if (rules.parse !== undefined) made.argParser<Value>(rules.parse);
      if (rules.default !== undefined) made.default(rules.default, rules.defaultText);
      if (group !== undefined) made.helpGroup(group);
      if (rules.isRepeatable === true) REPEATABLE.add(made);
      return made.makeOptionMandatory(rules.isMandatory ?? false);
    },
  });

/** Declares an option of a command. */
export const option = optionIn(undefined);

const REPEATABLE = new WeakSet<Option>();

/** A command with these options, in the order of its help. */
export function commandOf(name: string, specs: readonly OptionSpec[]): Command {
  const command = new Command(name);
  for (const spec of specs) command.addOption(spec.make());
  return command;
}

/** Whether the option can be given again. */
export const isRepeatable = (option: Option): boolean => REPEATABLE.has(option);

/** Collects the texts of an option that is given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** The same for names that have no commas: one text can have several. */
export const collectNames = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(",").map((name) => name.trim()),
];

/** Values of options that name an input file; arguments that do are called `file`. `-` means the standard input for them. */
const INPUTS: ReadonlySet<string> = new Set([
  "snapshot",
  "rules",
  "policy",
  "values",
  "plan",
  "undo",
  "zuliprc",
  "certBundle",
  "from",
  "faults",
  "signWith",
  "verifyWith",
]);
/** Names of the options that name a file to be written. */
const OUTPUTS: ReadonlySet<string> = new Set(["out", "outDir", "accountsOut", "data", "zuliprcDir", "file", "status"]);

/** Whether the option's value names a file, to be read or written. */
export function namesFile(option: Option): boolean {
  return INPUTS.has(option.attributeName()) || OUTPUTS.has(option.attributeName());
}

/**
 * Rules for every option of every command: it has a value, the value is not another option, and it is given once if only one can count. `-` means the
 * standard input where a file is read.
 * @param argv the words of the command line
 */
export function checkValues(command: Command, argv: readonly string[]): void {
  refuseLongDashes(command, argv);
  refuseOpposites(command, argv);
  const inputs: string[] = [];
  const input = (what: string): string => {
    inputs.push(what);
    if (inputs.length > 1) throw failure("use/standard-input", { cause: "read-twice", inputs: [...inputs] });
    return STANDARD_INPUT;
  };
  for (const option of command.options) if (option.required || option.optional) checkOption(option, argv, input);
  for (const argument of command.registeredArguments) checkArgument(argument, input);
}

/** Refuses `–out`: word processors and phones make one long dash of two short ones, and it would be read as the name of a file. */
function refuseLongDashes(command: Command, argv: readonly string[]): void {
  for (const word of argv) {
    const [, dash = "", name = ""] = /^([\u2010-\u2015\u2212]+-?)([a-z][a-z-]*)(?:=|$)/.exec(word) ?? [];
    const option = `--${name}`;
    if (dash === "" || !command.options.some(({ long }) => long === option)) continue;
    const reason = { long_dash: quote(`${dash}${name}`) };
    throw failure("use/unknown-option", { reason, command: command.name(), way: { is: "option", option } });
  }
}

/** Refuses `--rehearse --no-rehearse`: commander would let the last of the two count. */
function refuseOpposites(command: Command, argv: readonly string[]): void {
  const isGiven = ({ long }: Option): boolean => argv.some((word) => word === long || word.startsWith(`${long}=`));
  for (const option of command.options.filter(({ negate }) => negate)) {
    const opposite = command.options.find((one) => !one.negate && one.attributeName() === option.attributeName());
    if (opposite === undefined || !isGiven(option) || !isGiven(opposite)) continue;
    const reason = bothGiven(opposite.long ?? "", option.long ?? "");
    throw failure("use/conflicting-options", { reason, command: command.name() });
  }
}

/** @throws Failure for an option that would be ignored silently */
export function refuseIdle(command: string, option: string, other: string): never {
  throw failure("use/conflicting-options", { reason: noEffect(option, other), command });
}

function checkOption(option: Option, argv: readonly string[], input: (what: string) => string): void {
  const { parseArg } = option;
  const flag = option.long ?? option.flags;
  const name = option.attributeName();
  let isGiven = false;
  option.argParser((value: string, before: unknown) => {
    if (isGiven && !REPEATABLE.has(option)) throw failure("use/given-twice", { flag });
    isGiven = true;
    refuseEmpty(flag, value);
    if (/^--\S/.test(value) && !argv.includes(`${flag}=${value}`))
      throw failure("use/no-value", { flag, value: quote(value) });
    if (value === "-" && OUTPUTS.has(name)) throw failure("use/standard-input", { cause: "written", flag });
    const meant = value === "-" && INPUTS.has(name) ? input(flag) : value;
    return parseArg === undefined ? meant : parseArg(meant, before);
  });
}

function checkArgument(argument: Argument, input: (what: string) => string): void {
  const name = argument.name();
  // The parameters of `realmctl api`, and the words that a shell completes, may be empty.
  if (name === "parameters" || name === "words") return;
  const { parseArg } = argument;
  argument.argParser((value: string, before: unknown) => {
    refuseEmpty(name, value);
    const meant = value === "-" && (name === "file" || name === "files") ? input(`the ${name}`) : value;
    if (!argument.variadic) return parseArg === undefined ? meant : parseArg(meant, undefined);
    return Array.isArray(before) ? [...before, meant] : [meant];
  });
}

/** Refuses an empty argument. In `realmctl apply "$FILE"` without FILE, the user did not mean realm.yaml. */
function refuseEmpty(what: string, value: string): void {
  if (value.trim() !== "") return;
  throw failure("use/empty-value", { of: what });
}

/** Runs the command line of another command. A command must not run itself, which would never end. */
export type RunOther = (process: ProcessIo) => Promise<void>;
/** @param commands all commands, for those that describe others */
type MakeCommand = (io: Io, runOther: RunOther, commands: readonly CommandEntry[]) => Command;

export interface CommandEntry {
  readonly name: string;
  /** One line of `realmctl --help`. */
  readonly summary: string;
  /** Loads the command's own file: no command loads the code of another. */
  load(): Promise<MakeCommand>;
}

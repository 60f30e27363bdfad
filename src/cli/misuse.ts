import type { Command, CommanderError } from "commander";
import { shellWord } from "../model/command-line.ts";
import { defined, own } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { CALLED_HERE } from "../model/diagnostics/called-here.ts";
import type { ParserFact, ParserWay } from "../model/diagnostics/command-line.ts";
import { quoteAll } from "../model/diagnostics/values.ts";
import { didYouMean } from "../model/suggest.ts";
import { optionWithoutValue } from "./stray-words.ts";

/** Commander's error codes → the diagnostic. */
const DIAGNOSTICS = {
  "commander.unknownOption": (fact: ParserFact) => error("use/unknown-option", fact),
  "commander.unknownCommand": (fact: ParserFact) => error("use/unknown-command", fact),
  "commander.excessArguments": (fact: ParserFact) => error("use/too-many-arguments", fact),
  "commander.missingArgument": (fact: ParserFact) => error("use/missing-argument", fact),
  "commander.optionMissingArgument": (fact: ParserFact) => error("use/no-value", fact),
  "commander.missingMandatoryOptionValue": (fact: ParserFact) => error("use/missing-option", fact),
  "commander.invalidArgument": (fact: ParserFact) => error("use/bad-value", fact),
  "commander.conflictingOption": (fact: ParserFact) => error("use/conflicting-options", fact),
} as const;

interface AsTyped {
  readonly words: readonly string[];
  readonly commands: readonly string[];
  /** The long options of the requested command, or of the program. */
  readonly known: readonly string[];
  /** The options of each command. */
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/**
 * An error of the command line found by commander, in the form of all others: with a code, on stderr, and as JSON on request. Undefined if it is not
 * an error, such as a printed help text.
 * @param command the requested command, if there is one
 * @param argv the words of the command line
 * @param asTyped the command line before its words were put in order, and the names and options of all commands
 */
export function misuseOf(
  { code, message }: CommanderError,
  command: Command | undefined,
  argv: readonly string[],
  asTyped: AsTyped,
): Failure | undefined {
  const diagnosticOf = own(DIAGNOSTICS, code);
  if (diagnosticOf === undefined) return undefined;
  const first = message.replace(/^error: /, "");
  const way =
    fileOf(code, first, command) ??
    formatOf(code, first, command, argv) ??
    wayOf(code, first, command, asTyped) ??
    misspelt(code, first, asTyped) ??
    strayOf(code, command, argv) ??
    orderOf(code, asTyped);
  const reason = reasonOf(code, first, command);
  return new Failure(EXIT.errors, diagnosticOf({ reason, ...defined({ command: command?.name(), way }) }));
}

/** `plan --file realm.yaml`, as `adopt` has it. Commander would suggest an option that is only written in a similar way. */
function fileOf(code: string, message: string, command: Command | undefined): ParserWay | undefined {
  if (code !== "commander.unknownOption" || command === undefined || !/'(?:--files?(?:=.*)?|-f)'/.test(message))
    return undefined;
  const takesFile = command.registeredArguments.some((argument) => /^files?$/.test(argument.name()));
  return takesFile ? { is: "file-argument", command: command.name() } : undefined;
}

/** `-o json`, as in kubectl: the form of the output, not its file. */
function formatOf(
  code: string,
  message: string,
  command: Command | undefined,
  argv: readonly string[],
): ParserWay | undefined {
  const option = /'(-o|--output)(?:=(.*))?'/.exec(message);
  if (code !== "commander.unknownOption" || option === null) return undefined;
  const value = option[2] ?? argv[argv.indexOf(option[1] ?? "") + 1] ?? "";
  const formats = command?.options.find(({ long }) => long === "--format")?.argChoices;
  return formats?.includes(value) === true ? { is: "option", option: `--format ${value}` } : undefined;
}

/** The words behind the last one that the command takes. */
const surplusOf = (command: Command | undefined): readonly string[] =>
  command?.args.slice(command.registeredArguments.length) ?? [];

function reasonOf(code: string, message: string, command: Command | undefined): ParserFact["reason"] {
  const words = surplusOf(command);
  if (code !== "commander.excessArguments" || words.length === 0) return message.replace(/\.$/, "");
  return { surplus: quoteAll(words), most: command?.registeredArguments.length ?? 0 };
}

/** An option or a command with a similar name. Commander would suggest one that shares a few letters. */
function misspelt(code: string, message: string, { commands, known }: AsTyped): ParserWay | undefined {
  const word = quotedIn(message);
  const option = word.replace(/=.*/, "").replace(/^-(?=[a-z]{2})/, "--");
  const meant =
    code === "commander.unknownCommand"
      ? didYouMean(word, [...commands, "help"])
      : code === "commander.unknownOption"
        ? ([...known, "--help"].find((one) => one === option) ?? didYouMean(option, known))
        : undefined;
  return meant === undefined ? undefined : { is: "meant", meant };
}

/** The word that a message of commander is about. */
const quotedIn = (message: string): string => /'([^']*)'/.exec(message)?.[1] ?? "";

/**
 * An argument too many: an option without a value was given one (`snapshot --verbose 2`), a list was written with spaces (`--kinds channels, people`), or
 * the name of a file without its option (`snapshot realm.json`).
 */
function strayOf(code: string, command: Command | undefined, argv: readonly string[]): ParserWay | undefined {
  if (code !== "commander.excessArguments" || command === undefined) return undefined;
  const option = optionWithoutValue(command, argv);
  if (option !== undefined) return { is: "takes-none", option };
  const [word = ""] = surplusOf(command);
  const at = argv.indexOf(word);
  const [flag = "", before = ""] = argv.slice(Math.max(0, at - 2), at);
  if (before.endsWith(",") && flag.startsWith("--")) {
    const rest = argv.slice(at).findIndex((one, index) => !argv[at + index - 1]?.endsWith(",") || one.startsWith("-"));
    const list = [before, ...argv.slice(at, rest < 0 ? undefined : at + rest)].join("");
    return { is: "option", option: `${flag} ${shellWord(list)}` };
  }
  const file = command.options.find(({ long }) => long === "--out" || long === "--file")?.long;
  const isFile = file !== undefined && /^[^#@]*\.\w+$/.test(word);
  return isFile ? { is: "option", option: `${file} ${shellWord(word)}` } : undefined;
}

/** `realm.yaml plan`: the name of a command is among the words that follow. Values of options are not repeated: one may be a key. */
function orderOf(code: string, { words, commands }: AsTyped): ParserWay | undefined {
  if (code !== "commander.unknownCommand" || words[0] === "help") return undefined;
  const late = words.findIndex((word) => commands.includes(word));
  if (late <= 0 || words.some((word) => word.startsWith("-"))) return undefined;
  return {
    is: "command-first",
    words: [...words.slice(late, late + 1), ...words.slice(0, late), ...words.slice(late + 1)],
  };
}

/** What to write instead of an unknown option or command: its name here, if other programs call it so. */
function wayOf(
  code: string,
  message: string,
  command: Command | undefined,
  { options }: AsTyped,
): ParserWay | undefined {
  const word = quotedIn(message);
  if (code === "commander.invalidArgument")
    return elsewhere(`${/'(--[a-z-]+)/.exec(message)?.[1]} ${/argument '([^']*)'/.exec(message)?.[1]}`);
  if (code === "commander.unknownCommand") return elsewhere(word);
  if (code !== "commander.unknownOption") return undefined;
  const [option = "", value] = word.split("=");
  const long = `-${option}`;
  const isKnown = (name: string): boolean => command?.options.some((one) => one.long === name) === true;
  // `-out=x`: other programs write long options with one dash.
  if (isKnown(long)) return { is: "option", option: long };
  if (value !== undefined && isKnown(option)) return { is: "without-value", option };
  const called = option.replace(/^-(?=[a-z]{2})/, "--");
  const others = [...options].flatMap(([name, its]) =>
    its.includes(called) && name !== command?.name() ? [name] : [],
  );
  const here = elsewhere(`${command?.name()} ${called}`) ?? (isHere(called, command) ? elsewhere(called) : undefined);
  return here ?? (others.length === 0 ? undefined : { is: "of-others", option: called, commands: others });
}

/** Whether the option that a word stands for is one of the command, or says itself of which it is. */
function isHere(word: string, command: Command | undefined): boolean {
  const [, option, of] = /^here it is (--[\w-]+)(.*, of \w)?/.exec(own(CALLED_HERE, word) ?? "") ?? [];
  return option === undefined || of !== undefined || command?.options.some(({ long }) => long === option) === true;
}

const elsewhere = (word: string): ParserWay | undefined =>
  own(CALLED_HERE, word) === undefined ? undefined : { is: "elsewhere", word };

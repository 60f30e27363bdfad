import { Argument, type Command, type Option } from "commander";
import { CHANNEL } from "../access/scope.ts";
import { kinds } from "../kinds/registry.ts";
import { clean } from "../model/clean.ts";
import { EXIT } from "../model/diagnostic.ts";
import { ROLE_WORDS } from "../model/roles.ts";
import { type Asked, accessOfFile } from "../workflow/access.ts";
import { FILES, SCRIPTS, SHELLS, type Shell } from "./completion/scripts.ts";
import { configurationFiles } from "./configuration-files.ts";
import { OUTPUT, withGlobalFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { type CommandEntry, commandOf, type FlagsOf, namesFile, option, type RunOther } from "./options.ts";

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

/** A word that is possible at the cursor. */
interface Candidate {
  readonly value: string;
  /** A one-line description. */
  readonly about: string;
}

interface Completions {
  readonly candidates: readonly Candidate[];
  /** Whether a file name is possible at the cursor. */
  readonly files: boolean;
}

const NOTHING: Completions = { candidates: [], files: false };

/**
 * The candidates at the end of a command line.
 * @param words those after `realmctl`; the last one is what was typed so far, and may be empty
 */
async function completionsOf(
  io: Io,
  commands: readonly CommandEntry[],
  words: readonly string[],
): Promise<Completions> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const { candidates, files } = await allOf(io, commands, before, typed);
  return { candidates: candidates.filter(({ value }) => value.startsWith(typed)), files };
}

async function allOf(
  io: Io,
  commands: readonly CommandEntry[],
  before: readonly string[],
  typed: string,
): Promise<Completions> {
  const entries = new Map(commands.map((each) => [each.name, each]));
  const at = before.findIndex((word) => entries.has(word));
  const names = commands.map(({ name, summary }) => ({ value: name, about: summary }));
  const entry = entries.get(before[at] ?? "");
  if (entry === undefined || before[0] === "help")
    return { candidates: typed.startsWith("-") ? globalFlags() : names, files: false };
  const command = (await entry.load())(io, notRun, commands);
  return ofCommand(io, command, before.slice(at + 1), typed);
}

const globalFlags = (): readonly Candidate[] => {
  const command = withGlobalFlags(commandOf("", OUTPUT));
  const options = command.createHelp().visibleOptions(command);
  return options.map(({ long, description }) => ({ value: long ?? "", about: description }));
};

/** Runs nothing: completion only reads the options of commands. */
const notRun: RunOther = async () => {};

async function ofCommand(io: Io, command: Command, before: readonly string[], typed: string): Promise<Completions> {
  const options = command.createHelp().visibleOptions(command);
  const equals = typed.indexOf("=");
  const isOnlyArguments = before.includes("--");
  if (!isOnlyArguments && typed.startsWith("--") && equals > 0) {
    const option = options.find(({ long }) => long === typed.slice(0, equals));
    if (option === undefined) return NOTHING;
    const { candidates, files } = await valuesOf(io, command, option, before);
    const prefix = typed.slice(0, equals + 1);
    return { candidates: candidates.map(({ value, about }) => ({ value: prefix + value, about })), files };
  }
  const previous = isOnlyArguments ? undefined : optionCalled(options, before.at(-1));
  if (previous?.required === true) return valuesOf(io, command, previous, before);
  if (!isOnlyArguments && typed.startsWith("-")) return { candidates: ofOptions(options), files: false };
  const own = await argumentsOf(io, command, options, before);
  // The value of the option is optional, so the next word is the value or an argument.
  if (previous?.optional !== true) return own;
  const values = await valuesOf(io, command, previous, before);
  return { candidates: [...values.candidates, ...own.candidates], files: values.files || own.files };
}

const optionCalled = (options: readonly Option[], word: string | undefined): Option | undefined =>
  options.find(({ long, short }) => word !== undefined && (word === long || word === short));

function ofOptions(options: readonly Option[]): readonly Candidate[] {
  return options.flatMap(({ long, description }) => (long ? [{ value: long, about: description }] : []));
}

/** Which of a command's arguments is at the cursor, counting words before it that are neither options nor their values. */
async function argumentsOf(
  io: Io,
  command: Command,
  options: readonly Option[],
  before: readonly string[],
): Promise<Completions> {
  const given = before.filter(
    (word, at) => !word.startsWith("-") && !isValueOf(optionCalled(options, before[at - 1]), word),
  );
  const all = command.registeredArguments;
  const last = all.at(-1);
  const argument = all[given.length] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return NOTHING;
  if (argument.argChoices !== undefined) return { candidates: choices(argument.argChoices), files: false };
  const names = await known(io, command, argument.name(), before, given);
  return { candidates: names, files: isFile(argument) };
}

/** A file may be left out behind an option: then the word is an argument. */
const isValueOf = (option: Option | undefined, word: string): boolean =>
  option !== undefined && (option.required || (option.optional && /\.ya?ml$/.test(word)));

const isFile = (argument: Argument): boolean => argument.name() === "file" || argument.name() === "files";

const choices = (values: readonly string[]): readonly Candidate[] => values.map((value) => ({ value, about: "" }));

async function valuesOf(io: Io, command: Command, option: Option, before: readonly string[]): Promise<Completions> {
  if (option.argChoices !== undefined) return { candidates: choices(option.argChoices), files: false };
  return { candidates: await known(io, command, option.attributeName(), before, []), files: namesFile(option) };
}

/** The candidates for values that come from the program or the file. */
async function known(
  io: Io,
  command: Command,
  what: string,
  before: readonly string[],
  given: readonly string[],
): Promise<readonly Candidate[]> {
  switch (`${command.name()} ${what}`) {
    case "access question":
    case "adopt addresses":
      return namesOf(await fileOf(io, before));
    case "plan only":
    case "plan except":
    case "apply only":
    case "apply except":
    case "drift only":
    case "drift except":
      return [...choices(kinds.map(({ section }) => section)), ...targetsIn(await fileOf(io, before))];
    case "access groups":
      return groupsOf(await fileOf(io, before));
    case "access as":
      return choices(ROLE_WORDS);
    case "access right":
      return choices((await import("../access/words.ts")).RIGHTS.map(({ word }) => word).filter(isFirst));
    case "explain code":
      return (await import("../explain/explain.ts")).CODES.map((value) => ({ value, about: "" }));
    case "api operation":
      return (await import("../zulip/operations.ts")).OPERATIONS.map(({ name, method, template }) => ({
        value: name,
        about: `${method} ${template}`,
      }));
    case "api parameters":
      return parametersOf(given[0] ?? "");
    default:
      return [];
  }
}

const isFirst = (value: string, at: number, all: readonly string[]): boolean => all.indexOf(value) === at;

async function parametersOf(operation: string): Promise<readonly Candidate[]> {
  const { findOperation } = await import("../zulip/operations.ts");
  return Object.keys(findOperation(operation)?.params ?? {}).map((name) => ({ value: `--${name}`, about: "" }));
}

/** The organization as the file of the line describes it; undefined if it cannot be read. */
async function fileOf(io: Io, before: readonly string[]): Promise<Asked | undefined> {
  const at = before.indexOf("--file");
  const file = (at < 0 ? undefined : before[at + 1]) ?? before.find((word) => /\.ya?ml$/.test(word)) ?? "realm.yaml";
  const read = await accessOfFile(configurationFiles(io, file), () => []).catch(() => undefined);
  return read?.ok === true ? read.value : undefined;
}

function namesOf(asked: Asked | undefined): readonly Candidate[] {
  if (asked === undefined) return [];
  const { realm, state } = asked;
  return [
    ...[...state.channels()].map(({ name }) => ({ value: `#${name}`, about: "" })),
    ...ownGroups(asked).map(({ kind, name }) => ({ value: `${kind}:${name}`, about: "" })),
    { value: "organization", about: "" },
    ...realm.snapshot.users.map(({ user_id, full_name }) => ({ value: realm.userName(user_id), about: full_name })),
  ];
}

/** The targets of a plan whose names are known without a server. */
function targetsIn(asked: Asked | undefined): readonly Candidate[] {
  if (asked === undefined) return [];
  const channels = [...asked.state.channels()].map(({ name }) => `${CHANNEL}:${name}`);
  return choices([...channels, ...ownGroups(asked).map(({ kind, name }) => `${kind}:${name}`)]);
}

/** The groups of the file, without role groups. */
const ownGroups = (asked: Asked) => [...asked.state.groups()].filter(({ name }) => !name.startsWith("role:"));

function groupsOf(asked: Asked | undefined): readonly Candidate[] {
  return asked === undefined ? [] : ownGroups(asked).map(({ name }) => ({ value: name, about: "" }));
}

/** The words of a command line up to the cursor, as the shell would pass them. */
interface Line {
  /** The words; the last one is at the cursor, and may be empty. */
  readonly words: readonly string[];
  /** The open quotation mark at the cursor. */
  readonly quote: "" | "'" | '"';
}

/** Splits a line of bash at its spaces, quotation marks and backslashes. Nothing is expanded. */
export function splitLine(line: string): Line {
  const words: string[] = [];
  let word = "";
  let isOpen = false;
  let quote: Line["quote"] = "";
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    if (quote === "" && (letter === " " || letter === "\t")) {
      if (isOpen) words.push(word);
      word = "";
      isOpen = false;
      continue;
    }
    isOpen = true;
    if (letter === quote) quote = "";
    else if (quote === "" && (letter === "'" || letter === '"')) quote = letter;
    else if (letter === "\\" && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word += line.charAt(at);
    } else word += letter;
  }
  return { words: [...words, word], quote };
}

/** Characters at which bash splits the word that a completion replaces (COMP_WORDBREAKS), whatever the command needs. */
const BREAKS = /[:@=<>|&;(]/g;
/** Characters that have no meaning for any shell. */
const PLAIN = /[^\p{L}\p{N}_\-./:@=+,%]/gu;

/** A word in the form that bash needs: it replaces the part of the word after the last such character. */
export function bashReply(value: string, { words, quote }: Line): string {
  if (quote === "'") return value.replaceAll("'", "'\\''");
  if (quote === '"') return value.replace(/["$`\\]/g, "\\$&");
  const typed = words.at(-1) ?? "";
  const start = Math.max(-1, ...[...typed.matchAll(BREAKS)].map(({ index }) => index)) + 1;
  return value.slice(start).replace(PLAIN, "\\$&");
}

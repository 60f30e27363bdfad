import type { Command, Option } from "commander";
import { KNOWN } from "../kinds/known-words.ts";
import { defined } from "../model/defined.ts";
import { EXIT, error, failIfAny } from "../model/diagnostic.ts";
import type { StrayWord } from "../model/diagnostics/command-line.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isMissing } from "../model/unreadable.ts";
import { type Io, STANDARD_INPUT } from "./io.ts";
import { isRepeatable } from "./options.ts";

/** An option before a word that would be read as a file name, as in `plan --who all`. */
type Before = StrayWord extends infer Fact ? (Fact extends unknown ? Omit<Fact, "word"> : never) : never;

/**
 * Refuses words that would be read as names of files and are not, if the option before them shows what was meant: `--who all`, `--only channels
 * groups`. A name with a dot or a slash is a file name; if the file is missing, the code that reads it reports that.
 * @param argv the words of the command line, the command first
 * @param commands all of them
 */
export async function refuseStrayWords(
  io: Io,
  command: Command,
  argv: readonly string[],
  commands: readonly { readonly name: string }[],
): Promise<void> {
  const strays = new Set<string>();
  for (const word of filesOf(command))
    if ((isBareWord(word) || isObject(word)) && (await isMissingFile(io, word))) strays.add(word);
  const end = argv.indexOf("--");
  const found = argv.flatMap((word, at) => {
    if (!strays.has(word)) return [];
    const isLate = end >= 0 && at > end && word.startsWith("-");
    const isCommand = commands.some(({ name }) => name === word);
    const before: Before | undefined = isLate
      ? { cause: "behind-dashes" }
      : (optionBefore(command, argv, at, strays) ??
        (isCommand
          ? { cause: "is-command" }
          : isObject(word)
            ? { cause: "is-object", ...defined({ flag: optionNamed(command, "--only")?.long }) }
            : undefined));
    return before === undefined ? [] : [error("use/not-a-file", { ...before, word: quote(word) })];
  });
  failIfAny(EXIT.errors, found);
}

/** Whether no such file or directory exists. A file that exists but cannot be read is not missing. */
export async function isMissingFile(io: Io, path: string): Promise<boolean> {
  try {
    await io.readFile(path, { mostBytes: 0 }, "look");
    return false;
  } catch (thrown) {
    return isMissing(thrown);
  }
}

/** The option without a value that is directly before a word; undefined if there is none. */
export function optionWithoutValue(command: Command, argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word, index) => {
    const option = index > 0 ? optionNamed(command, argv[index - 1] ?? "") : undefined;
    return option !== undefined && !takesValue(option) && !word.startsWith("-");
  });
  return at === -1 ? undefined : argv[at - 1];
}

function filesOf(command: Command): readonly string[] {
  return command.registeredArguments.flatMap((argument, index) => {
    // If the command needs a file, the word is that file, whatever precedes it.
    if ((argument.name() !== "files" && argument.name() !== "file") || argument.required) return [];
    const value: unknown = command.processedArgs[index];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((one) => typeof one === "string");
  });
}

/** Whether the word is an object with its kind, as `--only` and `adopt` take it, or a section. */
const isObject = (word: string): boolean =>
  KNOWN.some(({ name, section }) => word === section || word.startsWith(`${name}:`) || word.startsWith(`${section}:`));

const isBareWord = (word: string): boolean => word !== STANDARD_INPUT && !/[./\\]/.test(word);

/** The option before a word, ignoring other stray words. */
function optionBefore(
  command: Command,
  argv: readonly string[],
  at: number,
  strays: ReadonlySet<string>,
): Before | undefined {
  for (let index = at - 1; index > 0; index -= 1) {
    const word = argv[index] ?? "";
    const [name = "", ...written] = word.split("=");
    const option = optionNamed(command, name);
    if (option !== undefined && written.length > 0) {
      const value = written.join("=");
      return isChosen(option, value) ? undefined : oneValue(option, name, value);
    }
    if (option !== undefined) {
      // The word is the value of the option.
      if (takesValue(option)) return undefined;
      return { cause: "takes-none", flag: name };
    }
    const owner = optionNamed(command, argv[index - 1] ?? "");
    if (owner !== undefined && takesValue(owner)) {
      return isChosen(owner, word) ? undefined : oneValue(owner, argv[index - 1] ?? "", word);
    }
    if (!strays.has(word)) return undefined;
  }
  return undefined;
}

/** Whether the option already has one of its choices: the next word is then a file. */
const isChosen = (option: Option, value: string): boolean =>
  option.argChoices?.includes(value) === true && !isRepeatable(option);

const oneValue = (option: Option, flag: string, value: string): Before => ({
  cause: "takes-one",
  flag,
  value: quote(value),
  is_repeatable: isRepeatable(option),
});

const takesValue = (option: Option): boolean => option.required || option.optional;

const optionNamed = (command: Command, word: string): Option | undefined =>
  command.options.find(({ long, short }) => word !== "" && (long === word || short === word));

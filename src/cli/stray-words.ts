import type { Command, Option } from "commander";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { StrayWord } from "../model/diagnostics/command-line.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isMissing } from "../model/unreadable.ts";
import { type Io, STANDARD_INPUT } from "./io.ts";
import { isRepeatable } from "./options.ts";

/** `plan --who all`: an option that takes no value, and a word behind it that would be taken as a file. */
type Before = StrayWord extends infer Fact ? (Fact extends unknown ? Omit<Fact, "word"> : never) : never;

/**
 * Refuses words that would be read as names of files and are not, if the option before them shows what was meant: `--who all`,
 * `--only channels groups`. A name with a dot or a slash is a file's, and the code that reads the file reports if it is missing.
 * @param argv the words of the command line, the command first
 */
export async function refuseStrayWords(io: Io, command: Command, argv: readonly string[]): Promise<void> {
  const strays = new Set<string>();
  for (const word of filesOf(command)) if (isBareWord(word) && (await isMissingFile(io, word))) strays.add(word);
  const found = argv.flatMap((word, at) => {
    const before = strays.has(word) ? optionBefore(command, argv, at, strays) : undefined;
    return before === undefined ? [] : [error("use/not-a-file", { ...before, word: quote(word) })];
  });
  const [first, ...others] = found;
  if (first !== undefined) throw new Failure(EXIT.errors, first, ...others);
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

/** An option without a value that a word stands right behind: it takes none. Undefined where no option does. */
export function optionWithoutValue(command: Command, argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word, index) => {
    const option = index > 0 ? optionNamed(command, argv[index - 1] ?? "") : undefined;
    return option !== undefined && !takesValue(option) && !word.startsWith("-");
  });
  return at === -1 ? undefined : argv[at - 1];
}

function filesOf(command: Command): readonly string[] {
  return command.registeredArguments.flatMap((argument, index) => {
    // A file that must be named is the word, whatever stands before it.
    if ((argument.name() !== "files" && argument.name() !== "file") || argument.required) return [];
    const value: unknown = command.processedArgs[index];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((one) => typeof one === "string");
  });
}

const isBareWord = (word: string): boolean => word !== STANDARD_INPUT && !/[./\\]/.test(word);

/** What stands before a word, other stray words aside. */
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
      // The word is its value.
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

/** One of the words that the option offers is complete: the next one is a file. */
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

import type { ReadRules } from "../disk/read.ts";
import type { WriteRules } from "../disk/write.ts";
import type { OutsideValues } from "../model/outside-values.ts";
import { READING_STANDARD_INPUT } from "../report/commands/process.ts";
import type { AdvisedWords } from "../report/style.ts";
import type { Clock } from "../zulip/clock.ts";
import type { Transport } from "../zulip/transport.ts";

/** A destination of text: a terminal, a pipe, or an array of a test. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Width in characters; undefined if it is not a terminal. */
  readonly columns: number | undefined;
}

/** The process, in a form that tests can replace. */
export interface ProcessIo extends Clock {
  /** The arguments, without `node` and the script. */
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string | undefined };
  /** The directory that relative paths start from. */
  readonly cwd: string;
  readonly out: Output;
  /** The stream for progress, prompts and errors, which must not be written by `> file`. */
  readonly err: Output;
  readonly inputIsTTY: boolean;
  /** @throws the system's error (`code` ENOENT, EACCES, EISDIR, …), or one whose message is the end of a sentence */
  readFile(path: string, rules?: ReadRules): Promise<string>;
  /** @throws as `readFile` */
  readBytes(path: string, rules?: ReadRules): Promise<Uint8Array>;
  /** All of the standard input. @throws as `readFile` */
  readStandardInput(): Promise<string>;
  /** Replaces the file in one step: readers see the old text or the new one. */
  writeFile(path: string, content: string | Uint8Array, rules?: WriteRules): Promise<void>;
  /** Equal for two paths that lead to the same file; undefined: the file does not exist. */
  identityOf(path: string): Promise<string | undefined>;
  /** The rights of a file (`0o600`); undefined if the file does not exist, or the system has no rights. */
  rightsOf?(path: string): Promise<number | undefined>;
  /** Creates a directory (absolute path) and missing directories above it. */
  makeDirectory(path: string): Promise<void>;
  /** Runs git in a directory, and returns its output without the last line end; undefined if it fails or is not installed. */
  git(directory: string, args: readonly string[]): Promise<string | undefined>;
  /** Names in a directory, sorted. */
  list(directory: string, rules?: Pick<ReadRules, "below">): Promise<readonly string[]>;
  /** The start of the command, if this process is a part of it. */
  readonly startedAt?: number;
  /** One line from the person at the terminal; undefined when they cancel or nobody is there. */
  ask(question: string): Promise<string | undefined>;
  /** Replaces the questions at the terminal, in tests. */
  readonly prompts?: Prompts;
  setExitCode(code: number): void;
  /** Listens for SIGINT and SIGTERM, and returns a function that ends this. While nobody listens, these signals end the process. */
  onInterrupt(listener: () => void): () => void;
  /** Replaces the network: tests pass a sandbox of their own process. */
  readonly transport?: Transport;
}

/** All access of commands to the outside, with the files that this run has read so far. */
export interface Io extends ProcessIo {
  /**
   * With which words the commands are advised that are about the same files and account, and the values that variables of the files get from outside of
   * them; set when the command line was read.
   */
  readonly invocation: { advised: AdvisedWords; outside?: OutsideValues };
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The time of the last output to either stream; before the first one, the start of the command. */
  writtenAt(): number;
  /**
   * Reads a file as the process does, and {@link STANDARD_INPUT}, too.
   * @param use `look` for a file that is only examined before it is replaced, `configuration` for a file whose lines messages may quote
   */
  readFile(path: string, rules?: ReadRules, use?: "input" | "look" | "configuration"): Promise<string>;
  /** Whether this file was an input of the run. Then no output may replace it. */
  wasRead(path: string): Promise<boolean>;
  /** Whether two paths name one file, also through links. */
  isSameFile(one: string, other: string): Promise<boolean>;
  /** The text of a configuration file that was read, for messages that show its lines. Undefined for other files. */
  quotable(path: string): string | undefined;
}

/** The name of the standard input in messages; on the command line it is `-`. */
export const STANDARD_INPUT = "<standard input>";

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Questions for the person at the terminal. Every answer is undefined if they cancel. */
export interface Prompts {
  text(question: string, initial?: string): Promise<string | undefined>;
  /** Asks for a secret: the typed characters are not shown. */
  secret(question: string): Promise<string | undefined>;
  yes(question: string): Promise<boolean | undefined>;
  choose(question: string, choices: readonly Choice[]): Promise<string | undefined>;
  /** @param initial values that are selected at first */
  several(
    question: string,
    choices: readonly Choice[],
    initial: readonly string[],
  ): Promise<readonly string[] | undefined>;
}

/** What is written for a text to one of the outputs. */
type Written = (text: string, to: "out" | "err") => string;

/** The process as one run uses it. Remembers which files were read, so that no output replaces an input and no message quotes other files. */
export function runIo(process: ProcessIo, written?: Written): Io {
  return {
    ...process,
    invocation: { advised: {} },
    startedAt: process.startedAt ?? process.now(),
    ...observedOutputs(process, written),
    // Spreading would freeze values that are read each time.
    get inputIsTTY() {
      return process.inputIsTTY;
    },
    ...rememberedInputs(process),
  };
}

/** Both outputs, and when something was last written to one of them. */
function observedOutputs(process: ProcessIo, written: Written = (text) => text): Pick<Io, "out" | "err" | "writtenAt"> {
  let writtenAt = process.now();
  const observed = (to: "out" | "err"): Output => ({
    write(text) {
      writtenAt = process.now();
      process[to].write(written(text, to));
    },
    // A getter, since the width of a terminal can change.
    get isTTY() {
      return process[to].isTTY;
    },
    get columns() {
      return process[to].columns;
    },
  });
  return { out: observed("out"), err: observed("err"), writtenAt: () => writtenAt };
}

/** Reading files and the standard input, and what was read so far. */
function rememberedInputs(
  process: ProcessIo,
): Pick<Io, "readFile" | "readBytes" | "wasRead" | "isSameFile" | "quotable"> {
  const inputs = new Set<string>();
  const texts = new Map<string, string>();
  let standardInput: Promise<string> | undefined;
  const remember = async (path: string): Promise<void> => {
    const found = await process.identityOf(path);
    if (found !== undefined) inputs.add(found);
  };
  const readStandardInput = async (): Promise<string> => {
    if (process.inputIsTTY) process.err.write(READING_STANDARD_INPUT);
    return process.readStandardInput();
  };
  return {
    async readFile(path, rules, use = "input") {
      if (path === STANDARD_INPUT) {
        standardInput ??= readStandardInput();
        const text = await standardInput;
        if (use === "configuration") texts.set(path, text);
        return text;
      }
      const text = await process.readFile(path, rules);
      if (use !== "look") await remember(path);
      if (use === "configuration") texts.set(path, text);
      return text;
    },
    async readBytes(path, rules) {
      const bytes = await process.readBytes(path, rules);
      await remember(path);
      return bytes;
    },
    async wasRead(path) {
      const found = await process.identityOf(path);
      return found !== undefined && inputs.has(found);
    },
    async isSameFile(one, other) {
      const found = await process.identityOf(one);
      return found !== undefined && found === (await process.identityOf(other));
    },
    quotable: (path) => texts.get(path),
  };
}

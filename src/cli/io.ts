import type { ReadRules } from "../disk/read.ts";
import type { WriteRules } from "../disk/write.ts";
import type { Transport } from "../zulip/transport.ts";
import type { Prompts } from "./asking.ts";

/** Where text goes: a terminal, a pipe, or a test's array. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Width in characters; undefined if it is not a terminal. */
  readonly columns: number | undefined;
}

/** The process, in a form that tests can replace. */
export interface ProcessIo {
  /** Without `node` and the script. */
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string | undefined };
  /** Relative paths start here. */
  readonly cwd: string;
  readonly out: Output;
  /** Progress, prompts and errors: what must not end up in `> file`. */
  readonly err: Output;
  readonly inputIsTTY: boolean;
  /** @throws the system's error (`code` ENOENT, EACCES, EISDIR, …), or one whose message is the end of a sentence */
  readFile(path: string, rules?: ReadRules): Promise<string>;
  /** A file as it is on the disk. Without it, there is no file but those of text. @throws as `readFile` */
  readBytes?(path: string, rules?: ReadRules): Promise<Uint8Array>;
  /** All of the standard input. @throws as `readFile` */
  readStandardInput?(): Promise<string>;
  /** Replaces the file in one step: readers see the old text or the new one. */
  writeFile(path: string, content: string | Uint8Array, rules?: WriteRules): Promise<void>;
  /** Equal for two paths that lead to the same file; undefined: the file does not exist. Without it, paths are compared. */
  identityOf?(path: string): Promise<string | undefined>;
  /** The rights of a file (`0o600`); undefined where there is no file, or the system has no rights. */
  rightsOf?(path: string): Promise<number | undefined>;
  /** Makes a directory (absolute path) and those above it, where they are missing. Without it, there are no directories to make. */
  makeDirectory?(path: string): Promise<void>;
  /** What git prints in a directory, without the last line end; undefined when it fails or is not there. Without it, there is no git. */
  git?(directory: string, args: readonly string[]): Promise<string | undefined>;
  /** Names in a directory, sorted. */
  list(directory: string, rules?: Pick<ReadRules, "below">): Promise<readonly string[]>;
  /** Milliseconds since 1970. */
  now(): number;
  /** When the command began, where this is a part of it. */
  readonly startedAt?: number;
  /** From 0 up to, not including, 1: so that many waiting processes do not continue at the same moment. */
  random(): number;
  /** Ends early, without an error, when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after that time, unless it was cancelled before. */
  alarm(ms: number, onTime: () => void): () => void;
  /** One line from the person at the terminal; undefined when they cancel or nobody is there. */
  ask(question: string): Promise<string | undefined>;
  /** Replaces the terminal's own questions: tests answer. */
  readonly prompts?: Prompts;
  setExitCode(code: number): void;
  /** SIGINT and SIGTERM. Returns how to stop listening; while nobody listens, they end the process. */
  onInterrupt(listener: () => void): () => void;
  /** Replaces the network: tests pass a sandbox of their own process. */
  readonly transport?: Transport;
}

/** All access of commands to the outside, with the files that this run has read so far. */
export interface Io extends ProcessIo {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The time of the last output to either stream; before the first one, the start of the command. */
  writtenAt(): number;
  /**
   * As the process reads it, and {@link STANDARD_INPUT} too.
   * @param use `look` for a file that is only examined before it is replaced; `configuration` for files whose lines messages may quote
   */
  readFile(path: string, rules?: ReadRules, use?: "input" | "look" | "configuration"): Promise<string>;
  /** Whether this file was an input of the run. Then no output may replace it. */
  wasRead(path: string): Promise<boolean>;
  /** The text of a configuration file that was read, for messages that show its lines. Undefined for other files. */
  quotable(path: string): string | undefined;
}

/** The name of the standard input in messages; on the command line it is `-`. */
export const STANDARD_INPUT = "<standard input>";

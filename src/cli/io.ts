import type { Transport } from "../zulip/transport.ts";
import type { Prompts } from "./prompts.ts";

/** Where text goes: a terminal, a pipe, or a test's array. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Width in characters; undefined when nobody looks at it. */
  readonly columns: number | undefined;
}

/** The process, as a test wants to replace it: commands touch the world through this and nothing else. */
export interface Io {
  /** Without `node` and the script. */
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string | undefined };
  /** Relative paths start here. */
  readonly cwd: string;
  readonly out: Output;
  /** Progress, prompts and mistakes: what must not end up in `> file`. */
  readonly err: Output;
  readonly inputIsTTY: boolean;
  /** @throws the system's error (`code` ENOENT, EACCES, EISDIR, …) */
  readFile(path: string): Promise<string>;
  /** Replaces the file in one step: readers see the old text or the new one. */
  writeFile(path: string, text: string): Promise<void>;
  /** Makes a directory (absolute path) and those above it, where they are missing. Without it, there are no directories to make. */
  makeDirectory?(path: string): Promise<void>;
  /** What git prints in a directory, without the last line end; undefined when it fails or is not there. Without it, there is no git. */
  git?(directory: string, args: readonly string[]): Promise<string | undefined>;
  /** Names in a directory, sorted. */
  list(directory: string): Promise<readonly string[]>;
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 up to, not including, 1: so that many waiting processes do not come back at once. */
  random(): number;
  /** Ends early, without an error, when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after that time, unless it was given back before. */
  alarm(ms: number, ring: () => void): () => void;
  /** One line from the person at the terminal; undefined when they cancel or nobody is there. */
  ask(question: string): Promise<string | undefined>;
  /** In place of the terminal's own questions: tests answer. */
  readonly prompts?: Prompts;
  setExitCode(code: number): void;
  /** SIGINT and SIGTERM. Gives back how to stop listening; while nobody listens, they end the process. */
  onInterrupt(listener: () => void): () => void;
  /** In place of the network: tests hand in a sandbox of their own process. */
  readonly transport?: Transport;
}

import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { WriteStream } from "node:tty";
import {
  decoded,
  listDirectory,
  MOST_INPUT_BYTES,
  type ReadRules,
  readRegular,
  readRegularBytes,
  tooLarge,
} from "../disk/read.ts";
import { identityOf, refuseLinkOut, statOf, writeInOneStep } from "../disk/write.ts";
import { EXIT } from "../model/diagnostic.ts";
import { NO_DIRECTORY, outputBroken } from "../report/commands/process.ts";
import { LARGEST_FILE_BYTES } from "../source/limits.ts";
import { processClock } from "../zulip/clock.ts";
import type { Output, ProcessIo } from "./io.ts";

/** The working directory; without one, as after its removal, the process ends with an error. */
export function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    process.stderr.write(NO_DIRECTORY);
    process.exitCode = EXIT.errors;
    return undefined;
  }
}

/** The real process. */
export function processIo(cwd = process.cwd()): ProcessIo {
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd,
    ...filesIn(cwd),
    out: output(process.stdout),
    err: output(process.stderr),
    inputIsTTY: process.stdin.isTTY === true,
    readStandardInput,
    async git(directory, args) {
      const { execFile } = await import("node:child_process");
      const options = { cwd: directory, timeout: 5_000, maxBuffer: LARGEST_FILE_BYTES };
      return new Promise((resolved) => {
        execFile("git", [...args], options, (error, stdout) => resolved(error === null ? stdout.trimEnd() : undefined));
      });
    },
    ...processClock,
    async ask(question) {
      if (process.stdin.isTTY !== true) return undefined;
      const { isCancel, text } = await import("@clack/prompts");
      const answer = await text({ message: question, output: process.stderr });
      return isCancel(answer) ? undefined : answer;
    },
    setExitCode: (code) => {
      process.exitCode = code;
    },
    onInterrupt(listener) {
      process.on("SIGINT", listener);
      process.on("SIGTERM", listener);
      return () => {
        process.off("SIGINT", listener);
        process.off("SIGTERM", listener);
      };
    },
  };
}

/** The disk, as seen from a directory. */
export function filesIn(
  cwd: string,
): Pick<ProcessIo, "readFile" | "readBytes" | "writeFile" | "makeDirectory" | "list" | "identityOf" | "rightsOf"> {
  const within = <T extends Pick<ReadRules, "below">>(rules: T): T =>
    rules.below === undefined ? rules : { ...rules, below: resolve(cwd, rules.below) };
  return {
    readFile: (path, rules = {}) => readRegular(resolve(cwd, path), within(rules)),
    readBytes: (path, rules = {}) => readRegularBytes(resolve(cwd, path), within(rules)),
    async writeFile(path, text, rules) {
      await refuseLinkOut(resolve(cwd, path), cwd);
      await writeInOneStep(resolve(cwd, path), text, rules);
    },
    async makeDirectory(path) {
      await refuseLinkOut(resolve(cwd, path), cwd);
      await mkdir(resolve(cwd, path), { recursive: true });
    },
    list: (directory, rules = {}) => listDirectory(resolve(cwd, directory), within(rules)),
    identityOf: (path) => identityOf(resolve(cwd, path)),
    async rightsOf(path) {
      if (process.platform === "win32") return undefined;
      const stats = await statOf(resolve(cwd, path));
      return stats === undefined ? undefined : stats.mode & 0o777;
    },
  };
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MOST_INPUT_BYTES) throw tooLarge(length, MOST_INPUT_BYTES);
    chunks.push(bytes);
  }
  return decoded(Buffer.concat(chunks, length));
}

/**
 * The reader of the output may stop reading (`realmctl plan | head`). That is not an error, and an apply continues. A full disk is reported once on
 * stderr, and the exit code shows it if everything else succeeded.
 */
function output(stream: WriteStream): Output {
  let isBroken = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (isBroken) return;
    isBroken = true;
    if (error.code === "EPIPE") return;
    process.on("exit", () => {
      process.exitCode ||= EXIT.errors;
    });
    if (stream !== process.stderr) process.stderr.write(outputBroken(error.message));
  });
  return {
    write: (text) => {
      if (!isBroken) stream.write(text);
    },
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
  };
}

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { WriteStream } from "node:tty";
import { EXIT } from "../model/diagnostic.ts";
import { systemAlarm } from "../zulip/clock.ts";
import type { Io, Output } from "./io.ts";

/** The real process. */
export function processIo(): Io {
  const cwd = process.cwd();
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd,
    out: output(process.stdout),
    err: output(process.stderr),
    inputIsTTY: process.stdin.isTTY === true,
    readFile: (path) => readFile(resolve(cwd, path), "utf8"),
    async writeFile(path, text) {
      const target = await whereFileIs(resolve(cwd, path));
      if (target === undefined) return writeFile(resolve(cwd, path), text);
      const beside = `${target}.${randomBytes(4).toString("hex")}.tmp`;
      try {
        await writeFile(beside, text, { flag: "wx" });
        await rename(beside, target);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
    async makeDirectory(path) {
      await mkdir(path, { recursive: true });
    },
    git: (directory, args) =>
      new Promise((resolved) => {
        const options = { cwd: directory, timeout: 5_000, maxBuffer: 1024 * 1024 };
        execFile("git", [...args], options, (error, stdout) => resolved(error === null ? stdout.trimEnd() : undefined));
      }),
    list: async (directory) => (await readdir(resolve(cwd, directory))).sort(),
    now: () => Date.now(),
    random: () => Math.random(),
    sleep,
    alarm: systemAlarm,
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

/**
 * The file that a replacement takes the place of, links followed; undefined for a device or a pipe (`--out /dev/stdout`), which is
 * written to as it is: a rename would put a file there in its place.
 */
async function whereFileIs(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isFile() ? await realpath(path) : undefined;
  } catch {
    return path;
  }
}

/**
 * Whoever read the output may stop doing so (`realmctl plan | head`): nobody's mistake, and no reason to leave an apply half-way. A
 * full disk is told once on stderr, and the exit code says so where all else went well.
 */
function output(stream: WriteStream): Output {
  let isBroken = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (isBroken) return;
    isBroken = true;
    if (error.code === "EPIPE") return;
    process.on("exit", () => {
      process.exitCode ||= EXIT.mistakes;
    });
    if (stream !== process.stderr) process.stderr.write(`realmctl: the output cannot be written: ${error.message}\n`);
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

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal?.aborted) return done();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      done();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener("abort", finish, { once: true });
  });
}

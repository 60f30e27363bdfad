import { type ChildProcess, spawn } from "node:child_process";
import { program } from "../support/bundle.ts";
import type { Ran, World } from "./world.ts";

export interface Child {
  readonly process: ChildProcess;
  /** A killed process has the exit code −1. Rejects, with the output, if the process did not end and had to be killed. */
  readonly ended: Promise<Ran>;
}

/** Well below the time limit of a test, so that the test says which process did not end, and leaves none behind. */
export const DEADLINE_MS = 30_000;

export interface StartOptions {
  readonly env?: { readonly [name: string]: string };
  /** Files may not grow beyond this many blocks of 512 bytes, as if the disk were full. */
  readonly fileSizeBlocks?: number;
  /** A module, as text, that runs in the process before everything else. */
  readonly preload?: string;
  /** Without the credentials that the world would set. */
  readonly anonymous?: boolean;
  /** The account whose key is used; default: the owner. */
  readonly as?: string;
}

/** A real process of the bundle, or of the installed package, in the world's directory. */
export function start(
  world: World,
  line: string,
  { env, fileSizeBlocks, preload, anonymous, as }: StartOptions = {},
): Child {
  const imports = preload === undefined ? [] : ["--import", `data:text/javascript,${encodeURIComponent(preload)}`];
  const { node, cli } = program();
  const argv = [node, ...imports, cli, ...line.split(" ").filter((word) => word !== "")];
  const limited = ["sh", "-c", `ulimit -f ${fileSizeBlocks}; exec "$0" "$@"`, ...argv];
  const [command = "", ...rest] = fileSizeBlocks === undefined ? argv : limited;
  const child = spawn(command, rest, {
    cwd: world.directory,
    env: {
      PATH: process.env.PATH,
      TMPDIR: world.directory,
      ...(anonymous === true ? {} : world.credentials(as)),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = new Promise<Ran>((resolve, reject) => {
    const deadline = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`realmctl ${line} did not end within ${DEADLINE_MS} ms; it printed:\n${out}${err}`));
    }, DEADLINE_MS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(deadline);
      resolve({ code: code ?? -1, out, err });
    });
  });
  // Informs those who wait for it; those who do not wait have already failed.
  ended.catch(() => {});
  return { process: child, ended };
}

/** The first line of a sandbox: the address where it listens. */
export async function addressOf(child: Child): Promise<string> {
  const ended = child.ended.then(({ err }) => Promise.reject(new Error(`it ended: ${err}`)));
  ended.catch(() => undefined);
  let said = "";
  while (!said.includes("Stop with Ctrl-C")) {
    const more = new Promise<string>((resolve) => {
      child.process.stdout?.once("data", resolve);
    });
    said += await Promise.race([more, ended]);
  }
  return said.split("\n", 1)[0] ?? "";
}

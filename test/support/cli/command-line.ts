import { resolve } from "node:path";
import { COMMANDS } from "../../../src/cli/commands.ts";
import type { ProcessIo } from "../../../src/cli/io.ts";
import { run } from "../../../src/cli/run.ts";
import { defined } from "../../../src/model/defined.ts";
import type { Transport } from "../../../src/zulip/transport.ts";

interface Ran {
  readonly exitCode: number | undefined;
  readonly out: string;
  readonly err: string;
  /** The files after the command. */
  readonly files: { readonly [path: string]: string };
}

export interface Surroundings {
  readonly env?: { readonly [name: string]: string };
  readonly files?: { readonly [path: string]: string };
  readonly transport?: Transport;
  /** Default: no alarm rings. */
  readonly alarm?: ProcessIo["alarm"];
  /** Default: time passes only by sleeping, and no alarm rings. */
  readonly clock?: Pick<ProcessIo, "now" | "sleep" | "alarm">;
  /** The directory of the journals. Default: a directory that does not exist. */
  readonly cwd?: string;
  /** Called with every text that is written. */
  readonly wrote?: (text: string, to: "out" | "err") => void;
  /** The answers of the person at the terminal; without it, there is no terminal. */
  readonly answer?: ProcessIo["ask"];
  /** Without it, Git finds nothing. */
  readonly git?: ProcessIo["git"];
  /** Gets the function that Ctrl-C calls. */
  readonly onInterrupt?: ProcessIo["onInterrupt"];
}

/** @param files path → content, one character for each byte; written files are added */
function filesInMemory(
  files: { [path: string]: string },
  cwd: string,
): Pick<
  ProcessIo,
  "readFile" | "readBytes" | "readStandardInput" | "writeFile" | "identityOf" | "makeDirectory" | "list"
> {
  return {
    async readFile(path) {
      const content = files[path];
      if (path === "." || Object.keys(files).some((file) => file.startsWith(`${path}/`)))
        throw Object.assign(new Error("EISDIR: illegal operation on a directory, read"), { code: "EISDIR" });
      if (content === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
      return content;
    },
    async readBytes(path) {
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
      return Buffer.from(content, "latin1");
    },
    readStandardInput: () => Promise.reject(new Error("there is no standard input here")),
    identityOf: async (path) => resolve(cwd, path),
    makeDirectory: async () => {},
    async writeFile(path, content) {
      if (path.startsWith("/readonly/"))
        throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
      files[path] = typeof content === "string" ? content : Buffer.from(content).toString("latin1");
    },
    list: async (directory) =>
      Object.keys(files)
        .flatMap((file) =>
          directory === "." ? [file] : file.startsWith(`${directory}/`) ? [file.slice(directory.length + 1)] : [],
        )
        .sort(),
  };
}

/** For tests: runs one command line of realmctl in a simulated process. Time passes only by sleeping. */
export async function runCommandLine(
  argv: readonly string[],
  {
    env = {},
    files: given = {},
    transport,
    alarm = () => () => {},
    clock,
    cwd = "/nowhere",
    wrote = () => {},
    answer,
    git = async () => undefined,
    onInterrupt = () => () => {},
  }: Surroundings = {},
): Promise<Ran> {
  const files: { [path: string]: string } = { ...given };
  const text = { out: "", err: "" };
  let exitCode: number | undefined;
  let now = Date.UTC(2026, 0, 1);
  const output = (to: "out" | "err") => ({
    write: (more: string) => {
      text[to] += more;
      wrote(more, to);
    },
    isTTY: false,
    columns: undefined,
  });
  const io: ProcessIo = {
    argv,
    env,
    cwd,
    out: output("out"),
    err: output("err"),
    inputIsTTY: answer !== undefined,
    ...filesInMemory(files, cwd),
    now: () => now,
    random: () => 0,
    async sleep(ms) {
      now += ms;
    },
    alarm,
    ...clock,
    ask: answer ?? (async () => undefined),
    setExitCode: (code) => {
      exitCode = code;
    },
    onInterrupt,
    git,
    ...defined({ transport }),
  };
  await run(io, COMMANDS);
  return { exitCode, ...text, files };
}

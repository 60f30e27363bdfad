import { existsSync, mkdirSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { setFlagsFromString } from "node:v8";

/**
 * Settings that make a short process smaller and the next one start sooner; they have no effect on results. Measured in bench/README.md.
 * @param command the first word of the command line
 */
export function settleProcess(command: string | undefined, env: NodeJS.ProcessEnv = process.env): void {
  // New objects get 1 MB, and not the up to 16 MB, twice, that V8 would use: 25 to 50 MB less, in the same time. A server that runs for hours is not
  // a short process.
  if (command !== "sandbox") {
    setFlagsFromString("--semi-space-growth-factor=1");
    compileLater();
  }
  keepCompiled(env);
}

/**
 * V8 optimises a function after some 70 kB of its code have run. Most work of a plan ends soon after: optimising costs more than it saves, 10 to 25 %
 * of the processor time of every plan (bench/README.md). Longer work is still optimised, a moment later. Later versions of V8 count calls instead,
 * and write to stderr that they do not know the option.
 */
function compileLater(): void {
  if (process.versions.node.startsWith("20.")) setFlagsFromString("--interrupt-budget=400000");
}

/** From version 22.1 on, Node keeps compiled code, and checks itself whether it belongs to another file or another Node. */
function keepCompiled(env: NodeJS.ProcessEnv): void {
  if (!("enableCompileCache" in nodeModule) || typeof nodeModule.enableCompileCache !== "function") return;
  const directory = placeOfCompiled(env, homedir);
  if (directory !== undefined) nodeModule.enableCompileCache(directory);
}

/**
 * The directory for compiled code: one that only this account can change, since the code there is executed. Never in CI, where a job of a pull
 * request could leave code for a job that has secrets. Undefined: code is compiled again.
 */
export function placeOfCompiled(env: NodeJS.ProcessEnv, home: () => string): string | undefined {
  if (env.NODE_COMPILE_CACHE !== undefined || env.NODE_DISABLE_COMPILE_CACHE !== undefined) return undefined;
  if ((env.CI ?? "") !== "") return undefined;
  try {
    const cache = env.XDG_CACHE_HOME;
    const base = cache !== undefined && isAbsolute(cache) ? cache : join(home(), ".cache");
    const own = join(base, "realmctl");
    // One by one: if nothing can be created (/proc), Node never stops trying to create the whole path.
    for (const directory of [base, own]) {
      if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
      if (!isOwn(directory)) return undefined;
    }
    return join(own, "compiled");
  } catch {
    // The home directory cannot be written, or does not exist.
    return undefined;
  }
}

/** Windows has no such rights: a home is each account's own. */
function isOwn(directory: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = statSync(directory);
  return uid === process.getuid() && (mode & 0o022) === 0;
}

import { existsSync, mkdirSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { setFlagsFromString } from "node:v8";

/**
 * What makes a short process smaller and the next one start sooner; nothing that a command does hangs on it. Measured in bench/README.md.
 * @param command the first word of the command line
 */
export function settleProcess(command: string | undefined, env: NodeJS.ProcessEnv = process.env): void {
  // New objects get 1 MB, not the up to 16 MB that V8 makes of it twice over: 25 to 50 MB less, in the same time. A server that runs for
  // hours is no short process.
  if (command !== "sandbox") setFlagsFromString("--semi-space-growth-factor=1");
  keepCompiled(env);
}

/**
 * Node keeps the compiled code from version 22.1 on, and knows itself when it is of another file or another Node. In a directory of the
 * account's own: what stands in the one that all accounts share would be run by whoever finds it.
 */
function keepCompiled(env: NodeJS.ProcessEnv): void {
  if (!("enableCompileCache" in nodeModule) || typeof nodeModule.enableCompileCache !== "function") return;
  if (env.NODE_COMPILE_CACHE !== undefined || env.NODE_DISABLE_COMPILE_CACHE !== undefined) return;
  try {
    const cache = env.XDG_CACHE_HOME;
    const base = cache !== undefined && isAbsolute(cache) ? cache : join(homedir(), ".cache");
    // One by one: where nothing can be made (/proc), Node tries for ever to make all of a path.
    for (const directory of [base, join(base, "realmctl")])
      if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
    nodeModule.enableCompileCache(join(base, "realmctl", "compiled"));
  } catch {
    // A home that cannot be written, or none: the code is compiled again.
  }
}

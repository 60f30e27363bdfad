import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** A package that is tested instead of the sources: its program, and the Node that runs it. */
    readonly installed: Program;
  }
}

/** A program, and the command that runs it. */
export interface Program {
  readonly node: string;
  readonly cli: string;
}

const BUILD_DEADLINE_MS = 60_000;

/**
 * What people run, built from the present sources: the command line, or the Action as it would be checked in. Built once, by the first worker that runs
 * it; the others wait.
 * @returns the program's file
 */
export function bundleOf(part: "cli" | "action"): string {
  const directory = join(inject("bundles"), part);
  if (!existsSync(directory) && isFirst(`${directory}.begun`)) {
    execFileSync(process.execPath, ["scripts/build.mjs", "--only", part, "--outdir", `${directory}.new`], {
      cwd: new URL("../..", import.meta.url),
      timeout: BUILD_DEADLINE_MS,
    });
    renameSync(`${directory}.new`, directory);
  }
  for (let waited = 0; !existsSync(directory); waited += 50) {
    if (waited > BUILD_DEADLINE_MS) throw new Error(`another worker has not built the ${part} within a minute`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  return join(directory, part === "cli" ? "cli.js" : "action/index.js");
}

/** @returns whether nobody was here before; a directory is made by one alone */
function isFirst(directory: string): boolean {
  try {
    mkdirSync(directory);
    return true;
  } catch {
    return false;
  }
}

/** The installed package, if the tests run with one (test/package/vitest.config.ts). */
export const installed = (): Program | undefined => inject("installed");

/** The command line as people run it: the installed package, or a build of the sources. */
export const program = (): Program => installed() ?? { node: process.execPath, cli: bundleOf("cli") };

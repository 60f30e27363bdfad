import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
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
const built = new Map<string, string>();

/**
 * What people run, built from the present sources: the command line, or the Action as it would be checked in. Built once in each worker, by the first
 * file that runs it.
 * @returns the program's file
 */
export function bundleOf(part: "cli" | "action"): string {
  const directory = built.get(part) ?? mkdtempSync(join(inject("bundles"), `${part}-`));
  if (!built.has(part))
    execFileSync(process.execPath, ["scripts/build.mjs", "--only", part, "--outdir", directory], {
      cwd: new URL("../..", import.meta.url),
      timeout: BUILD_DEADLINE_MS,
    });
  built.set(part, directory);
  return join(directory, part === "cli" ? "cli.js" : "action/index.js");
}

/** The installed package, if the tests run with one (test/package/vitest.config.ts). */
export const installed = (): Program | undefined => inject("installed");

/** The command line as people run it: the installed package, or a build of the sources. */
export const program = (): Program => installed() ?? { node: process.execPath, cli: bundleOf("cli") };

#!/usr/bin/env node
import { join } from "node:path";
import { VERSION } from "../version.ts";
import { settleProcess } from "./settle-process.ts";

/** What scripts/build.mjs makes of all sources. */
interface Program {
  /** Runs the command line of this process to its end. */
  command(): Promise<void>;
}

function isProgram(exports: unknown): exports is Program {
  return (
    typeof exports === "object" && exports !== null && "command" in exports && typeof exports.command === "function"
  );
}

const first = process.argv[2];
if (first === "--version" || first === "-V") {
  // Answered before anything else is loaded: scripts ask for it often.
  const { version: node, platform, arch } = process;
  const about = { name: "realmctl", version: VERSION, node, platform, arch };
  process.stdout.write(`${process.argv.includes("--json") ? JSON.stringify(about) : VERSION}\n`);
} else {
  settleProcess(first);
  const { compiledDirectory, runCompiled } = await import("./compiled.ts");
  const name = first !== undefined && /^[a-z]{1,20}$/.test(first) ? first : "realmctl";
  const program = runCompiled(join(import.meta.dirname, "program.cjs"), name, compiledDirectory(process.env));
  if (!isProgram(program.exports)) throw new TypeError("dist/program.cjs is not what this version was built with");
  await program.exports.command();
  program.keep();
}

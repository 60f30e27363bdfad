#!/usr/bin/env node
import { VERSION } from "../version.ts";
import { settleProcess } from "./settle-process.ts";

const words = process.argv.slice(2);
const [first] = words.filter((word) => word !== "--json");
const isVersion = first === "--version" || first === "-V";
/** Options without an effect beside `--version` are refused, as anywhere else. */
const strays = words.filter((word) => word.startsWith("-") && !/^(--version|-V|--json|--no-color)$/.test(word));
if (isVersion && strays.length === 0) {
  // The version is printed before anything else is loaded, since scripts often ask for it.
  const { version: node, platform, arch } = process;
  const about = { name: "realmctl", version: VERSION, node, platform, arch };
  process.stdout.write(`${words.includes("--json") ? JSON.stringify(about) : VERSION}\n`);
} else {
  settleProcess(process.argv[2]);
  const [{ run }, { currentDirectory, processIo }] = await Promise.all([import("./run.ts"), import("./process-io.ts")]);
  const cwd = currentDirectory();
  if (cwd !== undefined) await run(isVersion ? { ...processIo(cwd), argv: strays } : processIo(cwd));
}

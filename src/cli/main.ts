#!/usr/bin/env node
import { VERSION } from "../version.ts";
import { settleProcess } from "./settle-process.ts";

const [first] = process.argv.slice(2).filter((word) => word !== "--json");
if (first === "--version" || first === "-V") {
  // Answered before anything else is loaded: scripts ask for it often.
  const { version: node, platform, arch } = process;
  const about = { name: "realmctl", version: VERSION, node, platform, arch };
  process.stdout.write(`${process.argv.includes("--json") ? JSON.stringify(about) : VERSION}\n`);
} else {
  settleProcess(process.argv[2]);
  const [{ run }, { processIo }] = await Promise.all([import("./run.ts"), import("./process-io.ts")]);
  await run(processIo());
}

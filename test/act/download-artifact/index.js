const { cpSync, readdirSync } = require("node:fs");
const { join } = require("node:path");

const input = (name) => process.env[`INPUT_${name.toUpperCase()}`] ?? "";
const kept = process.env.ACT_ARTIFACTS ?? "";
const beginning = input("pattern").replace(/\*$/, "");
for (const name of readdirSync(kept))
  if (name.startsWith(beginning)) cpSync(join(kept, name), join(input("path"), name), { recursive: true });

const { copyFileSync, existsSync, mkdirSync } = require("node:fs");
const { basename, join } = require("node:path");

const input = (name) => process.env[`INPUT_${name.toUpperCase()}`] ?? "";
const folder = join(process.env.ACT_ARTIFACTS ?? "", input("name"));
const files = input("path")
  .split("\n")
  .map((line) => line.trim())
  .filter((line) => line !== "" && existsSync(line));
if (files.length === 0 && input("if-no-files-found") === "error") {
  console.log(`::error::no file of ${input("path")}`);
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
for (const file of files) copyFileSync(file, join(folder, basename(file)));

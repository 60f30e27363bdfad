// Finds regular expressions of the program whose work grows faster than the text that they search: `npm run patterns`.
// A file may have a megabyte of text from other people. With such a text, a search of quadratic time blocks a job.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";

const here = import.meta.dirname;
const root = join(here, "../..");
if (!existsSync(join(here, "node_modules"))) {
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

// Texts that are always short, or that the program itself creates.
const BOUNDED = new Map([
  ["src/action/adopt-pull.ts", "runs of dashes were made one before"],
  ["src/cli/demo.ts", "reads what the demo itself has printed"],
  ["src/cli/init/workflows.ts", "reads the templates of this package"],
  ["src/report/html-page.ts", "reads a page whose texts are escaped, section by section"],
  ["src/report/style.ts", "reads the digits of one number"],
  ["src/source/yaml-errors.ts", "reads messages of the YAML library, and at most 200 characters of the file"],
  ["src/source/yaml.ts", "reads one number, and finds the first e at once"],
  ["src/zulip/network-errors.ts", "reads messages of TLS"],
  ["src/zulip/reply.ts", "repeats 200 times at most"],
]);

const { checkSync } = await import(join(here, "node_modules/recheck/lib/main.js"));
const files = execFileSync("git", ["ls-files", "src/*.ts"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => !/test|^src\/sandbox\//.test(file));

function* literalsIn(node) {
  if (node?.type === "RegExpLiteral") yield node;
  if (typeof node === "object" && node !== null) for (const item of Object.values(node)) yield* literalsIn(item);
}

let searched = 0;
const found = [];
for (const file of files)
  for (const { pattern, flags } of literalsIn(
    parseSync(readFileSync(join(root, file), "utf8"), { syntax: "typescript", target: "es2022" }),
  )) {
    searched += 1;
    const { status, complexity, error } = checkSync(pattern, flags.replace(/[dv]/g, ""), { timeout: 5000 });
    if (status !== "safe" && !BOUNDED.has(file))
      found.push(`${file}: /${pattern}/${flags} (${complexity?.summary ?? error?.kind})`);
  }
console.log(
  [...found, `${searched} patterns searched, ${found.length} of them grow faster than their text`].join("\n"),
);
process.exitCode = found.length === 0 ? 0 : 1;

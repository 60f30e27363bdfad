// Bundles the command line and the library for Node. `npm ci` runs it through `prepare`, so `npx realmctl` works in a fresh clone.
//   --outdir DIR   somewhere else than dist/: tests build what they run, so that they never look at an old bundle
//   --only PART    "cli" (with the library) or "action" instead of both
// dist/action/ is checked in: GitHub runs an Action as it lies in the repository. The same sources give the same bytes.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const root = new URL("..", import.meta.url).pathname;
const { values } = parseArgs({
  options: { outdir: { type: "string", default: join(root, "dist") }, only: { type: "string" } },
});
const { outdir, only } = values;

const common = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  alias: { "node:assert": "./scripts/plain-assert.cjs" },
  define: { REALMCTL_VERSION: JSON.stringify(version) },
  // Some bundled CommonJS packages call `require` for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  // 5 MB less memory for every command; names stay, so that a stack trace can be read.
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
};
/** Nothing of either is loaded before it is asked for. */
const PROGRAM = `
exports.command = () => {
  const { run } = require("./src/cli/run.ts");
  const { processIo } = require("./src/cli/process-io.ts");
  return run(processIo());
};
exports.library = () => require("./src/index.ts");
`;
// Built beside it and swapped in when all is there: a build that fails leaves the one before as it was.
mkdirSync(dirname(outdir), { recursive: true });
const fresh = mkdtempSync(`${outdir.replace(/\/+$/, "")}.new-`);
try {
  if (only !== "action") await buildCli();
  if (only !== "cli") await buildAction();
  swapIn();
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

/** Each part as a whole; what this build did not make stays. */
function swapIn() {
  mkdirSync(outdir, { recursive: true });
  for (const name of readdirSync(fresh)) {
    const [from, to, old] = [join(fresh, name), join(outdir, name), join(fresh, `${name}.old`)];
    if (existsSync(to)) renameSync(to, old);
    renameSync(from, to);
  }
}

/**
 * All sources are one file, so that what V8 compiled of it can be kept (src/cli/compiled.ts); a part that nobody asks for is not run. The
 * command line and the library are a few lines that load it.
 */
async function buildCli() {
  const program = join(fresh, "program.cjs");
  const { banner: _, ...withoutBanner } = common;
  await build({
    ...withoutBanner,
    stdin: { contents: PROGRAM, resolveDir: root },
    format: "cjs",
    define: { ...common.define, "import.meta.dirname": "__dirname" },
    outfile: program,
  });
  // Read as one byte for each character: UTF-8 would take twice the memory, and longer. Only a regular expression can break this.
  const [odd] = readFileSync(program, "utf8").match(/.{0,40}[^\0-\x7f].{0,40}/) ?? [];
  if (odd !== undefined) throw new Error(`dist/program.cjs must be ASCII; write \\u… in the sources instead: ${odd}`);
  // Split, since --version needs nothing but itself.
  await build({
    ...withoutBanner,
    entryPoints: { cli: "src/cli/main.ts" },
    outdir: fresh,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
  });
  chmodSync(join(fresh, "cli.js"), 0o755);
  // A child, so that this process does not hold all of it.
  const names = execFileSync(process.execPath, [
    "-p",
    `Object.keys(require(${JSON.stringify(program)}).library()).join()`,
  ]);
  writeFileSync(
    join(fresh, "index.js"),
    // Not `import`: Node would look through all of the text for the names that it exports, for as long as running it takes.
    `import { createRequire } from "node:module";
export const { ${String(names).trim().replaceAll(",", ", ")} } = createRequire(import.meta.url)("./program.cjs").library();
`,
  );

  // Types are for programs that use the library, replay for the workshop: not needed where a test builds a bundle of its own.
  if (outdir === join(root, "dist")) {
    await build({ ...common, entryPoints: { replay: "scripts/replay.ts" }, outdir: fresh });
    const tsc = join(root, "node_modules/.bin/tsc");
    const args = ["-p", "tsconfig.types.json", "--outDir", join(fresh, "types")];
    execFileSync(tsc, args, { cwd: root, stdio: "inherit" });
  }
}

async function buildAction() {
  const directory = join(fresh, "action");
  const { metafile } = await build({
    ...common,
    entryPoints: { index: "src/action/main.ts" },
    outdir: directory,
    metafile: true,
  });
  writeFileSync(join(directory, "LICENSES.txt"), licensesOf(Object.keys(metafile.inputs)));
}

/** The licence of every package in a bundle that is handed on with the repository. */
function licensesOf(inputs) {
  const packages = new Set(inputs.flatMap((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
  const texts = [...packages].sort().map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"));
    const file = readdirSync(join(root, directory)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    const text =
      file !== undefined && existsSync(join(root, directory, file))
        ? readFileSync(join(root, directory, file), "utf8")
        : "";
    return `${name} ${version} (${license})\n\n${text.replaceAll("\r\n", "\n").trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

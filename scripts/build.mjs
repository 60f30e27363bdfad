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
import { inFewFiles, withoutUnasked } from "./bundle-parts.mjs";
import { buildOnCall, onCall } from "./on-call.mjs";

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
  // Saves 5 MB of memory in every command; names stay, so that a stack trace is readable.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
};
// Built next to the old output and swapped in when it is complete: a failed build leaves the previous one as it was.
mkdirSync(dirname(outdir), { recursive: true });
const fresh = mkdtempSync(`${outdir.replace(/\/+$/, "")}.new-`);
try {
  if (only !== "action") await buildCli();
  if (only !== "cli") await buildAction();
  swapIn();
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

/** Replaces each part as a whole; what this build did not write stays. */
function swapIn() {
  mkdirSync(outdir, { recursive: true });
  for (const name of readdirSync(fresh)) {
    const [from, to, old] = [join(fresh, name), join(outdir, name), join(fresh, `${name}.old`)];
    if (existsSync(to)) renameSync(to, old);
    renameSync(from, to);
  }
}

async function buildCli() {
  const options = {
    ...common,
    entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts", replay: "scripts/replay.ts" },
    outdir: fresh,
    chunkNames: "chunks/[name]-[hash]",
    // Splitting keeps every lazily imported command in a file of its own: start-up reads only what it needs.
    splitting: true,
    metafile: true,
  };
  await build({ ...options, plugins: [await inFewFiles(options), onCall, withoutUnasked] });
  await buildOnCall(common, join(fresh, "chunks"));
  chmodSync(join(fresh, "cli.js"), 0o755);

  // Programs that use the library need types; a test that builds a bundle of its own does not.
  if (outdir === join(root, "dist")) {
    const tsc = join(root, "node_modules/.bin/tsc");
    // Writes only: `npm run types` checks, which takes eight times as long.
    const args = ["-p", "tsconfig.types.json", "--noCheck", "--checkers", "1", "--outDir", join(fresh, "types")];
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

/** The licence of every package in a bundle that is in the repository. */
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

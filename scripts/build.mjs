// Bundles the command line and the library for Node. `npm ci` runs it through `prepare`, so `npx realmctl` works in a fresh clone.
//   --outdir DIR   somewhere else than dist/: tests build what they run, so that they never look at an old bundle
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const root = new URL("..", import.meta.url).pathname;
const { values } = parseArgs({ options: { outdir: { type: "string", default: join(root, "dist") } } });
const { outdir } = values;
rmSync(join(outdir, "chunks"), { recursive: true, force: true });

await build({
  absWorkingDir: root,
  entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts", replay: "scripts/replay.ts" },
  outdir,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  // Splitting keeps every lazily imported command in a file of its own: start-up reads only what it needs.
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  define: { REALMCTL_VERSION: JSON.stringify(version) },
  // Some bundled CommonJS packages call `require` for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  // 5 MB less memory for every command; names stay, so that a stack trace can be read.
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
});
chmodSync(join(outdir, "cli.js"), 0o755);

// Types are for programs that use the library: not needed where a test builds a bundle of its own.
if (outdir === join(root, "dist")) {
  const tsc = join(root, "node_modules/.bin/tsc");
  execFileSync(tsc, ["-p", "tsconfig.types.json", "--outDir", join(outdir, "types")], { cwd: root, stdio: "inherit" });
}

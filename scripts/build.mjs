// Bundles the command line and the library for Node. `npm ci` runs it through `prepare`, so `npx realmctl` works in a fresh clone.
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const root = new URL("..", import.meta.url).pathname;
rmSync(`${root}dist/chunks`, { recursive: true, force: true });

await build({
  absWorkingDir: root,
  entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts", replay: "scripts/replay.ts" },
  outdir: "dist",
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
  legalComments: "none",
  logLevel: "warning",
});
chmodSync(`${root}dist/cli.js`, 0o755);

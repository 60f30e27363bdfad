// Writes the files that are made from the code (src/generate.ts). A test fails when they are not as this would write them.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const root = new URL("..", import.meta.url).pathname;
const bundle = join(root, "node_modules/.cache/realmctl-generate.mjs");
await build({
  absWorkingDir: root,
  entryPoints: ["src/generate.ts"],
  outfile: bundle,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
});
const { generatedFiles } = await import(bundle);
rmSync(bundle);
for (const [path, text] of generatedFiles()) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(`${path}  ${text.length} characters`);
}

// Writes the files that are made from the code (src/generate.ts, scripts/generated-docs.ts). Tests fail if they differ from what this would write.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const root = new URL("..", import.meta.url).pathname;
const directory = join(root, "node_modules/.cache/realmctl-generate");
await build({
  absWorkingDir: root,
  entryPoints: ["src/generate.ts", "scripts/generated-docs.ts"],
  outdir: directory,
  outbase: ".",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
});
const { generatedFiles } = await import(join(directory, "src/generate.mjs"));
const { generatedDocs, WRITTEN } = await import(join(directory, "scripts/generated-docs.mjs"));
const files = new Map([...generatedFiles(), ...(await generatedDocs(root))]);
rmSync(directory, { recursive: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
// Pages of codes and sections that no longer exist.
for (const made of ["docs/diagnostics", "docs/reference"])
  for (const name of readdirSync(join(root, made), { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".md") && !files.has(`${made}/${name}`) && !WRITTEN.has(`${made}/${name}`))
      rmSync(join(root, made, name));
console.log(`${files.size} files`);

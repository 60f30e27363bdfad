import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin } from "vitest/config";

const ROOT = new URL("../..", import.meta.url).pathname;
const SOURCES = join(ROOT, "src/");
/** As deep as src/: what a source finds beside itself, it finds from there as well. */
const BUILT = join(ROOT, ".sources/");

const builtOf = (path: string): string => path.replace(SOURCES, BUILT).replace(/\.ts$/, ".js");
const isSource = (path: string): boolean =>
  path.startsWith(SOURCES) && path.endsWith(".ts") && !path.endsWith(".test.ts");

/** Each source becomes one file with its data, and imports the others as they were written. */
const apart: EsbuildPlugin = {
  name: "apart",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
      kind === "entry-point" || path.endsWith(".json")
        ? undefined
        : { path: path.replace(/\.ts$/, ".js"), external: true },
    );
  },
};

declare global {
  /** vitest reads its configuration anew for each project: they have one build. */
  var sourcesBuilt: Promise<void> | undefined;
}

/** Writes what is not there already: another run may read it. */
async function buildSources(): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .map((name) => join(SOURCES, name))
      .filter(isSource),
    outbase: SOURCES,
    outdir: BUILT,
    write: false,
    bundle: true,
    packages: "external",
    plugins: [apart],
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap: "inline",
    sourcesContent: false,
  });
  const written = new Set(outputFiles.map(({ path }) => path));
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
  for (const name of readdirSync(BUILT, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".js") && !written.has(join(BUILT, name))) rmSync(join(BUILT, name), { force: true });
}

/**
 * Tests import the sources as files that Node reads by itself. vitest would wrap each import of each module in a function that looks it up: a third of the
 * time of a long test, and five seconds of each start.
 */
export async function builtSources(): Promise<Plugin> {
  globalThis.sourcesBuilt ??= buildSources();
  await globalThis.sourcesBuilt;
  return {
    name: "built-sources",
    enforce: "pre",
    config: () => ({ test: { server: { deps: { external: [/\/\.sources\//] } } } }),
    resolveId(id, importer) {
      const path = id.startsWith(".") && importer !== undefined ? join(dirname(importer), id) : id;
      return isSource(path) ? { id: builtOf(path), external: true } : undefined;
    },
  };
}

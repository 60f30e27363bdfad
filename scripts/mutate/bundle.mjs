// The tests of a mutation run as one module, in the copy of the project that Stryker works on (the current directory): mutate-tests.mjs collects them
// when it is loaded. Each module keeps its path, so that a test still finds the files beside it.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const root = process.cwd();
const like = join(import.meta.dirname, "vitest-like.mjs");
const tests = (process.env.REALMCTL_MUTATE_TESTS ?? "").split(" ");

const places = {
  name: "places",
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes("node_modules")) return;
      const contents = readFileSync(path, "utf8")
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.url", JSON.stringify(`file://${path}`));
      return { contents, loader: "ts" };
    });
  },
};

// Each file is loaded in a separate function, so that the tests that it collects are known to belong to it.
const entry = [
  'import "./src/report/words/failure.ts";',
  'import { collect } from "vitest";',
  ...tests.map((path) => `await collect(${JSON.stringify(join(root, path))}, () => import("./${path}"));`),
  'export { collected, longest, runTest, endSuites } from "vitest";',
].join("\n");

await build({
  absWorkingDir: root,
  stdin: { contents: entry, resolveDir: root, loader: "ts", sourcefile: "mutate-tests.ts" },
  outdir: root,
  entryNames: "mutate-tests",
  chunkNames: "mutate-[hash]",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  packages: "external",
  plugins: [
    {
      name: "vitest",
      setup(build) {
        build.onResolve({ filter: /^vitest$/ }, () => ({ path: like }));
        build.onResolve({ filter: /^@vitest\// }, ({ path }) => ({ path, external: true }));
        build.onResolve({ filter: /^realmctl$/ }, () => ({ path: join(root, "src/index.ts") }));
      },
    },
    places,
  ],
  logLevel: "warning",
});

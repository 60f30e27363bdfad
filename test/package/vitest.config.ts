import { delimiter } from "node:path";
import { defineConfig } from "vitest/config";
import { TAGS } from "../../vitest.config.ts";
import { builtSources } from "../support/built-sources.ts";
import type { Program } from "../support/bundle.ts";
import { testsOn } from "./tests.mjs";

/** Which Nodes to use, the one on which `npm test` runs, and the program in the folder where the package is installed: test/package/run.mjs sets them. */
const {
  REALMCTL_INSTALLED_CLI: cli = "",
  REALMCTL_INSTALLED_NODES: nodes = "",
  REALMCTL_TRIED_NODE: tried = "",
} = process.env;

const projectOf = (installed: Program, index: number) => ({
  extends: true as const,
  test: { name: `node-${index}`, provide: { installed }, include: testsOn(installed.node === tried) },
});

/** The tagged end-to-end tests, with the installed package, on every Node at once. */
export default defineConfig({
  plugins: [builtSources()],
  root: new URL("../..", import.meta.url).pathname,
  test: {
    globalSetup: "test/support/bundle-directory.ts",
    setupFiles: ["test/support/contract/setup.ts", "src/report/words/failure.ts"],
    pool: "threads",
    isolate: false,
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    tags: TAGS,
    projects: nodes.split(delimiter).map((node, index) => projectOf({ node, cli }, index)),
  },
});

import { delimiter } from "node:path";
import { defineConfig } from "vitest/config";
import { TAGS } from "../../vitest.config.ts";
import { builtSources } from "../support/built-sources.ts";
import type { Program } from "../support/bundle.ts";

/** Which Nodes to use, and the program in the folder where the package is installed: test/package/run.mjs sets both. */
const { REALMCTL_INSTALLED_CLI: cli = "", REALMCTL_INSTALLED_NODES: nodes = "" } = process.env;

const projectOf = (installed: Program, index: number) => ({
  extends: true as const,
  test: { name: `node-${index}`, provide: { installed } },
});

/** The tagged end-to-end tests, with the installed package, on every Node at once. */
export default defineConfig({
  plugins: [builtSources()],
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: [
      "test/e2e/{each-command,commands,process,organizations}.test.ts",
      // One of the plans whose processes are killed.
      "test/e2e/crash-changed.test.ts",
      "test/init/terminal.test.ts",
      "test/completion.test.ts",
      "test/network/{proxy,socks}.test.ts",
    ],
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

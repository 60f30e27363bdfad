import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "test/support/bundle-directory.ts",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // They start faster than processes, and one that loops for ever ends with the runner.
    pool: "threads",
    // Each file in a worker of its own: a fifth slower, and no file can lean on, or trip over, what another one left behind.
    isolate: true,
    // One worker a core, two at least; each takes some 500 MB in the largest tests.
    maxWorkers: Math.min(Math.max(2, availableParallelism()), 8),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

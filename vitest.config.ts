import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "test/support/bundle-directory.ts",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Threads, not processes: they start faster, and a process of the runner now and then falls silent after its last test, for which
    // the runner waits without end.
    pool: "threads",
    // One worker a core, two at least; each takes some 500 MB in the largest tests.
    maxWorkers: Math.min(Math.max(2, availableParallelism()), 8),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

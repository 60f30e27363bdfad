import { defineConfig } from "vitest/config";

/** The tests that `npm run mutate` holds mutants against: those it names, in one worker. */
export default defineConfig({
  test: {
    include: (process.env.REALMCTL_MUTATE_TESTS ?? "").split(" "),
    setupFiles: ["src/report/words/failure.ts"],
    pool: "threads",
    isolate: false,
    testTimeout: 60_000,
  },
});

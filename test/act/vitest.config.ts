import { defineConfig } from "vitest/config";
import { builtSources } from "../support/built-sources.ts";

/** Apart from `npm test`: it needs act, which `npm run act` and .ci/run install. */
export default defineConfig({
  plugins: [builtSources()],
  root: new URL("../..", import.meta.url).pathname,
  resolve: { alias: { realmctl: new URL("../../src/index.ts", import.meta.url).pathname } },
  test: {
    include: ["test/act/**/*.act.ts"],
    globalSetup: "test/support/bundle-directory.ts",
    setupFiles: ["src/report/words/failure.ts"],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    bail: 1,
  },
});

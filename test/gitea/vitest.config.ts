import { defineConfig } from "vitest/config";
import { builtSources } from "../support/built-sources.ts";

/** Apart from `npm test`: it needs a Gitea, which `npm run gitea` builds. */
export default defineConfig({
  plugins: [builtSources()],
  root: new URL("../..", import.meta.url).pathname,
  resolve: { alias: { realmctl: new URL("../../src/library/entry.ts", import.meta.url).pathname } },
  test: {
    include: ["test/gitea/**/*.gitea.ts"],
    globalSetup: "test/support/bundle-directory.ts",
    setupFiles: ["src/report/words/failure.ts"],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    bail: 1,
  },
});

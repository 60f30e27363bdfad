// The arrows between the folders of src/, as CONTRIBUTING.md states them: its table is what is enforced. `npm run arrows` runs this.
import { readFileSync } from "node:fs";
import { arrowsOf, rulesOf } from "./scripts/arrows.mjs";

const contributing = readFileSync(new URL("CONTRIBUTING.md", import.meta.url), "utf8");

export default {
  forbidden: [
    ...rulesOf(arrowsOf(contributing)),
    { name: "no-module-that-needs-itself", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    // It reads TypeScript 7, whose compiler has no API that a program can call.
    parser: "swc",
    // Types too: a folder that names another one's types depends on it.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // Tests may look at everything.
    exclude: { path: String.raw`\.test\.ts$` },
  },
};

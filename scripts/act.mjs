// Runs the shipped workflows in act, an independent runner for GitHub's workflows, against a sandbox and the fake GitHub: `npm run act`. Needs Python
// once, for the package that contains act, or REALMCTL_ACT_BINARY with the path of an act.
import { join } from "node:path";
import { installedAct } from "./install-act.mjs";
import { root, run } from "./run-command.mjs";

const binary = installedAct();
run(process.execPath, [join(root, "scripts/build.mjs")]);
const vitest = join(root, "node_modules/vitest/vitest.mjs");
run(process.execPath, [vitest, "run", "--config", "test/act/vitest.config.ts"], {
  env: { REALMCTL_ACT_BINARY: binary },
});

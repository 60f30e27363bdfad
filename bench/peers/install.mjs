// octoDNS and OpenTofu as anybody would install them, into node_modules/.cache/realmctl-peers: a virtual environment of Python, and a build with Go.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/measure.mjs";

const PYTHON_PACKAGES = ["octodns==1.22.0", "octodns-powerdns==1.2.0"];
const TOFU = { module: "github.com/opentofu/opentofu", version: "v1.10.10" };
const folder = process.env.REALMCTL_PEERS ?? join(root, "node_modules/.cache/realmctl-peers");

/** @returns the programs' paths; what cannot be installed here is undefined, with a line that says why */
export function installed() {
  mkdirSync(folder, { recursive: true });
  return { octodns: octodns(), tofu: tofu() };
}

function octodns() {
  const venv = join(folder, "venv");
  const program = join(venv, "bin/octodns-sync");
  if (existsSync(program)) return program;
  console.log(`installing ${PYTHON_PACKAGES.join(" and ")}`);
  const ready =
    ran("python3", ["-m", "venv", venv]) &&
    ran(join(venv, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", ...PYTHON_PACKAGES]);
  return ready ? program : undefined;
}

/** Its module replaces another one, which `go install` refuses: it is built from a copy of its own sources. */
function tofu() {
  const program = join(folder, "tofu");
  if (existsSync(program)) return program;
  console.log(`building OpenTofu ${TOFU.version}: ten minutes of processor, once`);
  const found = spawnSync("go", ["mod", "download", "-json", `${TOFU.module}@${TOFU.version}`], { encoding: "utf8" });
  if (found.status !== 0) return unable("go", found);
  const sources = join(folder, "sources");
  cpSync(JSON.parse(found.stdout).Dir, sources, { recursive: true });
  spawnSync("chmod", ["-R", "u+w", sources]);
  const built = ran("go", ["build", "-trimpath", "-ldflags", "-s -w", "-o", program, "./cmd/tofu"], { cwd: sources });
  rmSync(sources, { recursive: true, force: true });
  return built ? program : undefined;
}

function ran(program, argv, options = {}) {
  const done = spawnSync(program, argv, { ...options, encoding: "utf8" });
  return done.status === 0 || unable(program, done) !== undefined;
}

function unable(program, { status, error, stderr }) {
  const why = error?.message ?? `exit code ${status}\n${stderr}`;
  console.log(`${program} cannot be run here: ${why}`);
  return undefined;
}

// What a release hands out, looked at by others' programs: publint and attw (types) on the tarball, hadolint on the Dockerfile, the SBOM, the checksums. Prints
// {"passed": N, "failed": N} as its last line.
//   node test/package/lint.mjs TOOLS     a folder with node_modules/.bin (publint, attw) and bin/hadolint
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
const [tools = ""] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "realmctl-release-"));
const commit = "1".repeat(40);
const counts = { passed: 0, failed: 0 };
process.on("exit", () => {
  rmSync(scratch, { recursive: true, force: true });
  console.log(JSON.stringify(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
});

function check(name, work) {
  try {
    work();
    counts.passed += 1;
    console.log(`ok      ${name}`);
  } catch (error) {
    counts.failed += 1;
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.message : error}`);
  }
}

/** @returns what it printed; throws it when it fails */
function run(command, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 60_000 });
  assert.equal(status, 0, `${command}: ${error?.message ?? ""}\n${stdout}${stderr}`);
  return stdout;
}

const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const tarball = join(scratch, `realmctl-${own.version}.tgz`);
const release = ["scripts/release.mjs", "--repository", "acme/realmctl", "--commit", commit, "--out", scratch];
check("a release has a tarball, an SBOM, checksums and notes, and changes nothing here", () => {
  const written = () => ["package.json", "README.md"].map((name) => readFileSync(join(root, name), "utf8"));
  const before = written();
  run(process.execPath, release);
  assert.deepEqual(written(), before);
  run("sha256sum", ["--check", "--strict", "SHA256SUMS"], scratch);
  assert.match(readFileSync(join(scratch, "NOTES.md"), "utf8"), /^### /);
});
check("the tarball says where it comes from", () => {
  execFileSync("tar", ["-xzf", tarball, "-C", scratch, "package/package.json"]);
  const packed = JSON.parse(readFileSync(join(scratch, "package/package.json"), "utf8"));
  assert.deepEqual(packed.release, { action: `acme/realmctl@${commit}`, package: `realmctl@${own.version}` });
  assert.equal(packed.repository.url, "git+https://github.com/acme/realmctl.git");
  assert.deepEqual([packed.scripts, packed.devDependencies], [undefined, undefined]);
});
check("it installs with nothing to allow, with the command and its man page", () => {
  const prefix = join(scratch, "global");
  const said = spawnSync(
    "npm",
    ["install", "--global", "--prefix", prefix, "--prefer-offline", "--no-audit", "--no-fund", tarball],
    {
      encoding: "utf8",
      timeout: 60_000,
    },
  );
  assert.equal(said.status, 0, said.stderr);
  assert.doesNotMatch(said.stderr, /script|deprecated/i);
  assert.equal(run(join(prefix, "bin/realmctl"), ["--version"]).trim(), own.version);
  assert.match(readFileSync(join(prefix, "share/man/man1/realmctl.1"), "utf8"), /^\.TH/m);
});
check("the README's links lead to this commit, and to pages that are there", () => {
  execFileSync("tar", ["-xzf", tarball, "-C", scratch, "package/README.md"]);
  const links = [...readFileSync(join(scratch, "package/README.md"), "utf8").matchAll(/\]\(([^)\s]+)\)/g)];
  assert.ok(links.length > 10);
  for (const [, link] of links) {
    assert.match(link, /^https:\/\//);
    const own =
      /^https:\/\/(?:github\.com\/acme\/realmctl\/blob|raw\.githubusercontent\.com\/acme\/realmctl)\/(\w+)\/([^#]+)/;
    const [, at, path] = own.exec(link) ?? [];
    if (path === undefined) continue;
    assert.equal(at, commit);
    assert.ok(existsSync(join(root, path)), path);
  }
  assert.equal(links.filter(([, link]) => link.includes("acme/realmctl")).length, links.length - 1);
});
check("the SBOM has every dependency with its version, and no workshop", () => {
  const { bomFormat, components } = JSON.parse(readFileSync(join(scratch, "sbom.cdx.json"), "utf8"));
  assert.equal(bomFormat, "CycloneDX");
  const named = new Map(components.map(({ name, group, version }) => [group ? `${group}/${name}` : name, version]));
  for (const [name, version] of Object.entries(own.dependencies)) assert.equal(named.get(name), version, name);
  for (const name of ["vitest", "typescript", "esbuild"]) assert.ok(!named.has(name), name);
});
check("a tag that is another version than package.json's is refused", () => {
  const { status, stderr } = spawnSync(process.execPath, [...release, "--ref", "refs/tags/v99.0.0"], {
    cwd: root,
    encoding: "utf8",
  });
  assert.notEqual(status, 0);
  assert.match(stderr, /v99\.0\.0/);
});
check("a tag of this version has the notes that the changelog has of it", () => {
  const copy = join(scratch, "copy");
  mkdirSync(copy);
  for (const name of [
    "package.json",
    "package-lock.json",
    "README.md",
    "LICENSE",
    "dist",
    "schemas",
    "man",
    "fixtures",
    "scripts",
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith("dist/action") });
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const released = `## Unreleased\n\n## ${own.version} (2026-12-01)\n\n### Added\n\n- \`plan\` is new.\n\n## `;
  writeFileSync(
    join(copy, "CHANGELOG.md"),
    changelog.replace("## ", () => released),
  );
  const out = join(scratch, "tagged");
  run(process.execPath, [...release.slice(0, -1), out, "--ref", `refs/tags/v${own.version}`], copy);
  assert.equal(readFileSync(join(out, "NOTES.md"), "utf8"), "### Added\n\n- `plan` is new.\n");
  run("sha256sum", ["--check", "--strict", "SHA256SUMS"], out);
});
check("publint", () => run(join(tools, "node_modules/.bin/publint"), ["run", tarball, "--strict"]));
check("attw: types resolve for ESM", () =>
  run(join(tools, "node_modules/.bin/attw"), [tarball, "--profile", "esm-only"]),
);
check("hadolint", () => run(join(tools, "bin/hadolint"), ["--failure-threshold", "info", "Dockerfile"]));
check("the image runs as nobody special, from the tarball alone", () => {
  const lines = readFileSync(join(root, "Dockerfile"), "utf8").split("\n");
  assert.ok(
    lines.lastIndexOf("USER 1000:1000") > lines.findLastIndex((line) => line.startsWith("FROM node:24-alpine@sha256:")),
  );
  assert.deepEqual(readFileSync(join(root, ".dockerignore"), "utf8").trim().split("\n"), ["*", "!realmctl.tgz"]);
});
if (existsSync("/var/run/docker.sock") && spawnSync("docker", ["info"]).status === 0)
  check("the image", () => {
    execFileSync("cp", [tarball, join(scratch, "realmctl.tgz")]);
    run("docker", ["build", "--quiet", "--tag", "realmctl-test", "--file", join(root, "Dockerfile"), scratch]);
    assert.equal(run("docker", ["run", "--rm", "realmctl-test", "--version"]).trim(), own.version);
  });
else console.log("no container tool runs here: the image is linted, not built");

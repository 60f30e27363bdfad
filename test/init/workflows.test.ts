import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { worldOfTests } from "../e2e/world.ts";

const world = worldOfTests();

const init = "init --yes --kinds channels --workflows";
const commit = "0123456789abcdef0123456789abcdef01234567";
const noGit = { git: async () => undefined };

test.each([
  { host: "gitlab", flags: "", code: 1, said: "error[init/no-package]" },
  {
    host: "gitlab",
    flags: " --package realmctl@1;id",
    code: 1,
    said: '"realmctl@1;id" is neither a package name with a',
  },
  { host: "gitlab", flags: " --package realmctl@0.1.0", code: 0, said: "Wrote .gitlab/realmctl.yml" },
  { host: "gitea", flags: " --package realmctl@0.1.0", code: 0, said: "Wrote .gitea/workflows/realmctl.yml" },
  { host: "shell", flags: "", code: 0, said: "Wrote realmctl-ci.sh" },
])("init --workflows=$host$flags: $code", async ({ host, flags, code, said }) => {
  const ran = await world.realmctl(`${init}=${host}${flags}`, { io: noGit });
  expect(ran.out + ran.err).toContain(said);
  expect(ran.code).toBe(code);
  expect(readdirSync(world.directory).includes("realm.yaml")).toBe(code === 0);
});

test.each([
  { flags: "", shows: false },
  { flags: " --verbose", shows: true },
])("init --yes$flags prints the files: $shows", async ({ flags, shows }) => {
  const { out } = await world.realmctl(`${init}=shell${flags}`, { io: noGit });
  for (const file of ["realm.yaml", ".gitignore", "realmctl-ci.sh"]) {
    const lines = world.read(file).split("\n").length - 1;
    expect(out).toContain(`Wrote ${file} · ${lines} lines`);
    expect(out.includes(`+++ ${file}`), out).toBe(shows);
  }
});

test.each([
  { flags: "", code: 1, said: "error[init/no-action]" },
  { flags: " --action nonsense", code: 1, said: '"nonsense" is not the name of an action' },
  { flags: ` --action acme/realmctl@${commit}`, code: 0, said: "Wrote .github/workflows/realmctl-apply.yml" },
])("without a clone from GitHub, init --workflows$flags: $code", async ({ flags, code, said }) => {
  const ran = await world.realmctl(`${init}${flags}`, { io: noGit });
  expect(ran.out + ran.err).toContain(said);
  expect(ran.code).toBe(code);
  // All or nothing: an init that could not name the Action leaves no file.
  expect(readdirSync(world.directory).includes("realm.yaml")).toBe(code === 0);
  if (code === 0)
    for (const name of readdirSync(join(world.directory, ".github/workflows")))
      expect(world.read(join(".github/workflows", name))).toContain(`uses: acme/realmctl@${commit}\n`);
});

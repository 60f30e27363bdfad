import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { filesIn, processIo } from "../../src/cli/process-io.ts";
import { defined } from "../../src/model/defined.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTests } from "./world.ts";

/** Files of one repository that several organizations include, from a directory beside theirs. */

const FILE = `version: 1
include: [../../shared/*.yaml]
channels:
  announce: {description: News}
`;
const RAILS = "policy: {limits: {removals: 0}}\n";

const world = worldOfTests();
const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
    cwd: join(world.directory, "repository"),
    encoding: "utf8",
  });
beforeEach(() => {
  world.directories("repository/orgs/main", "repository/shared", "elsewhere");
  world.file("repository/orgs/main/realm.yaml", FILE);
  world.file("repository/shared/rails.yaml", RAILS);
  world.file("elsewhere/secret.yaml", "channels: {from-elsewhere: {}}\n");
  git("init", "--quiet");
});

const MAIN = "repository/orgs/main/realm.yaml";

test("a file is included from anywhere in the repository, with its guard rails, and saved plans and undo know them", async () => {
  expect((await world.realmctl(`validate ${MAIN}`)).code).toBe(EXIT.done);
  expect((await world.realmctl(`plan ${MAIN} --out realm.plan`)).code).toBe(EXIT.done);
  expect((await world.realmctl("apply realm.plan --yes")).code).toBe(EXIT.done);
  world.file(MAIN, FILE.replace("{description: News}", "{archived: true}"));
  expect((await world.realmctl(`plan ${MAIN}`)).code).toBe(EXIT.refusedByGuard);
  const [journal = ""] = world.journals();
  const undo = await world.realmctl(`apply ${MAIN} --undo .realmctl/${journal} --yes`);
  expect(undo).toMatchObject({ code: EXIT.refusedByGuard, err: expect.stringContaining("removals") });
});

test("the guard rails of a base are read with what the base includes", async () => {
  git("add", ".");
  git("commit", "--quiet", "--message", "Rails");
  world.file("repository/shared/rails.yaml", "policy: {limits: {removals: 5}}\n");
  world.file(MAIN, FILE.replace("announce: {description: News}", "sandbox: {archived: true}"));
  const whole = await world.realmctl(`plan ${MAIN}`);
  expect(whole.code).toBe(EXIT.done);
  // As the jobs of GitLab and Forgejo do it.
  world.directories("repository/.base");
  git("archive", "HEAD", "--output", ".base/all.tar");
  execFileSync("tar", ["-x", "-f", "all.tar"], { cwd: join(world.directory, "repository/.base") });
  const held = await world.realmctl(`plan ${MAIN} --policy repository/.base/orgs/main/realm.yaml`);
  expect(held.code).toBe(EXIT.refusedByGuard);
});

test("plan --base reads what the earlier version includes", async () => {
  world.file("repository/shared/channels.yaml", "channels: {sandbox: {}}\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "Channels");
  world.file("repository/shared/channels.yaml", "channels: {stays: {}}\n");
  const cwd = join(world.directory, "repository/orgs/main");
  const { code, err, out } = await world.realmctl("plan --base HEAD", {
    io: { cwd, ...filesIn(cwd), ...defined({ git: processIo().git }) },
  });
  expect(out + err).toContain("plan/taken-out");
  expect({ code, text: out + err }).toMatchObject({
    code: EXIT.done,
    text: expect.not.stringContaining("plan/no-base"),
  });
});

test.each([
  { name: "a path out of the repository", include: "../../../elsewhere/secret.yaml" },
  { name: "an absolute path", include: "/etc/hostname" },
  { name: "a directory above", include: "../../.." },
])("$name is refused, and the message says the limit", async ({ include }) => {
  world.file(MAIN, FILE.replace("../../shared/*.yaml", include));
  const { code, err } = await world.realmctl(`validate ${MAIN}`);
  expect(code).toBe(EXIT.errors);
  expect(err).toContain("error[include/outside]");
  expect(err).toContain("outside the repository");
});

test("links, the repository's own data and other repositories are refused", async () => {
  const directory = join(world.directory, "repository");
  symlinkSync(join(world.directory, "elsewhere"), join(directory, "linked"));
  symlinkSync(join(world.directory, "elsewhere/secret.yaml"), join(directory, "shared/link.yaml"));
  mkdirSync(join(directory, "module/.git"), { recursive: true });
  writeFileSync(join(directory, "module/realm.yaml"), "version: 1\ninclude: [../shared/rails.yaml]\n");
  for (const include of ["../../linked/secret.yaml", "../../shared/link.yaml", "../../.git/config"]) {
    world.file(MAIN, FILE.replace("../../shared/*.yaml", include));
    const { code, err } = await world.realmctl(`validate ${MAIN}`);
    expect({ include, code, err }).toMatchObject({
      code: EXIT.errors,
      err: expect.stringContaining("include/cannot-read"),
    });
    expect(err).not.toContain("repositoryformatversion");
  }
  expect((await world.realmctl("validate repository/module/realm.yaml")).err).toContain("error[include/outside]");
});

test("without a repository, the limit is the directory of the file", async () => {
  world.directories("plain/main");
  world.file("plain/main/realm.yaml", "version: 1\ninclude: [../secret.yaml]\n");
  world.file("plain/secret.yaml", "channels: {}\n");
  expect((await world.realmctl("validate plain/main/realm.yaml")).err).toContain("error[include/outside]");
});

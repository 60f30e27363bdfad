import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FakeGitHub } from "../action/fake-github.ts";
import { REPOSITORY_ID } from "../action/fake-objects.ts";
import { TOKEN } from "../action/runner.ts";
import { World } from "../e2e/world.ts";
import { temporaryDirectory } from "../support/directory.ts";

/**
 * The workflows that `init --workflows` writes, run by act (an independent runner) on loopback. The organization is a sandbox; GitHub is the fake
 * that is checked against GitHub's own description. `npm run act` runs this; one story, in order.
 */
const ACT = process.env.REALMCTL_ACT_BINARY ?? "act";
const root = new URL("../..", import.meta.url).pathname;
const UPLOAD = "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02";
const DOWNLOAD = "actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093";
const ACTION = `acme/realmctl@${"1".repeat(40)}`;

let world: World;
let github: FakeGitHub;
let repository: string;
let artifacts: string;
/** The only files of realmctl that a runner checks out: act copies all of them. */
let action: string;
const git = (...args: string[]): string => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();

beforeAll(async () => {
  world = await World.start();
  github = await new FakeGitHub().start();
  repository = world.directory;
  artifacts = join(world.directory, ".git/act-artifacts");
  action = temporaryDirectory("action");
  cpSync(join(root, "action.yml"), join(action, "action.yml"));
  cpSync(join(root, "dist/action"), join(action, "dist/action"), { recursive: true });
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.email", "ada@acme.example");
  git("config", "user.name", "Ada");
  git("remote", "add", "origin", "https://github.com/acme/chat.git");
  const { code, out, err } = await world.realmctl(`init --yes --kinds channels --workflows --action ${ACTION}`);
  expect(code, out + err).toBe(0);
  const validate = readFileSync(join(root, "examples/github/validate.yml"), "utf8");
  writeFileSync(
    join(repository, ".github/workflows/validate.yml"),
    validate.replace("example-org/realmctl@v0", ACTION),
  );
  commit("Start", "main");
});
afterAll(async () => {
  await github.end();
  await world.end();
  rmSync(action, { recursive: true, force: true });
});

/** The present files, as a commit of this branch, here and on the fake GitHub. */
function commit(message: string, branch: string): string {
  const before = github.git.branches[branch] ?? github.git.branches.main;
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message", message);
  const sha = git("rev-parse", "HEAD");
  const paths = git("ls-files").split("\n");
  github.git.commits[sha] = Object.fromEntries(paths.map((path) => [path, world.read(path)]));
  github.git.parents[sha] = before === undefined ? [] : [before];
  github.git.branches[branch] = sha;
  return sha;
}

/** Starts a workflow as GitHub would, and gives the artifacts that it kept to the fake GitHub. */
async function run(
  name: string,
  event: string,
  payload: object,
): Promise<{ readonly code: number; readonly log: string }> {
  const file = join(repository, ".git/event.json");
  const own = { repository: { id: REPOSITORY_ID, default_branch: "main", full_name: "acme/chat", private: true } };
  writeFileSync(file, JSON.stringify({ ...own, ...payload }));
  rmSync(artifacts, { recursive: true, force: true });
  mkdirSync(artifacts, { recursive: true });
  const account = world.credentials();
  const { ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY } = account;
  const secrets = { GITHUB_TOKEN: TOKEN, ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY };
  const child = spawn(
    ACT,
    [
      ...[event, "--workflows", `.github/workflows/${name}.yml`, "--eventpath", file],
      ...["--platform", "ubuntu-latest=-self-hosted", "--no-cache-server"],
      ...["--local-repository", `${ACTION}=${action}`],
      ...["--local-repository", `${DOWNLOAD}=${join(root, "test/act/download-artifact")}`],
      ...["--local-repository", `${UPLOAD}=${join(root, "test/act/upload-artifact")}`],
      ...["--env", `GITHUB_API_URL=${github.url}`, "--env", `ACT_ARTIFACTS=${artifacts}`],
      ...Object.entries(secrets).flatMap(([secret]) => ["--secret", secret]),
    ],
    { cwd: repository, env: { ...process.env, ...secrets }, stdio: ["ignore", "pipe", "pipe"], timeout: 170_000 },
  );
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += String(chunk)));
  const code = await new Promise<number>((done) => child.on("close", (status) => done(status ?? -1)));
  const head_sha = git("rev-parse", "HEAD");
  for (const kept of readdirSync(artifacts)) {
    const files = readdirSync(join(artifacts, kept));
    const texts = files.map((one) => [one, readFileSync(join(artifacts, kept, one), "utf8")]);
    github.addArtifact(kept, Object.fromEntries(texts), { head_sha, head_branch: "main" });
  }
  expect(log).not.toContain(TOKEN);
  expect(log).not.toContain(secrets.ZULIP_API_KEY);
  expect([...new Set(github.described.violations)]).toEqual([]);
  return { code, log };
}

const names = (): readonly string[] => github.artifacts.map(({ name }) => name);

test("snapshot: the organization is saved for pull requests", async () => {
  const { code, log } = await run("realmctl-snapshot", "push", { ref: "refs/heads/main" });
  expect(code, log).toBe(0);
  expect(names()).toEqual(["realmctl-snapshot"]);
});

test("validate, plan: a pull request gets a comment and a check, without any key", async () => {
  const base = git("rev-parse", "HEAD");
  git("checkout", "--quiet", "-b", "news");
  world.file(
    "realm.yaml",
    world.read("realm.yaml").replace(/^channels:\n/m, "channels:\n  news:\n    description: New\n"),
  );
  const head = commit("News", "news");
  expect(world.read("realm.yaml")).toContain("news:");
  github.merges[7] = head;
  github.mergeBase = base;
  const pull = {
    number: 7,
    head: { sha: head, ref: "news", repo: { full_name: "acme/chat" } },
    base: { sha: base, ref: "main", repo: { full_name: "acme/chat" } },
  };
  const validated = await run("validate", "pull_request", { pull_request: pull });
  expect(validated.code, validated.log).toBe(0);
  git("checkout", "--quiet", "main");
  github.git.parents[head] = [base, head];
  const { code, log } = await run("realmctl-plan", "pull_request_target", { pull_request: pull });
  expect(code, log).toBe(0);
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toContain("news");
  expect(github.checks).toMatchObject([{ conclusion: "neutral", head_sha: head }]);
  expect(names()).toContain("realmctl-plan-7");
});

test("apply: exactly what was reviewed, and the journal is kept", async () => {
  const head = github.git.branches.news ?? "";
  git("merge", "--quiet", "--no-ff", "--no-edit", "news");
  const merged = commit("Merge", "main");
  github.git.parents[merged] = [github.git.parents[merged]?.[0] ?? "", head];
  github.merged[merged] = { number: 7, head };
  const { code, log } = await run("realmctl-apply", "push", { ref: "refs/heads/main", after: merged });
  expect(code, log).toBe(0);
  expect(world.channel("news").description).toBe("New");
  const journal = github.artifacts.find(({ name }) => name.startsWith("realmctl-journal-"));
  expect(Object.keys(journal?.files ?? {})).toHaveLength(1);
  // It undoes the run.
  const [[name = "", text = ""] = []] = Object.entries(journal?.files ?? {});
  world.file(name, text);
  expect(await world.realmctl(`apply --undo ${name} --yes`)).toMatchObject({ code: 0 });
  rmSync(join(repository, name));
});

test("drift: differences found by then open an issue, and the job fails", async () => {
  const { code, log } = await run("realmctl-drift", "schedule", {});
  expect(code, log).not.toBe(0);
  expect(github.issues).toHaveLength(1);
  expect(github.issues[0]?.body).toContain("news");
});

test("a second organization in the same repository: its own workflows plan from its own snapshot, and apply its own plan", async () => {
  const init = `init --yes --kinds channels --file orgs/beta.yaml --workflows --action ${ACTION}`;
  world.directories("orgs");
  const written = await world.realmctl(init);
  expect(written.code, written.out + written.err).toBe(0);
  const base = commit("A second organization", "main");
  const snapshot = await run("realmctl-snapshot-beta", "push", { ref: "refs/heads/main" });
  expect(snapshot.code, snapshot.log).toBe(0);
  git("checkout", "--quiet", "-b", "crew");
  world.file(
    "orgs/beta.yaml",
    world.read("orgs/beta.yaml").replace(/^channels:\n/m, "channels:\n  crew:\n    description: New\n"),
  );
  const head = commit("Crew", "crew");
  github.merges[8] = head;
  github.mergeBase = base;
  const pull = {
    number: 8,
    head: { sha: head, ref: "crew", repo: { full_name: "acme/chat" } },
    base: { sha: base, ref: "main", repo: { full_name: "acme/chat" } },
  };
  git("checkout", "--quiet", "main");
  const planned = await run("realmctl-plan-beta", "pull_request_target", { pull_request: pull });
  expect(planned.code, planned.log).toBe(0);
  expect(names().slice(-2)).toEqual(["realmctl-snapshot-beta", "realmctl-plan-beta-8"]);
  git("merge", "--quiet", "--no-ff", "--no-edit", "crew");
  const merged = commit("Merge", "main");
  github.git.parents[merged] = [github.git.parents[merged]?.[0] ?? "", head];
  github.merged[merged] = { number: 8, head };
  const applied = await run("realmctl-apply-beta", "push", { ref: "refs/heads/main", after: merged });
  expect(applied.code, applied.log).toBe(0);
  expect(world.channel("crew").description).toBe("New");
  const drift = await run("realmctl-drift-beta", "schedule", {});
  expect(drift.code, drift.log).toBe(0);
  rmSync(join(repository, "orgs"), { recursive: true });
});

test("fleet: the matrix lists the files of the directory, and each organization has its row", async () => {
  world.directories("orgs");
  world.file("orgs/acme.yaml", `realm: ${world.url}\n${world.read("realm.yaml").replace(/^realm:.*\n/m, "")}`);
  world.file("orgs/gone.yaml", "version: 1\nrealm: https://gone.example.org\nchannels: {}\n");
  world.file("orgs/shared.yaml", "channels: {}\n");
  const fleet = readFileSync(join(root, "examples/github/fleet.yml"), "utf8");
  world.file(".github/workflows/fleet.yml", fleet.replace("example-org/realmctl@v0", ACTION));
  commit("Fleet", "main");
  const { code, log } = await run("fleet", "schedule", {});
  expect(code, log).not.toBe(0);
  const rows = github.artifacts.filter(({ name }) => name.startsWith("row-")).map(({ files }) => files["row.md"]);
  expect(rows.sort()).toEqual([
    expect.stringMatching(/^\| acme \| 2 \| 1 \|/),
    expect.stringMatching(/^\| gone \| 1 \|/),
  ]);
  // It waits for all rows, whatever their results.
  expect(log).toContain("All rows");
});

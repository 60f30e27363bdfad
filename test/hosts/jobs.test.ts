import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import type { CiHost } from "../../src/cli/init/flags.ts";
import { workflowFiles } from "../../src/cli/init/workflows.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { vault } from "../e2e/reproductions.ts";
import { World } from "../e2e/world.ts";
import { program } from "../support/bundle.ts";
import { FakeForge } from "./fake-forge.ts";

let world: World;
let forge: FakeForge;
let runs = 0;
/** Runs the commands of jobs in this process: words and variables of {@link HERE} come, the exit code and the names of two files with the output go back. */
const server = createServer((socket) => {
  let text = "";
  socket.setEncoding("utf8").on("data", async (chunk: string) => {
    text += chunk;
    if (!text.endsWith("\0\0")) return;
    const [count, ...items] = text.split("\0");
    const words = items.splice(0, Number(count));
    const env = Object.fromEntries(items.filter((item) => item !== "").map((item) => item.split(/=(.*)/s, 2)));
    const { code, out, err } = await world.realmctl(words.join(" "), { anonymous: true, env });
    runs += 1;
    world.file(`bin/${runs}.out`, out);
    world.file(`bin/${runs}.err`, err);
    socket.end(`${code} ${runs}\n`);
  });
});
const HERE = (port: number): string => `#!/usr/bin/env bash
exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' "$#" "$@"; env -0; printf '\\0'; } >&3
read -r code run <&3
cat "\${0%/*}/$run.err" >&2
cat "\${0%/*}/$run.out"
exit "$code"
`;
const asProgram = (): string => {
  const { node, cli } = program();
  return `#!/bin/sh\nexec "${node}" "${cli}" "$@"\n`;
};
function installed(script: string): void {
  const realmctl = join(world.directory, "bin/realmctl");
  writeFileSync(realmctl, script);
  chmodSync(realmctl, 0o755);
}

beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => server.close());
beforeEach(async () => {
  world = await World.start();
  mkdirSync(join(world.directory, "bin"));
  installed(HERE(Object(server.address()).port));
  world.file("realm.yaml", "version: 1\nchannels:\n  news: {description: New}\n");
});
afterEach(async () => {
  await forge.end();
  await world.end();
});

interface Ran {
  readonly code: number;
  readonly out: string;
}

/** Runs one script of a job as a runner does: line after line, until one of them fails. */
async function job(
  script: string,
  env: { readonly [name: string]: string } = {},
  shell = ["sh", "-e", "-c"],
): Promise<Ran> {
  const [command = "", ...flags] = shell;
  const child = spawn(command, [...flags, script], {
    cwd: world.directory,
    env: {
      PATH: `${join(world.directory, "bin")}:${process.env.PATH}`,
      TMPDIR: world.directory,
      REALM_FILE: "realm.yaml",
      ...world.credentials(),
      ...forge.env(),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 50_000,
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += String(chunk)));
  return new Promise((done) => child.on("close", (code) => done({ code: code ?? -1, out })));
}

function written(host: CiHost, path: string, beside?: string): string {
  const options = { host, site: world.url, file: "realm.yaml", from: "realmctl@0.1.0" };
  return workflowFiles(beside === undefined ? options : { ...options, beside }).get(path) ?? "";
}

/** The commands of a job of a workflow, after those that install. */
const stepsOf = (text: string, name: string): string =>
  parse(text)
    .jobs[name].steps.flatMap(({ run }: { run?: string }) => (run === undefined || run.startsWith("npm ") ? [] : [run]))
    .join("\n");

const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd: world.directory,
    encoding: "utf8",
  });

/** @returns the commit of a file on the main branch, with the next one on it */
function changed(from: string, to: string): string {
  world.file("realm.yaml", from);
  world.file("realmctl-ci.sh", written("shell", "realmctl-ci.sh"));
  git("init", "--initial-branch=main", ".");
  git("add", "*.yaml");
  git("commit", "-m", "base");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  world.file("realm.yaml", to);
  git("commit", "-am", "change");
  return git("rev-parse", "main^").trim();
}

/**
 * What every host's jobs do, with the program: plan with a comment, apply exactly that plan, detect drift. The other tests are about the lines of the jobs; their commands run in
 * this process, which takes a tenth of the processor.
 */
async function story(plan: () => Promise<Ran>, apply: () => Promise<Ran>, drift: () => Promise<Ran>): Promise<void> {
  installed(asProgram());
  const planned = await plan();
  expect(planned, planned.out).toMatchObject({ code: EXIT.done });
  expect(forge.notes).toHaveLength(1);
  expect(forge.notes[0]?.body).toContain("news");
  const applied = await apply();
  expect(applied, applied.out).toMatchObject({ code: EXIT.done });
  expect(world.channel("news").description).toBe("New");
  expect(world.journals()).toHaveLength(1);
  expect(await drift()).toMatchObject({ code: EXIT.done });
  await world.edit("owner", "PATCH", `/streams/${world.channel("news").stream_id}`, { description: "Else" });
  expect(await drift()).toMatchObject({ code: EXIT.changesPending });
}

test("GitLab: the jobs work, and the merged plan is the one that is applied", async () => {
  forge = await new FakeForge("gitlab").start();
  const jobs: { [name: string]: { script: string[]; artifacts?: { paths: string[]; access?: string } } } = parse(
    written("gitlab", ".gitlab/realmctl.yml"),
  );
  const script = (name: string): string => (jobs[name]?.script ?? ["exit 70"]).join("\n");
  await story(
    () => job(script("realmctl plan")),
    async () => {
      const planned = await job(script("realmctl plan of the merge"));
      return planned.code === 0 ? job(script("realmctl apply")) : planned;
    },
    () => job(script("realmctl drift")),
  );
  // Only members of the project may see files with names, even if everybody may see its pipelines.
  for (const { artifacts } of Object.values(jobs))
    if (artifacts !== undefined) expect(artifacts.access).toBe("developer");
});

test.each<{ host: CiHost; path: string; what: string; steps: (text: string) => readonly string[] }>([
  ...["realmctl plan", "realmctl plan of the merge"].map((what) => ({
    ...{ host: "gitlab" as const, path: ".gitlab/realmctl.yml", what },
    steps: (text: string) => [parse(text)[what].script.join("\n")],
  })),
  {
    ...{ host: "forgejo", path: ".forgejo/workflows/realmctl.yml", what: "plan" },
    steps: (text) => parse(text).jobs.plan.steps.flatMap(({ run }: { run?: string }) => run ?? []),
  },
])(
  "$host, $what: a saved plan that somebody committed is not shown as the plan of a file with an error",
  async (on) => {
    forge = await new FakeForge(on.host === "gitlab" ? "gitlab" : "forgejo").start();
    expect((await world.realmctl("plan --out realm.plan")).code).toBe(EXIT.done);
    world.file("realm.yaml", "version: 1\nchannels: {news: {description: 7}}\n");
    let out = "";
    for (const step of on.steps(written(on.host, on.path)))
      if (!step.includes("npm ")) out += (await job(step, { REALMCTL_TOKEN: "" })).out;
    expect(out).toContain("realm.yaml:2");
    expect(existsSync(join(world.directory, "realm.plan"))).toBe(false);
    expect(forge.notes).toEqual([]);
  },
);

test.each<{ host: CiHost; path: string; script: (text: string) => string }>([
  {
    ...{ host: "gitlab", path: ".gitlab/realmctl.yml" },
    script: (text) => parse(text)["realmctl plan"].script.join("\n"),
  },
  { ...{ host: "forgejo", path: ".forgejo/workflows/realmctl.yml" }, script: (text) => stepsOf(text, "plan") },
  { ...{ host: "shell", path: "realmctl-ci.sh" }, script: () => "sh realmctl-ci.sh plan" },
])("$host: the plan of an older commit does not stay when the file cannot be planned", async (on) => {
  forge = await new FakeForge(on.host === "forgejo" ? "forgejo" : "gitlab").start();
  world.file("realmctl-ci.sh", written("shell", "realmctl-ci.sh"));
  const good = "version: 1\nchannels:\n  news: {description: New}\n";
  const run = async (text: string): Promise<string> => {
    world.file("realm.yaml", text);
    // As runners do it: the step with the comment runs, too, if the one before fails.
    await job(on.script(written(on.host, on.path)), { COMMENT_TO: "gitlab" }, [
      "sh",
      on.host === "forgejo" ? "+e" : "-e",
      "-c",
    ]);
    expect(forge.notes).toHaveLength(1);
    return forge.notes[0]?.body ?? "";
  };
  expect(await run(good)).toContain("**1 change**");
  expect(await run("version: 1\nchannels: {news: {description: 7}}\n")).toMatch(
    /^❌ \*\*realmctl\*\* cannot plan `realm.yaml`/,
  );
  expect(await run(good)).toContain("**1 change**");
});

test("shell: a saved plan that somebody committed is not applied, whether a plan was made or not", async () => {
  forge = await new FakeForge("gitlab").start();
  world.file("realmctl-ci.sh", written("shell", "realmctl-ci.sh"));
  expect((await world.realmctl("plan --out realm.plan")).code).toBe(EXIT.done);
  git("init", "-q");
  git("add", "realm.plan");
  for (const line of ["apply", "plan && sh realmctl-ci.sh apply"]) {
    const ran = await job(`sh realmctl-ci.sh ${line}`);
    expect(ran.code, ran.out).toBe(64);
    expect(ran.out).toContain("realm.plan is committed");
  }
  expect(existsSync(join(world.directory, ".realmctl"))).toBe(false);
});

test("GitLab: a plan that a guard rail refuses is posted and fails the job; without a token there is no comment", async () => {
  forge = await new FakeForge("gitlab").start();
  world.file("realm.yaml", "version: 1\nmanage: {channels: exact}\nchannels: {}\npolicy: {limits: {removals: 0}}\n");
  const { script }: { script: string[] } = parse(written("gitlab", ".gitlab/realmctl.yml"))["realmctl plan"];
  expect(await job(script.join("\n"), { REALMCTL_TOKEN: "" })).toMatchObject({ code: EXIT.refusedByGuard });
  expect(forge.notes).toEqual([]);
  expect(await job(script.join("\n"))).toMatchObject({ code: EXIT.refusedByGuard });
  expect(forge.notes[0]?.body).toContain("Refused by a guard rail");
});

test("GitLab: the jobs of a second organization use its own credentials, and ignore the first one's variables", async () => {
  forge = await new FakeForge("gitlab").start();
  const jobs: { [name: string]: { script: string[]; before_script?: string[] } } = parse(
    written("gitlab", ".gitlab/realmctl-acme.yml", "acme"),
  );
  const before = (jobs[".realmctl-acme"]?.before_script ?? []).filter((line) => !line.startsWith("npm "));
  expect(before).toHaveLength(1);
  const { ZULIP_EMAIL = "", ZULIP_API_KEY = "" } = world.credentials();
  const first = { ZULIP_SITE: "http://127.0.0.1:9", ZULIP_EMAIL: "ci@first.example", ZULIP_API_KEY: "f".repeat(32) };
  const env = { ...first, REALM_SITE: world.url, ZULIP_EMAIL__ACME: ZULIP_EMAIL, ZULIP_API_KEY__ACME: ZULIP_API_KEY };
  const run = (name: string): Promise<Ran> => job([...before, ...(jobs[name]?.script ?? ["exit 70"])].join("\n"), env);
  await story(
    () => run("realmctl plan acme"),
    async () => {
      const planned = await run("realmctl plan of the merge acme");
      return planned.code === 0 ? run("realmctl apply acme") : planned;
    },
    () => run("realmctl drift acme"),
  );
});

test.each<{
  host: CiHost;
  path: string;
  script: (text: string) => string;
  env: (base: string) => Record<string, string>;
}>([
  {
    ...{ host: "gitlab", path: ".gitlab/realmctl.yml" },
    script: (text) => parse(text)["realmctl plan"].script.join("\n"),
    env: (base) => ({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base }),
  },
  {
    ...{ host: "forgejo", path: ".forgejo/workflows/realmctl.yml" },
    script: (text) => stepsOf(text, "plan"),
    env: () => ({ BASE: "main" }),
  },
  {
    ...{ host: "shell", path: "realmctl-ci.sh" },
    script: () => "sh realmctl-ci.sh plan",
    env: () => ({ COMMENT_TO: "gitlab", PLAN_BASE: "origin/main" }),
  },
])("$host: the comment names what the request takes out of the file, and what differs without it", async (on) => {
  forge = await new FakeForge(on.host === "forgejo" ? "forgejo" : "gitlab").start();
  const base = changed(
    "version: 1\nchannels:\n  general: {description: Ours}\n  sandbox: {}\n",
    "version: 1\nchannels:\n  general: {description: Ours}\n  news: {}\n",
  );
  const ran = await job(on.script(written(on.host, on.path)), on.env(base));
  expect(ran, ran.out).toMatchObject({ code: EXIT.done });
  const [{ body } = { body: "" }] = forge.notes;
  for (const text of [ran.out, body].map((one) => one.replaceAll(/\s+/g, " "))) {
    expect(text).toContain("takes 1 channel out of the file");
    expect(text).toContain("1 of 2 changes was pending before this version of the file");
  }
});

interface Limited {
  readonly what: string;
  readonly host: CiHost;
  readonly path: string;
  readonly script: (text: string) => string;
  readonly env: (base: string) => Record<string, string>;
}
const LIMITED: readonly Limited[] = [
  {
    ...{ what: "GitLab, plan", host: "gitlab", path: ".gitlab/realmctl.yml" },
    script: (text) => parse(text)["realmctl plan"].script.join("\n"),
    env: (base) => ({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base }),
  },
  {
    ...{ what: "GitLab, after the merge", host: "gitlab", path: ".gitlab/realmctl.yml" },
    script: (text) =>
      [...parse(text)["realmctl plan of the merge"].script, ...parse(text)["realmctl apply"].script].join("\n"),
    env: (base) => ({ CI_COMMIT_BEFORE_SHA: base }),
  },
  {
    ...{ what: "Forgejo, plan", host: "forgejo", path: ".forgejo/workflows/realmctl.yml" },
    script: (text) => stepsOf(text, "plan"),
    env: () => ({ BASE: "main" }),
  },
  {
    ...{ what: "Forgejo, after the merge", host: "forgejo", path: ".forgejo/workflows/realmctl.yml" },
    script: (text) => stepsOf(text, "apply"),
    env: (base) => ({ BEFORE: base }),
  },
  {
    ...{ what: "shell", host: "shell", path: "realmctl-ci.sh" },
    script: () => "sh realmctl-ci.sh plan",
    env: () => ({ PLAN_BASE: "origin/main" }),
  },
];

const REMOVING = "version: 1\nmanage: {channels: exact}\nchannels: {general: {}}\n";

/** What the host's script hands over, every host shows with the first; what the program makes of it, one host with the others. */
const LIMITS = [
  { base: "policy: {limits: {removals: 0}}", says: "removals" },
  { base: "policy: rails.yaml", says: "removals" },
  // What the base does not say, the defaults do.
  { base: "policy: {limits: {demotions: 0}}", head: "people_gaining_access: 100", says: "--allow people_gaining" },
];

test.each(
  LIMITED.flatMap((on) =>
    LIMITS.slice(0, on.host === "gitlab" ? LIMITS.length : 1).map((limits) => ({ ...on, ...limits })),
  ),
)("$what: a request does not raise the limits that it is checked with ($base)", async (on) => {
  forge = await new FakeForge(on.host === "forgejo" ? "forgejo" : "gitlab").start();
  const { head = "removals: 100" } = on;
  const isAsked = head !== "removals: 100";
  if (isAsked) await vault(world);
  world.file("rails.yaml", "version: 1\npolicy: {limits: {removals: 0}}\n");
  const yaml = isAsked ? "version: 1\nchannels: {vault: {privacy: public}}\n" : REMOVING;
  const base = changed(
    `version: 1\nchannels: {general: {}}\n${on.base}\n`,
    `${yaml}policy: {limits: {${head}, opened: 9}}\n`,
  );
  const sent = world.writes().length;
  const ran = await job(on.script(written(on.host, on.path)), on.env(base));
  // What asks does not refuse a plan: whoever applies it is asked.
  const asks = isAsked && !on.what.includes("merge");
  expect(ran, ran.out).toMatchObject({ code: asks ? EXIT.done : EXIT.refusedByGuard });
  expect(ran.out.replaceAll(/\s+/g, " ")).toContain(on.says);
  expect(world.writes()).toHaveLength(sent);
});

test("Forgejo: the steps work", async () => {
  forge = await new FakeForge("forgejo").start();
  const script = (name: string): string => stepsOf(written("forgejo", ".forgejo/workflows/realmctl.yml"), name);
  const bash = ["bash", "-e", "-o", "pipefail", "-c"];
  // Apply takes NAME.plan as a saved plan: a file with such a name must be one of the organization.
  expect(script("apply")).toMatch(/^realmctl validate "\$REALM_FILE" && realmctl apply "\$REALM_FILE" /m);
  await story(
    () => job(script("plan"), {}, bash),
    () => job(script("apply"), {}, bash),
    () => job(script("drift"), {}, bash),
  );
});

test("the shell script works and has valid syntax", async () => {
  forge = await new FakeForge("gitlab").start();
  world.file("realmctl-ci.sh", written("shell", "realmctl-ci.sh"));
  const run = (command: string): Promise<Ran> => job(`sh realmctl-ci.sh ${command}`, { COMMENT_TO: "gitlab" });
  await story(
    () => run("plan"),
    () => run("apply"),
    () => run("drift"),
  );
  expect(await run("")).toMatchObject({ code: 64 });
});

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { runAction } from "../../src/action/run.ts";
import { defined } from "../../src/model/defined.ts";
import { World, type WorldOptions } from "../e2e/world.ts";
import { type EventName, SHA, startedBy } from "./events.ts";
import { FakeGitHub } from "./fake-github.ts";

/** This Node, and the runner's version if `REALMCTL_NODE24` names it (.ci/run). */
export const NODES = [process.execPath, ...(process.env.REALMCTL_NODE24 ? [process.env.REALMCTL_NODE24] : [])];

export const TOKEN = "ghs_canaryTokenThatIsNeverPrinted00000000";
export { SHA };

export interface StepOptions {
  readonly inputs?: { readonly [name: string]: string };
  readonly event?: EventName;
  readonly fork?: boolean;
  /** The branch that the pull request is for. */
  readonly base?: string;
  readonly sha?: string;
  /** Fields of the event that differ. */
  readonly payload?: { readonly [field: string]: unknown };
  /** Without the credentials of the organization. */
  readonly anonymous?: boolean;
  readonly node?: string;
  /** Overrides what the runner would set. */
  readonly env?: { readonly [name: string]: string };
}

export interface Step {
  readonly code: number;
  /** The runner's log as people see it: mask commands are removed, as the runner does. */
  readonly log: string;
  readonly summary: string;
  readonly outputs: { readonly [name: string]: string };
}

export interface RepositoryOptions extends WorldOptions {
  /** The bundle, to run each step as a process; without it steps run in this process, which takes a tenth of the time. */
  readonly script?: string;
}

/** A repository on a fake GitHub, an organization in a sandbox, and steps that run as on GitHub. */
export class Repository {
  /** How long steps in this process waited, in milliseconds: no real time passes. */
  readonly waits: number[] = [];
  /** What the runner would do to a step when somebody cancels it. */
  readonly cancel = new Set<() => void>();
  /** Limits that steps in this process set themselves: milliseconds, and what happens when they are over. */
  readonly alarms = new Set<readonly [ms: number, onTime: () => void]>();
  private readonly options: RepositoryOptions;
  private opened: { readonly world: World; readonly github: FakeGitHub } | undefined;
  private steps = 0;

  constructor(options: RepositoryOptions = {}) {
    this.options = options;
  }

  static async start(options: RepositoryOptions = {}): Promise<Repository> {
    const repository = new Repository(options);
    await repository.open();
    return repository;
  }

  private get parts() {
    if (this.opened === undefined) throw new RangeError("the repository is not open");
    return this.opened;
  }

  get world(): World {
    return this.parts.world;
  }

  get github(): FakeGitHub {
    return this.parts.github;
  }

  get workspace(): string {
    return join(this.world.directory, "checkout");
  }

  async open(): Promise<void> {
    const github = await new FakeGitHub().start();
    github.git.branches.main = SHA.main;
    github.git.parents[SHA.main] = [SHA.base];
    this.opened = { github, world: await World.start(this.options) };
    this.waits.length = 0;
    this.cancel.clear();
    this.alarms.clear();
    mkdirSync(this.workspace);
  }

  async end(): Promise<void> {
    await this.github.end();
    await this.world.end();
    const { violations } = this.github.described;
    if (violations.length > 0) throw new Error(`not as GitHub describes it:\n${[...new Set(violations)].join("\n")}`);
  }

  /** As after {@link Repository.open}, except for the branches: much cheaper than another repository. */
  restart(): void {
    this.world.restart();
    mkdirSync(this.workspace);
    const { github } = this;
    Object.assign(github, { comments: [], issues: [], checks: [], artifacts: [], reviews: [], merged: {}, merges: {} });
  }

  file(name: string, text: string): void {
    mkdirSync(dirname(join(this.workspace, name)), { recursive: true });
    writeFileSync(join(this.workspace, name), text);
  }

  /** Base and head of pull request 7: the checkout is GitHub's test merge of the head. */
  pull(base: string, head: string): void {
    this.github.commits[SHA.base] = { "realm.yaml": base };
    this.github.commits[SHA.head] = { "realm.yaml": head };
    this.github.commits[SHA.merge] = { "realm.yaml": head };
    this.github.parents[SHA.merge] = [SHA.base, SHA.head];
    this.github.merges[7] = SHA.merge;
    this.file("realm.yaml", head);
  }

  async run(command: string, options: StepOptions = {}): Promise<Step> {
    this.steps += 1;
    const { event = "pull_request", fork = false, anonymous = false, inputs = {}, node = process.execPath } = options;
    const temporary = join(this.world.directory, `step-${this.steps}`);
    mkdirSync(temporary, { recursive: true });
    const path = (name: string): string => join(temporary, name);
    const started = startedBy(event, {
      headRepository: fork ? "stranger/chat" : "acme/chat",
      ...defined({ base: options.base }),
    });
    writeFileSync(path("event.json"), JSON.stringify({ ...started.payload, ...options.payload }));
    writeFileSync(path("output"), "");
    writeFileSync(path("summary.md"), "");
    const { script } = this.options;
    const account = this.world.credentials();
    const given: { [name: string]: string } = {
      command,
      "github-token": TOKEN,
      ...(anonymous
        ? {}
        : {
            "zulip-site": account.ZULIP_SITE ?? "",
            "zulip-email": account.ZULIP_EMAIL ?? "",
            "zulip-api-key": account.ZULIP_API_KEY ?? "",
          }),
      ...inputs,
    };
    const env: { [name: string]: string } = {
      PATH: process.env.PATH ?? "",
      HOME: temporary,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_REPOSITORY: "acme/chat",
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: path("event.json"),
      GITHUB_SHA: options.sha ?? started.sha,
      GITHUB_REF: started.ref,
      GITHUB_RUN_ID: "99",
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_API_URL: this.github.url,
      GITHUB_WORKSPACE: this.workspace,
      GITHUB_OUTPUT: path("output"),
      GITHUB_STEP_SUMMARY: path("summary.md"),
      RUNNER_TEMP: temporary,
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      ...options.env,
    };
    const { code, log } =
      script === undefined ? await runHere(env, this) : await runThere(node, script, this.workspace, env, this.cancel);
    return {
      code,
      log: log.replace(/^::add-mask::.*\n/gm, ""),
      summary: readFileSync(path("summary.md"), "utf8"),
      outputs: outputsOf(readFileSync(path("output"), "utf8")),
    };
  }

  /** Uploads what a step wrote, as actions/upload-artifact does. */
  upload(step: Step, name: string, output: string, from: { head_sha?: string; head_branch?: string } = {}): void {
    const file = step.outputs[output] ?? "";
    if (!existsSync(file)) throw new Error(`there is no ${output}`);
    this.github.addArtifact(name, { [file.split("/").at(-1) ?? ""]: readFileSync(file, "utf8") }, from);
  }

  /** Everything that this repository shows to everybody who can read it. */
  published(steps: readonly Step[]): string {
    const { comments, issues, checks, artifacts } = this.github;
    const reports = steps.flatMap((step) => {
      const file = step.outputs["report-file"];
      return file === undefined || !existsSync(file) ? [] : [readFileSync(file, "utf8")];
    });
    return JSON.stringify([comments, issues, checks, artifacts, reports, steps]);
  }
}

/** Another repository for each test of a file. */
export function repositoryOfTests(options: RepositoryOptions = {}): Repository {
  const repository = new Repository(options);
  beforeEach(() => repository.open());
  afterEach(() => repository.end());
  return repository;
}

/** One repository for all tests of a file. */
export function repositoryOfFile(options: RepositoryOptions = {}): Repository {
  const repository = new Repository(options);
  beforeAll(() => repository.open());
  afterAll(() => repository.end());
  return repository;
}

/** The step in its own process, as the runner starts it. */
async function runThere(
  node: string,
  script: string,
  cwd: string,
  env: { readonly [name: string]: string },
  cancel: Set<() => void>,
): Promise<{ code: number; log: string }> {
  // A step that hangs fails its own test, and leaves nothing running.
  const child = spawn(node, [script], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 50_000,
    killSignal: "SIGKILL",
  });
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const interrupt = (): void => void child.kill("SIGINT");
  cancel.add(interrupt);
  const code = await new Promise<number>((done) => child.on("close", (status) => done(status ?? -1)));
  cancel.delete(interrupt);
  return { code, log };
}

/** The step in this process: with its environment, its log, and a clock on which waiting takes no time. */
async function runHere(
  env: { readonly [name: string]: string },
  { waits, cancel, alarms }: Pick<Repository, "waits" | "cancel" | "alarms">,
): Promise<{ code: number; log: string }> {
  const own = process.env;
  const write = process.stdout.write;
  let log = "";
  let waitedMs = 0;
  process.env = { ...env };
  process.stdout.write = (chunk: string | Uint8Array): boolean => {
    log += String(chunk);
    return true;
  };
  try {
    const code = await runAction({
      clock: {
        now: () => Date.now() + waitedMs,
        random: () => 0.5,
        alarm(ms, onTime) {
          const alarm = [ms, onTime] as const;
          alarms.add(alarm);
          return () => alarms.delete(alarm);
        },
        sleep: async (ms) => {
          waits.push(ms);
          waitedMs += ms;
        },
      },
      onSignal(listener) {
        cancel.add(listener);
        return () => cancel.delete(listener);
      },
    });
    return { code, log };
  } finally {
    process.env = own;
    process.stdout.write = write;
  }
}

function outputsOf(text: string): { [name: string]: string } {
  const found: { [name: string]: string } = {};
  for (const match of text.matchAll(/^(\S+)<<(\S+)\n([\s\S]*?)\n\2$/gm)) found[match[1] ?? ""] = match[3] ?? "";
  return found;
}

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "../../src/model/json.ts";
import { program } from "../support/bundle.ts";
import { type Forge, type Sender, textOf } from "./forge.ts";

/** A job that the forge handed out: what a runner gets of it. */
export interface Task {
  readonly id: string;
  /** The workflow, with this one job. */
  readonly workflow: string;
  /** `github` in expressions: the event and its name, the commit, the token, … */
  readonly context: { readonly [name: string]: unknown };
  readonly secrets: { readonly [name: string]: string };
}

/** What became of a job. */
export interface Ran {
  readonly task: Task;
  readonly code: number;
  readonly log: string;
  /** Whether a step ran: the condition of the job held. */
  readonly hasRun: boolean;
}

/** What act runs instead of an action that cannot be had on loopback. */
const STAND_INS = { "actions/checkout": "test/gitea/checkout", "actions/upload-artifact": "test/act/upload-artifact" };
const root = new URL("../..", import.meta.url).pathname;

/**
 * A runner of Gitea's jobs: asks the forge for jobs as its own runner does, with the same protocol, and gives their steps to act. So events,
 * secrets and tokens are the forge's own. `npm` does nothing, and `realmctl` is the present sources.
 */
export class Runner {
  private readonly forge: Forge;
  private readonly headers: { readonly [name: string]: string };
  private readonly directory = mkdtempSync(join(tmpdir(), "realmctl-runner-"));

  private constructor(forge: Forge, uuid: string, token: string) {
    this.forge = forge;
    this.headers = { "x-runner-uuid": uuid, "x-runner-token": token };
    mkdirSync(join(this.directory, "bin"));
    const { node, cli } = program();
    this.script("realmctl", `exec "${node}" "${cli}" "$@"`);
    this.script("npm", "exit 0");
  }

  static async register(forge: Forge, admin: Sender): Promise<Runner> {
    const path = "/admin/actions/runners/registration-token";
    const token = textOf(await forge.must(admin, "POST", path), "token");
    const answer = await call(forge, "Register", {
      name: "runner",
      token,
      version: "v1",
      labels: ["ubuntu-latest"],
    });
    const runner = isObject(answer) ? answer.runner : undefined;
    return new Runner(forge, textOf(runner, "uuid"), textOf(runner, "token"));
  }

  end(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The next job of this event; jobs of other events before it count as done. Waits until the forge has one. */
  async next(event: string): Promise<Task> {
    let found: Task | undefined;
    await this.forge.until(`a job for ${event}`, async () => {
      const task = await this.fetch();
      if (task?.context.event_name === event) found = task;
      else if (task !== undefined) await this.finish(task, "RESULT_SUCCESS");
      return found !== undefined;
    });
    if (found === undefined) throw new Error("no job");
    return found;
  }

  /** Runs all jobs that a push or a pull request started, until one of them has run a step: the others' conditions do not hold. */
  async run(event: string): Promise<Ran> {
    for (;;) {
      const ran = await this.act(await this.next(event));
      if (ran.hasRun) return ran;
    }
  }

  /** Takes all jobs that the forge hands out now and runs none of them. */
  async drain(): Promise<readonly Task[]> {
    const tasks: Task[] = [];
    for (let task = await this.fetch(); task !== undefined; task = await this.fetch()) {
      await this.finish(task, "RESULT_SUCCESS");
      tasks.push(task);
    }
    return tasks;
  }

  /** A job that the forge hands out now. */
  async fetch(): Promise<Task | undefined> {
    const answer = await call(this.forge, "FetchTask", { tasksVersion: "0" }, this.headers);
    const task = isObject(answer) ? answer.task : undefined;
    if (!isObject(task) || !isObject(task.context)) return undefined;
    const workflow = Buffer.from(textOf(task, "workflowPayload"), "base64").toString("utf8");
    return { id: textOf(task, "id"), workflow, context: task.context, secrets: textsOf(task.secrets) };
  }

  /** Runs the steps of a job, and says to the forge how it ended. */
  async act(task: Task): Promise<Ran> {
    const work = mkdtempSync(join(this.directory, "job-"));
    writeFileSync(join(work, "event.json"), JSON.stringify(task.context.event));
    // Gitea makes texts of the numbers and the truth values that its own runner reads as such; act refuses them.
    const workflow = task.workflow.replace(/^( *(?:timeout-minutes|cancel-in-progress): )"(\w+)"$/gm, "$1$2");
    writeFileSync(join(work, "job.yml"), workflow);
    const text = (name: string): string => String(task.context[name] ?? "");
    const env = {
      ...{
        GITHUB_SERVER_URL: text("server_url").replace(/\/$/, ""),
        GITHUB_API_URL: text("api_url"),
        GITHUB_REPOSITORY: text("repository"),
      },
      ...{ GITHUB_REF: text("ref"), SHA_REF: text("sha"), GITHUB_RUN_ID: text("run_id") },
    };
    const secrets: { readonly [name: string]: string } = { ...task.secrets, GITHUB_TOKEN: text("token") };
    const uses = [...task.workflow.matchAll(/uses: ["']?(([\w-]+\/[\w-]+)@\w+)/g)];
    const args = [
      ...[text("event_name"), "--workflows", "job.yml", "--eventpath", "event.json"],
      ...["--platform", "ubuntu-latest=-self-hosted", "--no-cache-server", "--no-skip-checkout"],
      ...uses.flatMap(([, action = "", name = ""]) =>
        Object.entries(STAND_INS).flatMap(([known, path]) =>
          known === name ? ["--local-repository", `${action}=${join(root, path)}`] : [],
        ),
      ),
      ...Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
      ...Object.keys(secrets).flatMap((name) => ["--secret", name]),
    ];
    const { code, log } = await this.started(args, work, secrets);
    const hasRun = / Run Main /.test(log);
    if (!hasRun && code !== 0) throw new Error(`act could not start the job:\n${log}`);
    await this.finish(task, !hasRun ? "RESULT_SKIPPED" : code === 0 ? "RESULT_SUCCESS" : "RESULT_FAILURE");
    for (const secret of [secrets.GITHUB_TOKEN, secrets.ZULIP_API_KEY])
      if (secret !== undefined && log.includes(secret)) throw new Error("a secret is in the log");
    return { task, code, log, hasRun };
  }

  async finish(task: Task, result: string): Promise<void> {
    const now = new Date().toISOString();
    const state = { id: task.id, result, startedAt: now, stoppedAt: now };
    await call(this.forge, "UpdateTask", { state }, this.headers);
  }

  private async started(args: readonly string[], cwd: string, secrets: { readonly [name: string]: string }) {
    const env = {
      ...{ PATH: `${join(this.directory, "bin")}:${process.env.PATH}`, HOME: this.directory, TMPDIR: this.directory },
      ...secrets,
    };
    const act = process.env.REALMCTL_ACT_BINARY ?? "act";
    const child = spawn(act, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: 170_000 });
    let log = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += String(chunk)));
    const code = await new Promise<number>((done, failed) => {
      child.on("error", failed);
      child.on("close", (status) => done(status ?? -1));
    });
    return { code, log };
  }

  private script(name: string, line: string): void {
    const path = join(this.directory, "bin", name);
    writeFileSync(path, `#!/bin/sh\n${line}\n`);
    chmodSync(path, 0o755);
  }
}

/** One call of the protocol between the forge and its runners (connect, as JSON). */
async function call(forge: Forge, method: string, body: object, headers: { readonly [name: string]: string } = {}) {
  const response = await fetch(`${forge.url}/api/actions/runner.v1.RunnerService/${method}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`);
  const answer: unknown = JSON.parse(text);
  return answer;
}

function textsOf(value: unknown): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([name, one]) => [name, String(one)]));
}

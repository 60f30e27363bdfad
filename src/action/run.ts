import "../report/words/failure.ts";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as core from "@actions/core";
import { listenForStop } from "../apply/options.ts";
import { readRegular } from "../disk/read.ts";
import { clean } from "../model/clean.ts";
import { EXIT, type ExitCode, Failure } from "../model/diagnostic.ts";
import type { OutsideValues } from "../model/outside-values.ts";
import { secretsOf } from "../model/secrets.ts";
import { diagnosticLines, shortened, worstFirst } from "../report/action/diagnostics.ts";
import { commandEnded, INTERNAL_ERROR, stoppingFor } from "../report/action/log.ts";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import type { Clock } from "../zulip/clock.ts";
import type { Deadline } from "../zulip/connection.ts";
import { proxiedFetch } from "../zulip/proxied-fetch.ts";
import { proxyOf } from "../zulip/proxy.ts";
import { applyCommand } from "./apply.ts";
import { Concealment } from "./conceal.ts";
import { driftCommand } from "./drift.ts";
import { readEvent } from "./event.ts";
import { workspaceFiles } from "./files.ts";
import { type Annotation, GitHub } from "./github.ts";
import { type Command, type Inputs, readInputs } from "./inputs.ts";
import type { Job } from "./job.ts";
import { planCommand } from "./plan.ts";
import { annotateLog } from "./publish.ts";
import { snapshotCommand } from "./snapshot.ts";
import { validateCommand } from "./validate.ts";

const COMMANDS: { readonly [command in Command]: (job: Job) => Promise<ExitCode> } = {
  plan: planCommand,
  apply: applyCommand,
  drift: driftCommand,
  snapshot: snapshotCommand,
  validate: validateCommand,
};

/** The runner finds the old style of a command anywhere in a line. */
const unmarked = (text: string): string => clean(text).replaceAll("##[", "# #[");

/** One line that the runner does not read as a command, in the old style or the new. */
function quiet(text: string): string {
  return unmarked(text).replace(/^(\s*):/, "$1\u2236");
}

/** @throws Failure if this is not a job of GitHub Actions */
async function openJob(
  { clock, onSignal }: Surroundings,
  inputs: Inputs,
  deadline: Deadline | undefined,
): Promise<Job> {
  const { env } = process;
  for (const secret of [inputs.zulipApiKey, env.ZULIP_API_KEY, inputs.token])
    if (secret !== undefined && secret !== "") core.setSecret(secret);
  // Without the payload, the code below says what is missing.
  const payload = await readRegular(env.GITHUB_EVENT_PATH ?? "").catch(() => "");
  const event = readEvent(env, payload);
  const workspace = env.GITHUB_WORKSPACE ?? process.cwd();
  const temporary = join(env.RUNNER_TEMP ?? tmpdir(), "realmctl");
  await mkdir(temporary, { recursive: true });
  const files = { ...workspaceFiles(workspace, inputs.file), outside: outsideOf(inputs, env) };
  const conceal = new Concealment({
    privateNames: !inputs.showPrivateNames,
    invitations: !inputs.showInvitations,
    people: !inputs.showPrivateNames,
  });
  conceal.account(inputs.zulipEmail ?? env.ZULIP_EMAIL);
  conceal.watch(files);
  let github: GitHub | undefined;
  return {
    inputs,
    event,
    env,
    workspace,
    temporary,
    files,
    conceal,
    clock,
    deadline,
    // A runner that cancels signals twice, 7.5 s apart, and kills 2.5 s later: by then the results are written where people look for them.
    listenForCancel: () =>
      listenForStop(onSignal, (why) => say(stoppingFor(why)), { deadline: deadline?.signal, endsProcess: false }),
    github() {
      if (github !== undefined) return github;
      const proxy = proxyOf(env);
      const url = env.GITHUB_API_URL ?? "https://api.github.com";
      github = new GitHub(inputs.token, event.repository, url, { clock, say }, proxy && proxiedFetch(proxy));
      return github;
    },
    say,
    annotate,
    setOutput: (name, value) => core.setOutput(name, value),
    async summarise(markdown) {
      const file = env.GITHUB_STEP_SUMMARY ?? "";
      if (file !== "") await appendFile(file, `${markdown}\n`);
    },
    async write(name, text) {
      const path = join(temporary, name);
      await writeFile(path, text);
      return path;
    },
  };
}

/** Values of variables from the inputs. Of the environment, a file gets only what the workflow names: other steps keep secrets there. */
const outsideOf = ({ set, values, env: names }: Inputs, env: NodeJS.ProcessEnv): OutsideValues => ({
  set,
  files: values,
  environment: (name) => env[name],
  mayAsk: (name) => names.includes(name),
  isSecret: (text) => secretsOf(env)(text),
});

const say = (text: string): void => core.info(quiet(text));

function annotate({ path, line, endLine, level, title, message }: Annotation): void {
  const text = message.split("\n").map(unmarked).join("\n");
  const head = { title: clean(title) };
  const properties = path === "" ? head : { ...head, file: path, startLine: line, endLine };
  if (level === "failure") core.error(text, properties);
  else if (level === "warning") core.warning(text, properties);
  else core.notice(text, properties);
}

/** The parts of the process that a run uses, besides its environment. */
interface Surroundings {
  readonly clock: Clock;
  /** Calls back each time the runner asks this process to end. @returns a function that restores the system's own handling */
  readonly onSignal: (listener: () => void) => () => void;
}

/** One step of a workflow: reads its inputs from the environment and reports to the runner. Never throws. */
export async function runAction(surroundings: Surroundings): Promise<ExitCode> {
  let conceal: Concealment | undefined;
  let cancelAlarm = (): void => {};
  try {
    const inputs = readInputs((name) => core.getInput(name));
    const over = new AbortController();
    const limitMs = inputs.deadlineSeconds === undefined ? undefined : inputs.deadlineSeconds * 1000;
    if (limitMs !== undefined) cancelAlarm = surroundings.clock.alarm(limitMs, () => over.abort());
    const deadline = limitMs === undefined ? undefined : { limitMs, signal: over.signal };
    const job = await openJob(surroundings, inputs, deadline);
    conceal = job.conceal;
    const exitCode = await COMMANDS[job.inputs.command](job);
    job.setOutput("exit-code", exitCode);
    job.say(commandEnded(job.inputs.command, exitCode));
    return exitCode;
  } catch (error) {
    if (!(error instanceof Failure)) return bug(error);
    const said = conceal?.said(error.diagnostics) ?? error.diagnostics.map(wordedDiagnostic);
    const annotations = said.map(shortened).map(({ code, severity, message, hint, at }): Annotation => {
      const place =
        at === undefined ? { path: "", line: 0, endLine: 0 } : { path: at.file, line: at.line, endLine: at.line };
      return {
        ...place,
        level: severity === "error" ? "failure" : "warning",
        title: code,
        message: hint === undefined ? message : `${message}\n${hint}`,
      };
    });
    if (annotateLog({ annotate }, annotations) < annotations.length)
      for (const line of diagnosticLines(worstFirst(said))) say(line);
    core.setOutput("exit-code", error.exitCode);
    return error.exitCode;
  } finally {
    // The deadline is no longer needed.
    cancelAlarm();
  }
}

/** A bug report needs the place of the error. The message is left out: it may contain names of the realm, and anybody may read this log. */
export function bug(error: unknown): ExitCode {
  const frames = error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const text = [error instanceof Error ? error.name : "no error", ...frames].join("\n");
  core.error(text.split("\n").map(clean).join("\n"), { title: INTERNAL_ERROR });
  return EXIT.errors;
}

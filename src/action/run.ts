import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as core from "@actions/core";
import { listenForStop } from "../apply/options.ts";
import { readConfig } from "../config/read-config.ts";
import { readRegular } from "../disk/read.ts";
import { kinds } from "../kinds/registry.ts";
import { clean } from "../model/clean.ts";
import { type Checked, type Diagnostic, EXIT, type ExitCode, error, Failure } from "../model/diagnostic.ts";
import type { OutsideValues } from "../model/outside-values.ts";
import { secretsOf } from "../model/secrets.ts";
import { requestOf } from "../plan/requests.ts";
import { diagnosticLines, shortened, worstFirst } from "../report/action/diagnostics.ts";
import { commandEnded, INTERNAL_ERROR, snapshotLine, stoppingFor } from "../report/action/log.ts";
import { snapshotPage, validatedPage } from "../report/action/pages.ts";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import { readWhole } from "../workflow/guards.ts";
import { planRealm } from "../workflow/workflow.ts";
import type { Clock } from "../zulip/clock.ts";
import type { Deadline } from "../zulip/connection.ts";
import { proxiedFetch } from "../zulip/proxied-fetch.ts";
import { proxyOf } from "../zulip/proxy.ts";
import { diagnosticAnnotations } from "./annotations.ts";
import { applyCommand } from "./apply.ts";
import { Concealment } from "./conceal.ts";
import { driftCommand } from "./drift.ts";
import { workspaceFiles } from "./files.ts";
import { type Annotation, GitHub } from "./github.ts";
import { namedPolicies } from "./guard-rails.ts";
import { type Command, type Inputs, readEvent, readInputs } from "./inputs.ts";
import { type Job, SUMMARY_BUDGET } from "./job.ts";
import { planCommand } from "./plan.ts";
import { annotateLog } from "./publish.ts";
import { hiddenSnapshot, SNAPSHOT_FILE, snapshotArtifactText, withRealm } from "./snapshot-source.ts";
import { failWith, valueOrFailure, withZulip } from "./zulip.ts";
import "../report/words/failure.ts";

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

/** Writes a snapshot of the realm for jobs that have no credentials: what the file's sections need, without names that the file does not have. */
async function snapshotCommand(job: Job): Promise<ExitCode> {
  const { pull } = job.event;
  if (pull !== undefined) failWith(EXIT.errors, [error("action/snapshot-on-pull-request", {})]);
  const desired = valueOrFailure(await readConfig({ ...job.files, kinds }));
  return withZulip(job, async ({ reader }) => {
    const snapshot = await reader.snapshot(requestOf(desired, kinds));
    const shown = job.inputs.redactSnapshot ? hiddenSnapshot(snapshot, desired, kinds) : snapshot;
    const { text, digest } = snapshotArtifactText(shown);
    job.setOutput("snapshot-file", await job.write(SNAPSHOT_FILE, text));
    job.setOutput("digest", digest);
    job.setOutput("artifact-name", job.inputs.snapshotArtifact);
    job.say(snapshotLine(shown.realm.url, digest));
    await job.summarise(snapshotPage(shown, digest));
    return EXIT.done;
  });
}

/** Checks the files of the checkout, guard rails included, for errors; with a snapshot, checks the file against that realm, too. */
async function validateCommand(job: Job): Promise<ExitCode> {
  const named = await namedPolicies(job);
  const own =
    job.inputs.snapshot === undefined
      ? await readWhole({ ...job.files, kinds })
      : await withRealm(job, ({ reader }) => planRealm({ ...job.files, reader }));
  const found = [...said(own), ...said(named)];
  const diagnostics = worstFirst(job.conceal.said(found.filter(isFirst)));
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  for (const line of diagnosticLines(diagnostics)) job.say(line);
  annotateLog(job, diagnosticAnnotations(diagnostics));
  job.setOutput("errors", errors);
  const files = [job.files.file, ...(job.inputs.policy === undefined ? [] : [job.inputs.policy])];
  const isValid = own.ok && named.ok;
  await job.summarise(validatedPage(files, isValid, diagnostics, SUMMARY_BUDGET));
  return isValid ? EXIT.done : EXIT.errors;
}

const said = (checked: Checked<unknown>): readonly Diagnostic[] =>
  checked.ok ? checked.warnings : checked.diagnostics;

/** The file and the input may both name the same policy file. */
function isFirst(diagnostic: Diagnostic, index: number, all: readonly Diagnostic[]): boolean {
  const text = JSON.stringify(diagnostic);
  return diagnostic.at === undefined || all.findIndex((other) => JSON.stringify(other) === text) === index;
}

import * as z from "zod";
import { VARIABLE_NAME } from "../config/variable-syntax.ts";
import { defined } from "../model/defined.ts";
import { type Diagnostic, EXIT, error, type Failure, failIfAny, failure } from "../model/diagnostic.ts";
import type { InputCause } from "../model/diagnostics/action.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { LONGEST_RUN_S, secondsIn } from "../model/duration.ts";

const COMMANDS = ["plan", "apply", "drift", "snapshot", "validate"] as const;
const REVIEWED = ["required", "if-found", "ignore"] as const;
const APPROVAL = ["required", "ignore"] as const;
export type Command = (typeof COMMANDS)[number];

const DEFAULTS = {
  file: "realm.yaml",
  "snapshot-artifact": "realmctl-snapshot",
  "plan-artifact": "realmctl-plan",
  "drift-artifact": "realmctl-drift",
  "snapshot-max-age-hours": "48",
  reviewed: "required",
  approval: "ignore",
} as const;

/** The inputs in `with:`, checked. Described in action.yml and docs/ci.md. */
export type Inputs = Readonly<ReturnType<typeof readInputs>>;

/**
 * @param read an input by its name, "" if it is not given
 * @throws Failure that lists all errors
 */
export function readInputs(read: (name: string) => string) {
  const diagnostics: Diagnostic[] = [];
  const wrong: Wrong = (input, cause) => {
    diagnostics.push(error("action/input", { input, ...cause }));
  };
  const { optional, flag, choice, inside } = readersOf(read, wrong);
  const command = choice("command", COMMANDS);
  const policy = optional("policy");
  const rules = optional("rules");
  const hours = Number(optional("snapshot-max-age-hours") ?? DEFAULTS["snapshot-max-age-hours"]);
  if (!(hours > 0)) wrong("snapshot-max-age-hours", { cause: "not-hours" });
  const reviewed = choice("reviewed", REVIEWED, DEFAULTS.reviewed);
  const approval = choice("approval", APPROVAL, DEFAULTS.approval);
  if (approval === "required" && reviewed !== "required") wrong("approval", { cause: "approval-unreviewed" });
  const inputs = {
    file: inside("file", optional("file") ?? DEFAULTS.file),
    /** Additional guard rails. In a pull request, the base's version is used. */
    policy: policy === undefined ? undefined : inside("policy", policy),
    /** Rules about access; if left out: the file next to the organization's file, if there is one. */
    rules: rules === undefined ? undefined : inside("rules", rules),
    set: linesIn(read("set")).map((line) => valueIn(line, wrong)),
    values: linesIn(read("values")).map((path) => inside("values", path)),
    /** The variables of the environment that the file may ask for. */
    env: read("env")
      .split(/[\s,]+/)
      .filter((name) => name !== ""),
    zulipSite: optional("zulip-site"),
    zulipEmail: optional("zulip-email"),
    zulipApiKey: optional("zulip-api-key"),
    token: read("github-token").trim(),
    /** A file, or `artifact`: the snapshot that the default branch's own snapshot job wrote. */
    snapshot: optional("snapshot"),
    snapshotArtifact: optional("snapshot-artifact") ?? DEFAULTS["snapshot-artifact"],
    /** Older snapshots are reported as too old. */
    snapshotMaxAgeHours: hours,
    /** The limit for the whole step; undefined means no limit. */
    deadlineSeconds: secondsOf(optional("deadline"), wrong),
    /** Branches whose pull requests are planned; if none is given, only the default branch. */
    baseBranches: branchesIn(optional("base-branches") ?? "", wrong),
    planArtifact: optional("plan-artifact") ?? DEFAULTS["plan-artifact"],
    /** The file that the drift command leaves for its next run; the file's name is appended. */
    driftArtifact: optional("drift-artifact") ?? DEFAULTS["drift-artifact"],
    showPrivateNames: flag("show-private-names", false),
    showInvitations: flag("show-invitations", false),
    redactSnapshot: flag("redact-snapshot", true),
    /** Whether plans are tried on a copy of the organization in memory, if that takes less than a second. */
    rehearse: flag("rehearse", true),
    comment: flag("comment", true),
    check: flag("check", true),
    issue: flag("issue", true),
    /** For drift: whether to open a pull request that takes the server's values into the file. */
    adoptPullRequest: flag("adopt-pull-request", false),
    failOnDrift: flag("fail-on-drift", true),
  };
  failIfAny(EXIT.errors, diagnostics);
  if (command === undefined || reviewed === undefined || approval === undefined)
    throw new RangeError("an input without a value has no error");
  // `approval`, for apply: whether somebody must have approved the pull request after its plan was written.
  return { command, reviewed, approval, ...inputs };
}

type Wrong = (input: string, cause: InputCause) => void;

/** How inputs of each form are read. */
function readersOf(read: (name: string) => string, wrong: Wrong) {
  return {
    optional: (name: string): string | undefined => read(name).trim() || undefined,
    flag(name: string, standard: boolean): boolean {
      const text = read(name).trim().toLowerCase();
      if (text === "") return standard;
      if (text !== "true" && text !== "false") wrong(name, { cause: "not-boolean", text });
      return text === "true";
    },
    choice<Choice extends string>(name: string, choices: readonly Choice[], standard = ""): Choice | undefined {
      const text = read(name).trim() || standard;
      const found = choices.find((known) => known === text);
      if (found === undefined) wrong(name, { cause: "choice", text, choices });
      return found;
    },
    /** A path below the workspace, with `/`. */
    inside(name: string, path: string): string {
      if (/^([/\\]|[a-z]:)|(^|[/\\])\.\.([/\\]|$)/i.test(path)) wrong(name, { cause: "outside", text: path });
      return path.replaceAll("\\", "/").replace(/^\.\//, "");
    },
  };
}

function secondsOf(time: string | undefined, wrong: Wrong): number | undefined {
  if (time === undefined) return undefined;
  const seconds = secondsIn(time, LONGEST_RUN_S);
  if (seconds === undefined) wrong("deadline", { cause: "not-time", text: time });
  return seconds;
}

const linesIn = (text: string): readonly string[] => text.split("\n").flatMap((line) => line.trim() || []);

function valueIn(line: string, wrong: Wrong): { readonly name: string; readonly text: string } {
  const at = line.indexOf("=");
  const name = line.slice(0, Math.max(0, at)).trim();
  if (!VARIABLE_NAME.test(name)) wrong("set", { cause: "not-a-value", text: at < 0 ? line : name });
  return { name, text: line.slice(at + 1).trim() };
}

function branchesIn(list: string, wrong: Wrong): readonly string[] {
  const names = list.split(/[\s,]+/).filter((name) => name !== "");
  for (const name of names) if (!isBranchName(name)) wrong("base-branches", { cause: "not-a-branch", text: name });
  return names;
}

/** The base of a pull request never has a name that git does not allow: with such an input, every plan would be refused. */
const isBranchName = (name: string): boolean => !/^refs\/|[~^:?*[\\]|\.\.|@\{|^[/.-]|\/$|\.lock$/.test(name);

/** The event in the repository, as far as the Action uses it. */
export type GithubEvent = Readonly<ReturnType<typeof readEvent>>;
export type PullEvent = NonNullable<GithubEvent["pull"]>;

const Payload = z.looseObject({
  repository: z.looseObject({ id: z.int(), default_branch: z.string() }).optional(),
  before: z.string().optional(),
  pull_request: z
    .looseObject({
      number: z.int().positive(),
      head: z.looseObject({ sha: z.string(), repo: z.looseObject({ full_name: z.string() }).nullable() }),
      base: z.looseObject({ sha: z.string(), ref: z.string(), repo: z.looseObject({ full_name: z.string() }) }),
    })
    .optional(),
});

/**
 * @param env GITHUB_REPOSITORY, GITHUB_EVENT_NAME, GITHUB_SHA, …
 * @param payload text of the event file; "" if the job has no such file
 * @throws Failure if this does not run in a job of GitHub Actions
 */
export function readEvent(env: { readonly [name: string]: string | undefined }, payload: string) {
  const [owner, repo] = (env.GITHUB_REPOSITORY ?? "").split("/");
  if (owner === undefined || repo === undefined || owner === "" || repo === "")
    throw outside({ cause: "no-repository" });
  let json: unknown;
  try {
    json = payload === "" ? {} : JSON.parse(payload);
  } catch {
    throw outside({ cause: "not-json" });
  }
  const parsed = Payload.safeParse(json);
  if (!parsed.success) throw outside({ cause: "form", reason: formCause(parsed.error) });
  const { repository, pull_request: pull, before } = parsed.data;
  const name = env.GITHUB_EVENT_NAME ?? "";
  if (/^pull_request(_target)?$/.test(name) && pull === undefined) throw outside({ cause: "no-pull-request" });
  const serverUrl = env.GITHUB_SERVER_URL ?? "https://github.com";
  return {
    name,
    repository: { owner, repo },
    // The id identifies a repository even if another one takes its name.
    // Older servers do not name the repository in scheduled runs, which run on the default branch only.
    repositoryId:
      repository?.id ?? (/^\d+$/.test(env.GITHUB_REPOSITORY_ID ?? "") ? Number(env.GITHUB_REPOSITORY_ID) : undefined),
    defaultBranch:
      repository?.default_branch ??
      (name === "schedule" ? /^refs\/heads\/(.+)$/.exec(env.GITHUB_REF ?? "")?.[1] : undefined),
    /** The commit that the job runs for. */
    sha: env.GITHUB_SHA ?? "",
    /** `refs/heads/main` */
    ref: env.GITHUB_REF ?? "",
    serverUrl,
    runUrl: `${serverUrl}/${owner}/${repo}/actions/runs/${env.GITHUB_RUN_ID ?? "0"}`,
    ...defined({
      /** Of a push: the commit that the branch had before; `null` if it is new. */
      before: name !== "push" || before === undefined ? undefined : /^0*$/.test(before) ? null : before,
      pull:
        pull === undefined
          ? undefined
          : {
              number: pull.number,
              head: pull.head.sha,
              base: pull.base.sha,
              /** The branch that it would be merged into: `main`. */
              baseBranch: pull.base.ref,
              /** Whether it comes from another repository: GitHub gives its jobs no secrets and a read-only token. */
              fork: pull.head.repo?.full_name !== pull.base.repo.full_name,
              /** A job of the base branch, with its permissions; no part of the head may be checked out or run. */
              trusted: name === "pull_request_target",
            },
    }),
  };
}

const formCause = ({ issues: [first] }: z.ZodError): string =>
  first === undefined ? "" : `${first.path.join(".")}: ${first.message}`;

const outside = (fact: DiagnosticFacts["action/event"]): Failure => failure("action/event", fact);

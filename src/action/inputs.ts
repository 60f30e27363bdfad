import { type Diagnostic, EXIT, Failure } from "../model/diagnostic.ts";

export const COMMANDS = ["plan", "apply", "drift", "snapshot", "validate"] as const;
export type Command = (typeof COMMANDS)[number];

/** What `with:` says, checked. Described in action.yml and docs/action.md. */
export interface Inputs {
  readonly command: Command;
  /** Relative to the workspace, with `/`. */
  readonly file: string;
  /** Guard rails besides those of the file; relative to the workspace, of the base in a pull request. */
  readonly policy: string | undefined;
  readonly zulipSite: string | undefined;
  readonly zulipEmail: string | undefined;
  readonly zulipApiKey: string | undefined;
  readonly token: string;
  /** A file, or `artifact`: what the default branch's own snapshot job wrote. */
  readonly snapshot: string | undefined;
  readonly snapshotArtifact: string;
  /** Older snapshots are told of as too old; hours. */
  readonly snapshotMaxAgeHours: number;
  readonly planArtifact: string;
  /** What the drift command leaves for its next run; the file's name is added. */
  readonly driftArtifact: string;
  readonly reviewed: "required" | "if-found" | "ignore";
  /** Branches that pull requests may be planned for; none: only the default branch. */
  readonly baseBranches: readonly string[];
  /** apply: must somebody have approved the pull request after its plan was written? */
  readonly approval: "required" | "ignore";
  readonly showPrivateNames: boolean;
  readonly showInvitations: boolean;
  readonly redactSnapshot: boolean;
  readonly comment: boolean;
  readonly check: boolean;
  readonly issue: boolean;
  /** drift: a pull request that takes what the server has into the file. */
  readonly adoptPullRequest: boolean;
  readonly failOnDrift: boolean;
}

const DEFAULTS = {
  file: "realm.yaml",
  "snapshot-artifact": "realmctl-snapshot",
  "plan-artifact": "realmctl-plan",
  "drift-artifact": "realmctl-drift",
  "snapshot-max-age-hours": "48",
  reviewed: "required",
  approval: "ignore",
} as const;

/**
 * @param read an input by its name, "" when it is not given
 * @throws Failure with every mistake at once
 */
export function readInputs(read: (name: string) => string): Inputs {
  const problems: Diagnostic[] = [];
  const wrong = (name: string, message: string, hint: string): void => {
    problems.push({ code: "action/input", severity: "error", message: `input ${name}: ${message}`, hint });
  };
  const optional = (name: string): string | undefined => read(name).trim() || undefined;
  const flag = (name: string, standard: boolean): boolean => {
    const text = read(name).trim().toLowerCase();
    if (text === "") return standard;
    if (text !== "true" && text !== "false") wrong(name, `"${text}" is neither true nor false`, "write true or false");
    return text === "true";
  };
  const word = read("command").trim();
  const command = COMMANDS.find((known) => known === word);
  if (command === undefined)
    wrong("command", word === "" ? "it is missing" : `there is no command "${word}"`, `one of ${COMMANDS.join(", ")}`);
  const inside = (name: string, path: string): string => {
    if (/^([/\\]|[a-z]:)|(^|[/\\])\.\.([/\\]|$)/i.test(path))
      wrong(name, `${path} is not inside of the repository`, "write a path that starts at the top of the repository");
    return path.replaceAll("\\", "/").replace(/^\.\//, "");
  };
  const policy = optional("policy");
  const hours = Number(optional("snapshot-max-age-hours") ?? DEFAULTS["snapshot-max-age-hours"]);
  if (!(hours > 0)) wrong("snapshot-max-age-hours", "it is no number of hours", "write a number above zero");
  const asked = optional("reviewed") ?? DEFAULTS.reviewed;
  const reviewed = (["required", "if-found", "ignore"] as const).find((known) => known === asked);
  if (reviewed === undefined) wrong("reviewed", `there is no "${asked}"`, "one of required, if-found, ignore");
  const told = optional("approval") ?? DEFAULTS.approval;
  const approval = (["required", "ignore"] as const).find((known) => known === told);
  if (approval === undefined) wrong("approval", `there is no "${told}"`, "one of required, ignore");
  else if (approval === "required" && reviewed !== "required")
    wrong("approval", "nobody can have approved a plan that need not be there", "write `reviewed: required`");
  const inputs = {
    file: inside("file", optional("file") ?? DEFAULTS.file),
    policy: policy === undefined ? undefined : inside("policy", policy),
    zulipSite: optional("zulip-site"),
    zulipEmail: optional("zulip-email"),
    zulipApiKey: optional("zulip-api-key"),
    token: read("github-token").trim(),
    snapshot: optional("snapshot"),
    snapshotArtifact: optional("snapshot-artifact") ?? DEFAULTS["snapshot-artifact"],
    snapshotMaxAgeHours: hours,
    baseBranches: (optional("base-branches") ?? "").split(/[\s,]+/).filter((name) => name !== ""),
    planArtifact: optional("plan-artifact") ?? DEFAULTS["plan-artifact"],
    driftArtifact: optional("drift-artifact") ?? DEFAULTS["drift-artifact"],
    showPrivateNames: flag("show-private-names", false),
    showInvitations: flag("show-invitations", false),
    redactSnapshot: flag("redact-snapshot", true),
    comment: flag("comment", true),
    check: flag("check", true),
    issue: flag("issue", true),
    adoptPullRequest: flag("adopt-pull-request", false),
    failOnDrift: flag("fail-on-drift", true),
  };
  const [first, ...others] = problems;
  if (first !== undefined || command === undefined || reviewed === undefined || approval === undefined)
    throw new Failure(
      EXIT.mistakes,
      first ?? { code: "action/input", severity: "error", message: "no command" },
      ...others,
    );
  return { command, reviewed, approval, ...inputs };
}

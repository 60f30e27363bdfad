import { ALL_CHANGES, CONNECTION, type ConnectionFlags, GUARDS, MANY, NEEDS, TARGETS, VALUES, WHO } from "./flags.ts";
import { type FlagsOf, option } from "./options.ts";

export const PLAN = [
  ...CONNECTION,
  ...GUARDS,
  ...MANY,
  ...TARGETS,
  NEEDS,
  ...VALUES,
  option("--snapshot <file>", "plan against what `realmctl snapshot` wrote; needs no server"),
  option("--base <commit>", "name what the file no longer lists since this commit, and the server keeps"),
  option("--out <file>", "save the plan for: realmctl apply --plan <file>"),
  option("--sign-with <key>", "sign the saved plan with this key: a file with a secret, env:NAME or ssh:FILE"),
  option("--force", "with --out: replace a file that realmctl did not write"),
  option("--format <format>", "the output format", { choices: ["text", "json", "html"], default: "text" }),
  option("--detailed-exit-code", "exit with 2 when there are changes"),
  ALL_CHANGES,
  WHO,
  option("--rehearse", "carry out the plan on a copy of the organization in memory, and show the result"),
];
export type PlanFlags = FlagsOf<typeof PLAN> & ConnectionFlags;

export const DRIFT = [
  ...CONNECTION,
  ...MANY,
  ...TARGETS,
  ...VALUES,
  option("--snapshot <file>", "compare with what `realmctl snapshot` wrote; needs no server"),
  option("--format <format>", "the output format", { choices: ["text", "json", "html"], default: "text" }),
  option("--policy <file>", "guard rails besides those of the file; says which of them would refuse an apply"),
  option(
    "--rules <file>",
    "rules about access, checked against the organization as it is (default: realm.test.yaml for realm.yaml, if it exists)",
    { conflicts: ["coverage", "watch"] },
  ),
  option("--all", "show every difference, even if there are very many"),
  option("--watch", "keep running, and report every change as it happens; with --format json, each is one line", {
    conflicts: "snapshot",
  }),
  option("--coverage", "show which fields are compared with the file, and why the others are not", {
    conflicts: "watch",
  }),
  option(
    "--who",
    "say who changed a channel, and when, as far as its “channel events” tell: one request for each, 20 at most",
    { conflicts: ["snapshot", "watch"] },
  ),
];
export type DriftFlags = FlagsOf<typeof DRIFT> & ConnectionFlags;

export const APPLY = [
  ...CONNECTION,
  ...GUARDS,
  ...MANY,
  ...TARGETS,
  NEEDS,
  ...VALUES,
  option("--yes", "do not ask"),
  option("--plan <file>", "apply exactly what `realmctl plan --out` saved, or nothing"),
  option("--checksum <digest>", "refuse a saved plan with another checksum than the one that was reviewed"),
  option("--verify-with <key>", "refuse a saved plan that was not signed with this key: a file, env:NAME or ssh:FILE"),
  option(
    "--undo [journal]",
    "restore the values from before a run (default: the last one of this account here), except where somebody changed them since",
  ),
  option("--foreign-journal", "with --undo: also a journal that nothing shows to be of a run of this account"),
  option("--on-conflict <what>", "replan: plan again from the organization's new state, and ask again", {
    choices: ["refuse", "replan"],
    default: "refuse",
  }),
  option("--format <format>", "the output format; jsonl: a line of JSON for each call, as it is sent", {
    choices: ["text", "json", "jsonl"],
    default: "text",
  }),
  ALL_CHANGES,
  WHO,
  option("--rehearse", "first carry out the plan on a copy of the organization in memory, even if it is large"),
  option(
    "--no-rehearse",
    "never carry out the plan on a copy first (default: do so for plans of up to 500 calls, unless the organization is very large)",
  ),
  option("--show-links", "show once the invitation links that it creates: everybody who sees one can join"),
];
export type ApplyFlags = FlagsOf<typeof APPLY> & ConnectionFlags;

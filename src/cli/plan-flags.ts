import { CONNECTION, type ConnectionFlags, GUARDS, MANY, NEEDS, TARGETS, VALUES } from "./flags.ts";
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
  option("--all", "show every change, even if there are very many"),
  option("--who", "name everybody who gains or loses access (without it: five people for each risk)"),
  option("--rehearse", "carry out the plan on a copy of the organization in memory, and show the result"),
];
export type PlanFlags = FlagsOf<typeof PLAN> & ConnectionFlags;

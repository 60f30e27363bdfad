import { connectionWords, ending, fileOptionWords, fileWords, guardWords, valued } from "./command-words.ts";
import { CONNECTION, type ConnectionFlags, MANY, TARGETS, targetWords, VALUES } from "./flags.ts";
import { type FlagsOf, option } from "./options.ts";

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

/** The arguments of the suggested commands that revert or keep the drift. */
export function waysOn(
  file: string,
  flags: DriftFlags,
): {
  readonly argument: string;
  readonly applyAsOther: string;
  readonly adoptWith: string;
} {
  const connection = connectionWords(flags);
  const what = [...fileWords(file, flags), ...targetWords(flags)];
  return {
    argument: ending(...what, ...connection, ...guardWords(flags)),
    applyAsOther: ending(...what, ...guardWords(flags)),
    adoptWith: ending(...fileOptionWords(file, flags), ...valued("--snapshot", flags.snapshot), ...connection),
  };
}

import type { Command } from "commander";
import { KNOWN } from "../kinds/known-words.ts";
import { guardMeant, LIMITS, SECTION_LIMITS } from "../model/counted.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { repeatable } from "./options.ts";

/** The options that choose guard rails (docs/policy.md). */
export interface GuardFlags {
  readonly policy?: string;
  readonly allow?: readonly string[];
}

/** @param isLasting whether `--allow` is for every plan of the process */
export function withGuardFlags(command: Command, isLasting = false): Command {
  return command
    .option(
      "--policy <file>",
      "guard rails that apply besides those of the file: a policy, or another version of the file",
    )
    .addOption(
      repeatable(
        "--allow <guard>",
        `let ${isLasting ? "every plan of this process pass this guard rail" : "the plan pass this guard rail once"}: removals, lockout, protect:channel:general, …; can be given again`,
        (value, before: readonly string[] = []) => [...before, ...guardsNamed(value)],
      ),
    );
}

/**
 * The guards of one `--allow`, separated by commas. The name of a protected object may contain a comma.
 * @throws Failure for a name that no guard can have
 */
function guardsNamed(value: string): readonly string[] {
  const names: string[] = [];
  for (const part of value.split(",")) {
    const last = names.at(-1);
    const name = part.trim();
    if (isGuard(name)) names.push(name);
    else if (last?.startsWith("protect:")) names[names.length - 1] = `${last},${part}`;
    else throw unknownGuard(name);
  }
  return names;
}

function isGuard(name: string): boolean {
  const [head = "", kind = "", ...rest] = name.split(":");
  if (head === "protect") return rest.join(":").trim() !== "" && KINDS.includes(kind);
  return GUARDS.includes(name);
}

const KINDS: readonly string[] = KNOWN.flatMap(({ name, section }) => [name, section]);
const GUARDS: readonly string[] = [
  "lockout",
  "min_owners",
  "rehearsal",
  ...LIMITS,
  ...KNOWN.flatMap(({ section }) => SECTION_LIMITS.map((limit) => `${section}.${limit}`)),
];

function unknownGuard(name: string): Failure {
  const meant = guardMeant(name, GUARDS);
  const fact = { guard: { pattern: name }, ...defined({ meant: whenDefined(meant, (pattern) => ({ pattern })) }) };
  return new Failure(EXIT.errors, error("guard/unknown", fact));
}

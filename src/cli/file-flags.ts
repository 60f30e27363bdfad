import { InvalidArgumentError } from "commander";
import { VARIABLE_NAME } from "../config/references.ts";
import { KNOWN } from "../kinds/known-words.ts";
import { guardMeant, LIMITS, SECTION_LIMITS } from "../model/counted.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { OutsideValues } from "../model/outside-values.ts";
import { secretsOf } from "../model/secrets.ts";
import type { Targets } from "../model/targets.ts";
import { ARGUMENT_FORMS } from "../report/commands/arguments.ts";
import type { ProcessIo } from "./io.ts";
import { collect, type FlagsOf, option } from "./options.ts";

const WORDS: ReadonlySet<string> = new Set(KNOWN.flatMap(({ name, section }) => [name, section]));

/**
 * The options that choose guard rails (docs/policy.md).
 * @param lets what `--allow` lets pass
 */
export const guardOptions = (lets: string) => [
  option(
    "--policy <file>",
    "guard rails that apply besides those of the file: a policy, or another version of the file",
  ),
  option("--allow <guard>", `${lets}: removals, lockout, protect:channel:general, …; can be given again`, {
    parse: (value, before: readonly string[] = []) => [...before, ...guardsNamed(value)],
    isRepeatable: true,
  }),
];
export const GUARDS = guardOptions("let the plan pass this guard rail once");
export type GuardFlags = FlagsOf<typeof GUARDS>;

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
  if (head === "protect") return rest.join(":").trim() !== "" && WORDS.has(kind);
  return GUARD_NAMES.includes(name);
}

const GUARD_NAMES: readonly string[] = [
  "lockout",
  "min_owners",
  "rehearsal",
  ...LIMITS,
  ...KNOWN.flatMap(({ section }) => SECTION_LIMITS.map((limit) => `${section}.${limit}`)),
];

function unknownGuard(name: string): Failure {
  const meant = guardMeant(name, GUARD_NAMES);
  const fact = { guard: { pattern: name }, ...defined({ meant: whenDefined(meant, (pattern) => ({ pattern })) }) };
  return new Failure(EXIT.errors, error("guard/unknown", fact));
}

const ofTargets = {
  parse: (value: string, before: readonly string[] = []) => [...before, ...targetsNamed(value)],
  isRepeatable: true,
};
/** The options that choose a part of the file. */
export const TARGETS = [
  option(
    "--only <objects>",
    "only this: a section, or kind:name with * and ?, such as channel:team-*; can be given again",
    ofTargets,
  ),
  option("--except <objects>", "everything but this, written as with --only; can be given again", ofTargets),
];
export const NEEDS = option("--with-needs", "with --only or --except: also plan what these objects need");
export type TargetFlags = FlagsOf<[...typeof TARGETS, typeof NEEDS]>;

/** The targets in one option, separated by commas. A name may contain a comma. */
export function targetsNamed(value: string): readonly string[] {
  const named: string[] = [];
  for (const part of value.split(",")) {
    const word = part.trim();
    const [kind = ""] = word.split(":");
    if (named.length === 0 || WORDS.has(kind)) named.push(word);
    else named.push(`${named.pop()},${part}`);
  }
  return named;
}

/**
 * @param needs what happens to the prerequisites of the objects if no flag says so
 * @throws Failure when `--with-needs` is given without `--only` or `--except`
 */
export function targetsOf(
  { only = [], except = [], withNeeds = false }: TargetFlags,
  needs: Targets["needs"] = "refuse",
): Targets | undefined {
  if (only.length > 0 || except.length > 0) return { only, except, needs: withNeeds ? "take" : needs };
  if (withNeeds) throw new Failure(EXIT.errors, error("targets/nothing-named", { option: "--with-needs" }));
  return undefined;
}

/** The options with which another command is about the same objects. */
export function targetWords({ only = [], except = [], withNeeds }: TargetFlags): readonly string[] {
  return [
    ...only.flatMap((pattern) => ["--only", pattern]),
    ...except.flatMap((pattern) => ["--except", pattern]),
    ...(withNeeds === true ? ["--with-needs"] : []),
  ];
}

/** @throws Failure when the options ask for a part of a saved plan or of an undo */
export function refuseTargetsOf(source: "--plan" | "--undo", flags: TargetFlags): void {
  const [given] = targetWords(flags);
  if (given !== undefined) throw new Failure(EXIT.errors, error("targets/of-plan", { option: given, source }));
}

interface SetFlag {
  readonly name: string;
  readonly text: string;
}

/** The options that give variables of the file a value (docs/writing.md): of every command that reads the file as more than text. */
export const VALUES = [
  option("--set <name=value>", "the value of a variable that the file declares under vars; can be given again", {
    parse: (value, before: readonly SetFlag[] = []) => [...before, setFlag(value)],
    isRepeatable: true,
  }),
  option(
    "--values <file>",
    "a YAML map with values of variables; can be given again: a later one wins, and --set over all",
    { parse: collect, isRepeatable: true },
  ),
];
export type ValueFlags = FlagsOf<typeof VALUES>;

function setFlag(written: string): SetFlag {
  const at = written.indexOf("=");
  const name = written.slice(0, at);
  if (at < 0 || !VARIABLE_NAME.test(name)) throw new InvalidArgumentError(ARGUMENT_FORMS.set);
  return { name, text: written.slice(at + 1) };
}

/** The values from outside of a command line. A file may ask for every variable of the environment that is no secret. */
export const outsideOf = ({ set, values }: ValueFlags, env: ProcessIo["env"]): OutsideValues => ({
  ...defined({ set, files: values }),
  environment: (name) => env[name],
  isSecret: (text) => secretsOf(env)(text),
});

/** The options that give the variables the same values. */
export function valueWords({ set = [], values = [] }: ValueFlags): readonly string[] {
  return [
    ...values.flatMap((file) => ["--values", file]),
    ...set.flatMap(({ name, text }) => ["--set", `${name}=${text}`]),
  ];
}

import { Argument, type Command, InvalidArgumentError } from "commander";
import { VARIABLE_NAME } from "../config/variable-syntax.ts";
import { KNOWN } from "../kinds/known-words.ts";
import { guardMeant, LIMITS, SECTION_LIMITS } from "../model/counted.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { type Failure, failure } from "../model/diagnostic.ts";
import { LONGEST_ANSWER_S, LONGEST_RUN_S, secondsIn } from "../model/duration.ts";
import type { OutsideValues } from "../model/outside-values.ts";
import type { Targets } from "../model/plan-schema.ts";
import { secretsOf } from "../model/secrets.ts";
import { ARGUMENT_FORMS, jobsForm, noShard, shardForm, timeForm } from "../report/commands/process.ts";
import { VERSION } from "../version.ts";
import type { CredentialFlags } from "../zulip/credentials.ts";
import type { ProcessIo } from "./io.ts";
import { collect, type FlagsOf, option, optionIn } from "./options.ts";
import type { Shard } from "./organizations/files.ts";

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
  return failure("guard/unknown", fact);
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
  if (withNeeds) throw failure("targets/nothing-named", { option: "--with-needs" });
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
  if (given !== undefined) throw failure("targets/of-plan", { option: given, source });
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

/** Whether reports leave nothing out. */
export const showsAll = ({ all, verbose }: { readonly all?: boolean; readonly verbose?: boolean }): boolean =>
  all === true || verbose === true;

/** Options of realmctl itself, before any command. */
export function withGlobalFlags(command: Command): Command {
  return command
    .helpOption("-h, --help", "show this help")
    .version(VERSION, "-V, --version", "print the version")
    .helpCommand("help [command]", "show the help of a command");
}

/** The parser of a time, such as 90s or 5m: seconds. */
const timeUpTo =
  (mostSeconds: number, most: "1h" | "24h") =>
  (written: string): number => {
    const seconds = secondsIn(written, mostSeconds);
    if (seconds === undefined) throw new InvalidArgumentError(timeForm(most));
    return seconds;
  };
export const timeOfRun = timeUpTo(LONGEST_RUN_S, "24h");
export const timeOfAnswer = timeUpTo(LONGEST_ANSWER_S, "1h");

/** Of every command. */
export const OUTPUT = [option("--no-color", "no colour, even if the terminal has colours")];

/** Of every command that shows a plan. */
export const ALL_CHANGES = option("--all", "show every change, even if there are very many");
export const WHO = option("--who", "name everybody who gains or loses access (without it: five people for each risk)");

/** The heading in a command's help; below the command's own options. */
export const CONNECTION_GROUP = "Connection:";
const ofConnection = optionIn(CONNECTION_GROUP);

/** Of every command that talks to a server; the environment and zuliprc fill what is left out (zulip-api.md §13.2). */
export const CONNECTION = [
  ...OUTPUT,
  ofConnection("--site <url>", "the organization's address (default: ZULIP_SITE, then zuliprc)"),
  ofConnection("--email <address>", "the account that acts (default: ZULIP_EMAIL, then zuliprc)"),
  ofConnection(
    "--key <key>",
    "its API key; other users of this machine can see it here, so prefer ZULIP_API_KEY or a zuliprc",
  ),
  ofConnection("--zuliprc <file>", "the file with the credentials (default: ZULIP_CONFIG, then ~/.zuliprc)"),
  ofConnection("--cert-bundle <file>", "certificates to trust instead of the system's, in PEM"),
  ofConnection("--insecure", "do not check the server's certificate"),
  ofConnection(
    "--timeout <time>",
    "how long the server may take for one answer, such as 90s or 5m; a number alone means seconds (default: 60s)",
    { parse: timeOfAnswer },
  ),
  ofConnection(
    "--deadline <time>",
    "how long the whole command may take, such as 90s, 10m or 2h; a number alone means seconds; an apply then stops between two calls (default: REALMCTL_DEADLINE, else no limit)",
    { parse: timeOfRun },
  ),
  ofConnection("--verbose", "leave nothing out of reports, and trace every request on stderr, without keys"),
];

export type ConnectionFlags = FlagsOf<typeof CONNECTION> &
  CredentialFlags & {
    /** Whether only errors are shown, and no messages about waiting. */
    readonly quiet?: boolean;
    /** Not a flag: the output of this organization is shown later, beside that of others, and waiting is not reported. */
    readonly isShownLater?: boolean;
  };

/** Of commands that write a file of an organization. */
export const SCHEMA = option(
  "--schema <path>",
  "the JSON Schema that the first line names, for editors (default: realmctl's own: its path if it is below this directory, otherwise its published address)",
);
export const PICTURES_FROM = option(
  "--pictures-from <hosts...>",
  "hosts, besides the organization's own, from which pictures (emoji, icon, logos) are fetched: files.example.org",
);

/** The argument of commands that accept several files, one organization each. */
export const organizationFiles = (): Argument =>
  new Argument(
    "[files...]",
    "the organization as it should be (default: realm.yaml); several files or a directory: one organization each",
  );

export const MOST_JOBS = 128;
const MOST_SHARDS = 10_000;
const ofMany = optionIn("Several organizations:");

/** Of commands for several organizations. */
export const MANY = [
  ofMany("--jobs <number>", "how many organizations at once (default: 16; apply: 1)", { parse: jobsOf }),
  ofMany("--shard <part/parts>", "only this share of the files, such as 3/8: for the matrix of a CI host", {
    parse: shardOf,
  }),
  ofMany("--quiet", "print only errors, and for several organizations their table"),
];

function jobsOf(written: string): number {
  const jobs = /^\d{1,3}$/.test(written) ? Number(written) : 0;
  if (jobs >= 1 && jobs <= MOST_JOBS) return jobs;
  throw new InvalidArgumentError(jobsForm(MOST_JOBS));
}

function shardOf(written: string): Shard {
  const [, part, of] = (/^(\d{1,5})\/(\d{1,5})$/.exec(written) ?? []).map(Number);
  if (part !== undefined && of !== undefined && part >= 1 && part <= of && of <= MOST_SHARDS) return { part, of };
  if (part !== undefined && of !== undefined && of >= 1 && of <= MOST_SHARDS)
    throw new InvalidArgumentError(noShard(part, of));
  throw new InvalidArgumentError(shardForm(MOST_SHARDS));
}

import { Argument, type Command, InvalidArgumentError } from "commander";
import { LONGEST_ANSWER_S, LONGEST_RUN_S, secondsIn } from "../model/duration.ts";
import { jobsForm, noShard, shardForm, timeForm } from "../report/commands/arguments.ts";
import { VERSION } from "../version.ts";
import type { CredentialFlags } from "../zulip/credentials.ts";
import { type FlagsOf, option, optionIn } from "./options.ts";
import type { Shard } from "./organizations/files.ts";

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
/** A time of a run. */
export const timeOfRun = timeUpTo(LONGEST_RUN_S, "24h");
/** A time of an answer. */
export const timeOfAnswer = timeUpTo(LONGEST_ANSWER_S, "1h");

/** Of every command. */
export const OUTPUT = [option("--no-color", "no colour, even if the terminal has colours")];

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

import { Argument, type Command, InvalidArgumentError } from "commander";
import { jobsForm, noShard, shardForm } from "../../report/commands/arguments.ts";
import type { Shard } from "./files.ts";

/** The options of commands for several organizations. */
export interface ManyFlags {
  readonly jobs?: number;
  readonly shard?: Shard;
  readonly quiet?: boolean;
}

/** The argument of commands that accept several files, one organization each. */
export const organizationFiles = (): Argument =>
  new Argument(
    "[files...]",
    "the organization as it should be (default: realm.yaml); several files or a directory: one organization each",
  );

/** The heading in a command's help. */
const MANY_GROUP = "Several organizations:";

export function withManyFlags(command: Command): Command {
  return command
    .optionsGroup(MANY_GROUP)
    .option("--jobs <number>", "how many organizations at once (default: 16; apply: 1)", jobsOf)
    .option("--shard <part/parts>", "only this share of the files, such as 3/8: for the matrix of a CI host", shardOf)
    .option("--quiet", "print only errors, and for several organizations their table")
    .optionsGroup("Options:");
}

export const MOST_JOBS = 128;
const MOST_SHARDS = 10_000;

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

import { count, grouped, listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import type { Word } from "./values.ts";
import { say } from "./words.ts";

const NOT_ASKED = {
  "no-terminal": "there is no terminal for questions",
  format: "the output of --format leaves no room for questions",
  jobs: "with --jobs it would ask about several at once",
} as const;

/** Errors of commands for several files, one for each organization. */
export const organizations = {
  /** @property is_one_file the same file was named more than once */
  "organizations/same-realm": diagnostic<{ files: readonly Word[]; realm: Word; is_one_file?: true }>({
    says: ({ files, realm, is_one_file }) =>
      is_one_file === true
        ? say(`${files[0]} is named ${files.length === 2 ? "twice" : `${files.length} times`}`, "name it once")
        : say(
            `${listNames(files)} are ${files.length === 2 ? "both" : "all"} for ${realm}`,
            "name one file for each organization; include what they share",
          ),
    means: "Two files are for the same organization.",
    out: "Name one file for each organization, and include what they share.",
  }),
  "organizations/no-realm": diagnostic<{ file: Word; plan?: Word }>({
    says: ({ file }) => `${file} does not say which organization it is for`,
    help: ({ plan }) =>
      plan === undefined
        ? "write realm: with its address at the top; leave out a file that others include"
        : `each file is applied to an organization of its own; to apply the saved plan, name only ${plan}`,
    means: "Several files are given, and one of them does not say which organization it is for.",
    out: "Write `realm: https://chat.example.org` at its top.",
  }),
  "organizations/same-name": diagnostic<{ files: readonly Word[]; name: Word }>({
    says: ({ files, name }) => `${listNames(files)} share the name ${name} for the variables with their credentials`,
    help: "give the files names that differ in more than case and punctuation",
    means: "Two files have the same name for variables with credentials: `ZULIP_API_KEY__ACME` would belong to both.",
    out: "Give the files names that differ in more than case and punctuation.",
  }),
  "organizations/none": diagnostic<{ directory: Word; passed_over: readonly Word[] }>({
    says: ({ directory, passed_over }) =>
      passed_over.length === 0
        ? say(
            `no file in ${directory} ends in .yaml or .yml; directories in it are not searched`,
            "name the files, or another directory",
          )
        : say(
            `no file in ${directory} says with realm: which organization it is for`,
            "write realm: with its address at the top of the file of each organization; if the files are parts of one, one file lists the others under include:",
          ),
    means: "No file in the directory is for an organization.",
    out: "Name the files, or another directory. A file is for an organization when it has `realm:`.",
  }),
  /** An option, or a value of an option, that is only possible for one organization. */
  "organizations/for-one": diagnostic<{ option: Word }>({
    says: ({ option }) => `${option} is for one organization, and several files are given`,
    help: "leave it out, or name one file; credentials of several organizations: docs/writing.md",
    means: "An option or a format for one organization is given with several files.",
    out: "Leave it out, or run the command for one file.",
  }),
  "organizations/unasked": diagnostic<{ organizations: number; why: "no-terminal" | "format" | "jobs" }>({
    says: ({ organizations, why }) =>
      `apply asks about each of ${count(organizations, "organization")}, and ${NOT_ASKED[why]}`,
    help: "look at realmctl plan with the same files, then add --yes",
    means:
      "`apply` asks about each organization before it sends anything, and nobody can be asked: there is no terminal, or `--format` or `--jobs` leave no room for questions.",
    out: "Look at the plans first, then apply the same files with `--yes`. At a terminal, leave out `--format` and `--jobs`: `apply` then asks about each organization in turn.",
  }),
  "organizations/shard-of-one": diagnostic<{ shard: Word }>({
    says: ({ shard }) => `--shard ${shard} distributes several files, but only one is given`,
    help: "name a directory or several files",
    means: "`--shard` distributes several files, but only one is given.",
    out: "Name a directory, or several files.",
  }),
  "organizations/too-many": diagnostic<{ files: number; most: number }>({
    says: ({ files, most }) => `${grouped(files)} files are given, but one command takes at most ${grouped(most)}`,
    help: "distribute them: name fewer in each command",
    means: "More files are given than one command takes.",
    out: "Name fewer, or distribute them over several commands.",
  }),
};

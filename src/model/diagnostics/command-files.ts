import { type NotJson, notJsonText } from "../not-json.ts";
import { type OwnFormat, type WrittenFile, writtenName } from "../own-format.ts";
import { count, grouped, listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import { type Unreadable, wayToRead, whyUnreadable, whyUnwritable } from "./unreadable.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, say } from "./words.ts";

/** What a command reads besides the configuration. */
export type InputFile = "plan" | "journal" | "file" | "key" | "snapshot" | "event";

/** The file that a sandbox starts from. */
interface SandboxFile {
  readonly file: Word;
  readonly flag: "--data" | "--from";
}

const SANDBOX_TAKES = {
  "--data":
    "--data takes a file that an earlier run saved, and no run saved this one: name another file; a file that does not exist is created",
  "--from": "--from takes a snapshot (realmctl snapshot --out FILE writes one) or a recorded realm.json",
} as const;

const MEBIBYTE = 1024 * 1024;

/** Files that a command line names, to be read or written, and the keys that sign saved plans. */
export const commandFiles = {
  /** @property what the intended content; absent for a file that a command checks before it writes it */
  /** @property newest the newest journal here, if the named one is missing; null without any */
  "input/unreadable": diagnostic<{ file: Word; what?: InputFile; why: Unreadable; newest?: Word | null }>({
    says: ({ file, what, why }) =>
      `${what === undefined ? "" : `the ${what} `}${file} cannot be read: ${whyUnreadable(why)}`,
    help: ({ file, why, newest }) =>
      newest !== undefined
        ? newest === null
          ? "each apply that sends something writes its journal into .realmctl/, and there is none here: change to the directory where it ran"
          : `the newest journal here is ${newest}; the others are beside it`
        : why.code === "EISDIR"
          ? "name a file in it"
          : wayToRead(why, file, "on-command-line"),
    means: "A file that the command line names cannot be read.",
    out: "Correct the path.",
  }),
  "output/exists": diagnostic<{ file: Word; format: OwnFormat }>({
    says: ({ file, format }) =>
      `${file} exists, and is not ${/^[aeiou]/.test(writtenName(format)) ? "an" : "a"} ${writtenName(format)}`,
    help: ({ format }) =>
      format === "sync-status"
        ? "choose another file, or remove this one"
        : "choose another file, or replace this one with --force",
    means: "The output file already exists, and realmctl did not write it.",
    out: "Name another file, or replace this one with `--force`.",
  }),
  /** @property holds what would be in the file */
  "output/other-ending": diagnostic<{ file: Word; holds: "plan" | "snapshot" | "configuration" }>({
    says: ({ file, holds }) =>
      holds === "configuration"
        ? say(`${file} would hold YAML, and its name says something else`, "name it NAME.yaml")
        : say(
            `${file} would hold a ${writtenName(holds)}, which is JSON, and its name says something else`,
            holds === "plan"
              ? "name it NAME.plan; what --format makes is printed: realmctl plan --format html > NAME.html"
              : "name it NAME.json",
          ),
    means:
      "The name of an output ends as a file of another format does: a saved plan and a snapshot are JSON, an export is YAML. Programs and people would take it for something else.",
    out: "Give it the right ending. `--out` of `plan` saves the plan itself; what `--format` makes is printed.",
  }),
  "output/is-input": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} was read by this same command, so it is not overwritten`,
    help: "choose another file to write to",
    means: "The output would replace a file that this same command read.",
    out: "Name another file: not even `--force` writes over it.",
  }),
  "output/no-directory": diagnostic<{ file: Word; directory: Word; is_missing: boolean }>({
    says: ({ file, directory, is_missing }) =>
      is_missing
        ? say(
            `${file} cannot be written: there is no directory ${directory}`,
            `create it first (mkdir -p ${directory}), or choose another place`,
          )
        : say(`${file} cannot be written: a part of its path is a file, not a directory`, "choose another place"),
    means: "The directory of an output does not exist.",
    out: "Create it first, or name another directory.",
  }),
  /** The file would be too large to be read again. */
  "output/too-large": diagnostic<{
    file: Word;
    format: OwnFormat;
    /** Absent if the size exceeds the maximum length of a string. */
    bytes?: number;
    most_bytes: number;
  }>({
    says: ({ file, format, bytes, most_bytes }) => {
      const most = most_bytes / MEBIBYTE;
      const has = bytes === undefined ? `more than ${most}` : Math.ceil(bytes / MEBIBYTE);
      return say(
        `${file} would have ${has} MB, and realmctl reads files of up to ${most} MB`,
        format === "plan"
          ? "plan a part of the file at a time: --only"
          : format === "snapshot"
            ? "leave out who is subscribed: --no-subscribers"
            : "start from a smaller organization",
      );
    },
    means: "The plan or snapshot would be larger than what realmctl reads (256 MiB), so it is not written.",
    out: "Plan a part of the file at a time (`--only`), or take the snapshot without subscribers (`--no-subscribers`).",
  }),
  "output/not-written": diagnostic<{ file: Word; is_directory: boolean; why: Unreadable }>({
    says: ({ file, is_directory, why }) =>
      `${is_directory ? `the directory ${file} cannot be created` : `${file} cannot be written`}: ${whyUnwritable(why)}`,
    help: ({ why }) =>
      why.code === "EISDIR"
        ? "name a file in it"
        : why.cause?.is === "link-outside" || why.cause?.is === "in-git"
          ? "remove the link, or name the place that it leads to"
          : "choose another place, or make it writable",
    means: "A file cannot be written.",
    out: "Make the directory writable, or name another.",
  }),
  "fmt/not-safe": diagnostic<
    { file: Word; cause: "loses" | "no-section" } | { file: Word; cause: "other-file"; what: WrittenFile }
  >({
    says: (fact) =>
      fact.cause === "other-file"
        ? say(
            `${fact.file} is a ${writtenName(fact.what)}, not a configuration, so it stays as it is`,
            "name a file of the configuration",
          )
        : fact.cause === "no-section"
          ? say(
              `${fact.file} has no section of a configuration, so it stays as it is`,
              "name a file of the configuration; all files of it have a key that realmctl knows, such as version or channels",
            )
          : say(
              `${fact.file} cannot be formatted without losing its meaning or a comment, so it stays as it is`,
              "if a comment is in an unusual place (between brackets), move it to a line of its own; an empty file cannot be formatted either",
            ),
    means: "The file cannot be formatted without changing its meaning, or it is no file of a configuration.",
    out: "Correct what the message names, or leave the file as it is.",
  }),
  "plan-file/not-signed": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} is not signed`,
    help: "sign it where it is made: realmctl plan --out FILE --sign-with KEY",
    means: "`--verify-with` requires a signed plan, and this one has no signature.",
    out: "Make it with `realmctl plan --out FILE --sign-with KEY` where plans are reviewed.",
  }),
  /** @property beginning how many of its characters were given, if they are those that it begins with */
  "plan-file/other-checksum": diagnostic<{ file: Word; checksum: Word; beginning?: number }>({
    says: ({ file, checksum, beginning }) =>
      beginning === undefined
        ? say(
            `${file} is not the plan that was reviewed: its checksum is ${checksum}`,
            "review this plan (realmctl show), or apply the one that was reviewed",
          )
        : say(
            `--checksum has only the first ${beginning} of ${checksum.length} characters of the checksum of ${file}: another plan can begin with them, too`,
            "give the whole checksum that the review showed; realmctl show --checksum prints that of the file",
          ),
    means: "The saved plan is not the one whose checksum was given.",
    out: "Find out who replaced it.",
  }),
  "plan-file/other-signature": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} was not signed with this key, or was changed since`,
    help: "review this plan (realmctl show), and sign it where plans are made",
    means: "The saved plan was not signed with the key of `--verify-with`, or was changed after it was signed.",
    out: "Review it (`realmctl show`) and have it signed where plans are made, or name the right key.",
  }),
  "sign/no-key": diagnostic<{ variable: Word }>({
    says: ({ variable }) => `the environment variable ${variable} is not set`,
    help: ({ variable }) => `set ${variable} to the secret itself`,
    means: "The environment variable with the secret is not set.",
    out: "Set it in the job that plans and in the one that applies.",
  }),
  "sign/short-key": diagnostic<{ key: Word; characters: number; least_characters: number }>({
    says: ({ key, characters, least_characters }) =>
      `the secret in ${key} has ${characters} characters; it needs at least ${least_characters}`,
    help: "name a file, or env:NAME, with a secret (make one with: openssl rand -hex 32), or ssh:FILE with a private key",
    means:
      "The secret is shorter than 32 characters: everybody who has a signed plan could try secrets until one fits.",
    out: "Make one with `openssl rand -hex 32`.",
  }),
  "sign/ssh-keygen": diagnostic<
    { cause: "not-signed"; key: Word; reason: Quoted } | { cause: "not-run"; reason: Quoted }
  >({
    says: (fact) =>
      fact.cause === "not-signed"
        ? `the plan cannot be signed with ${fact.key}: ${bare(fact.reason)}`
        : `ssh-keygen cannot be run: ${bare(fact.reason)}`,
    help: "signatures with SSH keys need OpenSSH 8.2 or later; a secret in a file or a variable needs nothing",
    means: "`ssh-keygen` is not installed, is older than OpenSSH 8.2, or cannot use the key.",
    out: "Read its message. You can also use an agent that has the key, or a secret in a file or a variable.",
  }),
  "sandbox/data": diagnostic<{ file: Word; why: Unreadable }>({
    says: ({ file, why }) => `${file} cannot be written: ${whyUnwritable(why)}`,
    help: "choose another file for --data",
    means: "The directory of the sandbox contains files that the sandbox did not write.",
    out: "Name another directory.",
  }),
  "sandbox/no-fixture": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} is missing`,
    help: "install realmctl again",
    means: "The organization that the sandbox starts with is missing from the installation.",
    out: "Install realmctl again, or name a snapshot.",
  }),
  "sandbox/not-a-realm": diagnostic<SandboxFile & { at?: Word; reason?: Quoted }>({
    says: ({ file, at, reason }) =>
      `${file} holds no organization${reason === undefined ? "" : ` (${at ?? "at its top"}: ${bare(reason)})`}`,
    help: ({ flag }) => SANDBOX_TAKES[flag],
    means: "A sandbox cannot start from this file.",
    out: "Name a snapshot that `realmctl snapshot` wrote.",
  }),
  "sandbox/not-json": diagnostic<SandboxFile & { reason: NotJson }>({
    says: ({ file, reason }) => `${file} is not JSON: ${notJsonText(reason)}`,
    help: ({ flag }) => SANDBOX_TAKES[flag],
    means: "The file is not JSON.",
    out: "Name a snapshot that `realmctl snapshot` wrote.",
  }),
  /** @property code the system's code, if there is one */
  /** @property sync it is the port of `sync --listen` */
  "sandbox/port": diagnostic<{ port: number; reason: Quoted; code?: Word; sync?: true }>({
    says: ({ port, reason, code, sync }) =>
      `${sync === true ? "sync" : "the sandbox"} cannot listen on port ${port}: ${code === "EADDRINUSE" ? "another program listens there" : code === "EACCES" ? "you may not use it" : bare(reason)}`,
    help: ({ sync }) => `choose another ${sync === true ? "port behind --listen" : "--port"}, or 0 for any free one`,
    means: "The port is in use, or is not a port number.",
    out: "Name another port, or 0 for any free one.",
  }),
  "sandbox/unreadable": diagnostic<SandboxFile & { why: Unreadable }>({
    says: ({ file, why }) => `${file} cannot be read: ${whyUnreadable(why)}`,
    help: ({ flag }) => SANDBOX_TAKES[flag],
    means: "A file of the sandbox cannot be read.",
    out: "Correct the path.",
  }),
};

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

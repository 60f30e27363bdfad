import type { CommandFileFacts } from "../../../model/diagnostics/command-files.ts";
import { notJsonText } from "../not-json.ts";
import { writtenName } from "../own-files.ts";
import { wayToRead, whyUnreadable, whyUnwritable } from "./unreadable.ts";
import { bare, say, type WordsOf } from "./words.ts";

const SANDBOX_TAKES = {
  "--data":
    "--data takes a file that an earlier run saved, and no run saved this one: name another file; a file that does not exist is created",
  "--from": "--from takes a snapshot (realmctl snapshot --out FILE writes one) or a recorded realm.json",
} as const;

const MEBIBYTE = 1024 * 1024;

export const commandFileWords: WordsOf<CommandFileFacts> = {
  "input/unreadable": ({ file, what, why, newest }) =>
    say(
      `${what === undefined ? "" : `the ${what} `}${file} cannot be read: ${whyUnreadable(why)}`,
      newest !== undefined
        ? newest === null
          ? "each apply that sends something writes its journal into .realmctl/, and there is none here: change to the directory where it ran"
          : `the newest journal here is ${newest}; the others are beside it`
        : why.code === "EISDIR"
          ? "name a file in it"
          : wayToRead(why, file, "on-command-line"),
    ),
  "output/exists": ({ file, format }) =>
    say(
      `${file} exists, and is not ${/^[aeiou]/.test(writtenName(format)) ? "an" : "a"} ${writtenName(format)}`,
      format === "sync-status"
        ? "choose another file, or remove this one"
        : "choose another file, or replace this one with --force",
    ),
  "output/other-ending": ({ file, holds }) =>
    holds === "configuration"
      ? say(`${file} would hold YAML, and its name says something else`, "name it NAME.yaml")
      : say(
          `${file} would hold a ${writtenName(holds)}, which is JSON, and its name says something else`,
          holds === "plan"
            ? "name it NAME.plan; what --format makes is printed: realmctl plan --format html > NAME.html"
            : "name it NAME.json",
        ),
  "output/is-input": ({ file }) =>
    say(`${file} was read by this same command, so it is not overwritten`, "choose another file to write to"),
  "output/no-directory": ({ file, directory, is_missing }) =>
    is_missing
      ? say(
          `${file} cannot be written: there is no directory ${directory}`,
          `create it first (mkdir -p ${directory}), or choose another place`,
        )
      : say(`${file} cannot be written: a part of its path is a file, not a directory`, "choose another place"),
  "output/too-large": ({ file, format, bytes, most_bytes }) => {
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
  "output/not-written": ({ file, is_directory, why }) =>
    say(
      `${is_directory ? `the directory ${file} cannot be created` : `${file} cannot be written`}: ${whyUnwritable(why)}`,
      why.code === "EISDIR"
        ? "name a file in it"
        : why.cause?.is === "link-outside" || why.cause?.is === "in-git"
          ? "remove the link, or name the place that it leads to"
          : "choose another place, or make it writable",
    ),
  "fmt/not-safe": (fact) =>
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
  "plan-file/not-signed": ({ file }) =>
    say(`${file} is not signed`, "sign it where it is made: realmctl plan --out FILE --sign-with KEY"),
  "plan-file/other-checksum": ({ file, checksum, beginning }) =>
    beginning === undefined
      ? say(
          `${file} is not the plan that was reviewed: its checksum is ${checksum}`,
          "review this plan (realmctl show), or apply the one that was reviewed",
        )
      : say(
          `--checksum has only the first ${beginning} of ${checksum.length} characters of the checksum of ${file}: another plan can begin with them, too`,
          "give the whole checksum that the review showed; realmctl show --checksum prints that of the file",
        ),
  "plan-file/other-signature": ({ file }) =>
    say(
      `${file} was not signed with this key, or was changed since`,
      "review this plan (realmctl show), and sign it where plans are made",
    ),
  "sign/no-key": ({ variable }) =>
    say(`the environment variable ${variable} is not set`, `set ${variable} to the secret itself`),
  "sign/short-key": ({ key, characters, least_characters }) =>
    say(
      `the key ${key} has ${characters} characters; it needs at least ${least_characters}`,
      "name a file, or env:NAME, with a secret (make one with: openssl rand -hex 32), or ssh:FILE with a private key",
    ),
  "sign/ssh-keygen": (fact) =>
    say(
      fact.cause === "not-signed"
        ? `the plan cannot be signed with ${fact.key}: ${bare(fact.reason)}`
        : `ssh-keygen cannot be run: ${bare(fact.reason)}`,
      "signatures with SSH keys need OpenSSH 8.2 or later; a secret in a file or a variable needs nothing",
    ),
  "sandbox/data": ({ file, why }) =>
    say(`${file} cannot be written: ${whyUnwritable(why)}`, "choose another file for --data"),
  "sandbox/no-fixture": ({ file }) => say(`${file} is missing`, "install realmctl again"),
  "sandbox/not-a-realm": ({ file, flag, at, reason }) =>
    say(
      `${file} holds no organization${reason === undefined ? "" : ` (${at ?? "at its top"}: ${bare(reason)})`}`,
      SANDBOX_TAKES[flag],
    ),
  "sandbox/not-json": ({ file, flag, reason }) =>
    say(`${file} is not JSON: ${notJsonText(reason)}`, SANDBOX_TAKES[flag]),
  "sandbox/port": ({ port, reason, code, sync }) =>
    say(
      `${sync === true ? "sync" : "the sandbox"} cannot listen on port ${port}: ${code === "EADDRINUSE" ? "another program listens there" : code === "EACCES" ? "you may not use it" : bare(reason)}`,
      "choose another --port, or 0 for any free one",
    ),
  "sandbox/unreadable": ({ file, flag, why }) =>
    say(`${file} cannot be read: ${whyUnreadable(why)}`, SANDBOX_TAKES[flag]),
};

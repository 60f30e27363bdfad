import { cases, type FactIn } from "../cases.ts";
import { own } from "../defined.ts";
import { type WrittenFile, writtenName } from "../own-format.ts";
import { withoutTrailingSlashes } from "../texts.ts";
import type { Word } from "./values.ts";

/** Why a file cannot be read: the system's code and message, or the cause that realmctl found itself. */
export interface Unreadable {
  readonly code?: Word;
  readonly words: Word;
  readonly cause?: ReadCause;
}

/** The reason why realmctl refuses to read a file although the system allows it: the end of a sentence. */
const causeText = cases("is", {
  pipe: "it is a pipe, not a file",
  socket: "it is a socket, not a file",
  device: "it is a device, not a file",
  directory: "it is a directory, not a file",
  submodule: "it is a submodule, not a file",
  link: "it is a link or another repository, so it cannot be changed in place",
  "link-outside": "it is a link that leads out of its directory",
  "link-cycle": "its links form a cycle",
  "in-git": "it is a part of .git",
  "utf-16": "it is UTF-16",
  "not-utf-8": "it is not UTF-8",
  "no-reader": "only the configuration itself is read here",
  "written-by-us": ({ what }: { what: WrittenFile }) => `it is a ${writtenName(what)}, not a configuration`,
  "too-large": ({ size_bytes, most_bytes }: { size_bytes: number; most_bytes: number }) =>
    `it has ${megabytes(size_bytes)} MB, and at most ${megabytes(most_bytes)} MB are read`,
});
export type ReadCause = FactIn<typeof causeText>;

const megabytes = (bytes: number): string => Math.ceil(bytes / 1024 / 1024).toLocaleString("en");

const MAY_NOT_READ = "you may not read it";
const A_FILE_IN_PATH = "a part of its path is a file, not a directory";

/** Code of the system → why a file is not read. */
const WHY_UNREADABLE: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EACCES: MAY_NOT_READ,
  EPERM: MAY_NOT_READ,
  EISDIR: "it is a directory",
  ENOTDIR: A_FILE_IN_PATH,
  ELOOP: "its links form a cycle",
  ENAMETOOLONG: "the name is too long for a file",
  ERR_INVALID_ARG_VALUE: "no file can have such a name",
};

/** Why a file is not read, as the end of a sentence. */
export const whyUnreadable = ({ code = "", words, cause }: Unreadable): string =>
  cause === undefined ? (own(WHY_UNREADABLE, code) ?? words) : causeText(cause);

/**
 * The advice about a file that cannot be read.
 * @param named by the command line, which could name the standard input instead, or in a file
 */
export function wayToRead({ code, cause }: Unreadable, file: string, named: "on-command-line" | "in-file"): string {
  if (cause !== undefined) return wayAround(cause, named);
  switch (code) {
    case "ENOENT":
      return named === "in-file"
        ? "correct the path: it is relative to the file that names it"
        : /^\w+:\/\//.test(file)
          ? "this is an address, and only files of this machine are read: save it as a file first"
          : /[*?]/.test(file)
            ? "no file matches, or the shell would have put its name there: correct the pattern"
            : "correct the name, or change to the directory that contains it";
    case "EACCES":
    case "EPERM":
      return `give yourself the right to read it (chmod u+r ${file}), or run this as an account that may read it`;
    case "EISDIR":
      return named === "in-file"
        ? "name a file in it"
        : `name a file in it: ${withoutTrailingSlashes(file)}/realm.yaml`;
    case "ENOTDIR":
      return "a part of its path is a file, not a directory: correct the path";
    case "ELOOP":
      return "the link leads back to itself: name the file itself";
    default:
      return "make the file readable, or name another one";
  }
}

/** What a file that realmctl wrote is for. */
const OWN_USE: { readonly [what: string]: string } = {
  plan: ", or if the plan itself is meant, give it to apply --plan, or to show",
  snapshot: ", or if the snapshot itself is meant, give it to --snapshot",
  journal: ", or if the run is to be undone, give it to apply --undo",
};

const UTF_8 = "save it as UTF-8";
const COPY = "replace the link with a copy of the file";

const WAY_AROUND: {
  readonly [cause in Exclude<ReadCause["is"], "pipe" | "socket" | "device" | "written-by-us">]: string;
} = {
  directory: "name a file",
  submodule: "name a file",
  "link-cycle": "the link leads back to itself: name the file itself",
  link: COPY,
  "link-outside": COPY,
  "in-git": "keep the file in another directory: tokens and keys are in this one",
  "utf-16": UTF_8,
  "not-utf-8": UTF_8,
  "no-reader": "name another file",
  "too-large": "check whether it is the right file, and make it smaller",
};

function wayAround(cause: ReadCause, named: "on-command-line" | "in-file"): string {
  if (cause.is === "written-by-us") return `name another file${OWN_USE[cause.what] ?? ""}`;
  if (cause.is !== "pipe" && cause.is !== "socket" && cause.is !== "device") return WAY_AROUND[cause.is];
  return named === "in-file"
    ? `save the output of the ${cause.is} as a file, and name that file`
    : "redirect it to standard input, and write - instead of its name";
}

const MAY_NOT_WRITE = "you may not write there";
const NO_SPACE = "there is no space left";

/** Code of the system → why a file is not written. */
const WHY_UNWRITABLE: { readonly [code: string]: string } = {
  EACCES: MAY_NOT_WRITE,
  EPERM: MAY_NOT_WRITE,
  EROFS: MAY_NOT_WRITE,
  ENOENT: "its directory does not exist",
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
  ENOTDIR: A_FILE_IN_PATH,
  EEXIST: A_FILE_IN_PATH,
};

/** Why the system does not take a file, as the end of a sentence. */
export const whyUnwritable = (why: Unreadable): string => own(WHY_UNWRITABLE, why.code ?? "") ?? whyUnreadable(why);

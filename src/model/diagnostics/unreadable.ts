import { type WrittenFile, writtenName } from "../own-format.ts";
import { withoutTrailingSlashes } from "../trailing.ts";
import type { Word } from "./values.ts";

/** Why a file cannot be read: the system's code and message, or the cause that realmctl found itself. */
export interface Unreadable {
  readonly code?: Word;
  readonly words: Word;
  readonly cause?: ReadCause;
}

/** The reason why realmctl refuses to read a file although the system allows it. */
export type ReadCause =
  | { readonly is: "pipe" | "socket" | "device" | "directory" | "submodule" }
  | { readonly is: "link" | "link-outside" | "link-cycle" | "in-git" | "utf-16" | "not-utf-8" | "no-reader" }
  | { readonly is: "written-by-us"; readonly what: WrittenFile }
  | { readonly is: "too-large"; readonly size_bytes: number; readonly most_bytes: number };

/** Why a file is not read, as the end of a sentence. */
export function whyUnreadable({ code, words, cause }: Unreadable): string {
  if (cause !== undefined) return causeText(cause);
  switch (code) {
    case "ENOENT":
      return "there is no such file";
    case "EACCES":
    case "EPERM":
      return "you may not read it";
    case "EISDIR":
      return "it is a directory";
    case "ENOTDIR":
      return "a part of its path is a file, not a directory";
    case "ELOOP":
      return "its links form a cycle";
    case "ENAMETOOLONG":
      return "the name is too long for a file";
    case "ERR_INVALID_ARG_VALUE":
      return "no file can have such a name";
    default:
      return words;
  }
}

function causeText(cause: ReadCause): string {
  switch (cause.is) {
    case "pipe":
    case "socket":
    case "device":
    case "directory":
    case "submodule":
      return `it is a ${cause.is}, not a file`;
    case "link":
      return "it is a link or another repository, so it cannot be changed in place";
    case "link-cycle":
      return "its links form a cycle";
    case "link-outside":
      return "it is a link that leads out of its directory";
    case "in-git":
      return "it is a part of .git";
    case "utf-16":
      return "it is UTF-16";
    case "not-utf-8":
      return "it is not UTF-8";
    case "no-reader":
      return "only the configuration itself is read here";
    case "written-by-us":
      return `it is a ${writtenName(cause.what)}, not a configuration`;
    case "too-large":
      return `it has ${megabytes(cause.size_bytes)} MB, and at most ${megabytes(cause.most_bytes)} MB are read`;
  }
}

const megabytes = (bytes: number): string => Math.ceil(bytes / 1024 / 1024).toLocaleString("en");

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

function wayAround(cause: ReadCause, named: "on-command-line" | "in-file"): string {
  switch (cause.is) {
    case "pipe":
    case "socket":
    case "device":
      return named === "in-file"
        ? `save the output of the ${cause.is} as a file, and name that file`
        : "redirect it to standard input, and write - instead of its name";
    case "directory":
    case "submodule":
      return "name a file";
    case "link-cycle":
      return "the link leads back to itself: name the file itself";
    case "link":
    case "link-outside":
      return "replace the link with a copy of the file";
    case "in-git":
      return "keep the file in another directory: tokens and keys are in this one";
    case "utf-16":
    case "not-utf-8":
      return "save it as UTF-8";
    case "no-reader":
      return "name another file";
    case "written-by-us":
      return `name another file${OWN_USE[cause.what] ?? ""}`;
    case "too-large":
      return "check whether it is the right file, and make it smaller";
  }
}

/** Why the system does not take a file, as the end of a sentence. */
export function whyUnwritable(why: Unreadable): string {
  switch (why.code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "you may not write there";
    case "ENOENT":
      return "its directory does not exist";
    case "ENOSPC":
    case "EDQUOT":
      return "there is no space left";
    case "ENOTDIR":
    case "EEXIST":
      return "a part of its path is a file, not a directory";
    default:
      return whyUnreadable(why);
  }
}

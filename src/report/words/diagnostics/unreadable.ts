import type { Unreadable } from "../../../model/diagnostics/sources.ts";

/** Why the system does not give out a file, as the end of a sentence. */
export function whyUnreadable({ code, words }: Unreadable): string {
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

/** What to do about a file that the system does not give out. */
export function wayToRead({ code }: Unreadable, file: string): string {
  switch (code) {
    case "ENOENT":
      return "correct the name, or change to the directory that contains it";
    case "EACCES":
    case "EPERM":
      return `give yourself the right to read it (chmod u+r ${file}), or run this as an account that may read it`;
    case "EISDIR":
      return `name a file in it: ${file.replace(/\/+$/, "")}/realm.yaml`;
    case "ENOTDIR":
      return "a part of its path is a file, not a directory: correct the path";
    case "ELOOP":
      return "the link leads back to itself: name the file itself";
    default:
      return "make the file readable, or name another one";
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

import type { Unreadable } from "./diagnostics/sources.ts";

/** Why the system does not take a file, as the end of a sentence. */
export function whyUnwritable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "you may not write there";
    case "ENOENT":
      return "its directory is not there, or takes no files";
    case "ENOSPC":
    case "EDQUOT":
      return "there is no room left";
    case "ENOTDIR":
    case "EEXIST":
      return "a part of its path is a file, not a directory";
    default:
      return whyUnreadable(error);
  }
}

/** Why the system does not give out a file, as the end of a sentence. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
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
      return "its links lead round in a ring";
    case "ENAMETOOLONG":
      return "the name is too long for a file";
    case "ERR_INVALID_ARG_VALUE":
      return "no file can have such a name";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** Is the file simply not there? */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** What to do about a file that the system does not give out. */
export function wayToRead(error: unknown, file: string): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return "name the file that is meant, or go to the directory that holds it";
    case "EACCES":
    case "EPERM":
      return `give yourself the right to read it (chmod u+r ${file}), or run this as the account that has it`;
    case "EISDIR":
      return `name a file in it: ${file.replace(/\/+$/, "")}/realm.yaml`;
    case "ENOTDIR":
      return "a part of its path is a file, not a directory: correct the path";
    case "ELOOP":
      return "the link leads back to itself: name the file itself";
    default:
      return "make it a file that can be read, or name another one";
  }
}

/** What is known of a file that the system does not give out. */
export function unreadable(error: unknown): Unreadable {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const words = error instanceof Error ? error.message : String(error);
  return { ...(typeof code === "string" && { code }), words };
}

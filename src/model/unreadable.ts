/** Why the system does not take a file, as the end of a sentence. */
export function whyUnwritable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "you may not write there";
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
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

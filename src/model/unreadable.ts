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

import { defined } from "./defined.ts";
import type { ReadCause, Unreadable } from "./diagnostics/unreadable.ts";

/** A file exists and is not read: it is not a regular file, not in an allowed directory, or too large. */
export class NotReadable extends Error {
  readonly why: ReadCause;
  /** The system's code, if it has one for such files. */
  readonly code: string | undefined;

  constructor(cause: ReadCause, code?: string) {
    super(cause.is);
    this.name = "NotReadable";
    this.why = cause;
    this.code = code;
  }
}

/** The system's code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The error of a file that does not exist, as a disk gives it. */
export const missing = (): Error => Object.assign(new Error("there is no such file"), { code: "ENOENT" });

/** Whether an error says that the file does not exist. */
export const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";

/** The facts about a file that the system cannot read. */
export function unreadable(error: unknown): Unreadable {
  const words = error instanceof Error ? error.message : String(error);
  if (error instanceof NotReadable) return { words, cause: error.why, ...defined({ code: error.code }) };
  const code = codeOf(error);
  return { ...defined({ code: typeof code === "string" ? code : undefined }), words };
}

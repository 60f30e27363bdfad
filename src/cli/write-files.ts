import { dirname, join, resolve } from "node:path";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { whyUnreadable, whyUnwritable } from "../model/unreadable.ts";
import type { Io } from "./io.ts";

/**
 * Writes files that a command made, with the directories they are in.
 * @throws Failure when one of them cannot be written
 */
export async function writeFiles(io: Io, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    try {
      await io.makeDirectory?.(dirname(resolve(io.cwd, path)));
      await io.writeFile(path, text);
    } catch (error) {
      throw unwritable(`${path} cannot be written`, error);
    }
  }
}

/** What is thrown when the system does not take a file: `what` is the first half of the sentence. */
export function unwritable(what: string, error: unknown, code: `${string}/${string}` = "output/not-written"): Failure {
  return new Failure(EXIT.mistakes, { code, severity: "error", message: `${what}: ${whyUnwritable(error)}` });
}

/** Those of the paths that are there already. */
export async function existing(io: Io, paths: Iterable<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) if ((await textOf(io, path)) !== undefined) found.push(path);
  return found;
}

/**
 * The text of a file that may be missing.
 * @throws Failure when it is there and cannot be read, or is a directory
 */
export async function textOf(io: Io, path: string): Promise<string | undefined> {
  try {
    return await io.readFile(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Failure(EXIT.mistakes, {
      code: "input/unreadable",
      severity: "error",
      message: `${path} cannot be read: ${whyUnreadable(error)}`,
      ...(code === "EISDIR" ? { hint: `name a file: ${join(path, "realm.yaml")}` } : {}),
    });
  }
}

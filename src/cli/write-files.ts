import { dirname, resolve } from "node:path";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { whyUnwritable } from "../model/unreadable.ts";
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
      throw new Failure(EXIT.mistakes, {
        code: "output/not-written",
        severity: "error",
        message: `${path} cannot be written: ${whyUnwritable(error)}`,
      });
    }
  }
}

/** Those of the paths that are there already. */
export async function existing(io: Io, paths: Iterable<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) if ((await textOf(io, path)) !== undefined) found.push(path);
  return found;
}

/** The text of a file that may be missing. */
export async function textOf(io: Io, path: string): Promise<string | undefined> {
  try {
    return await io.readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

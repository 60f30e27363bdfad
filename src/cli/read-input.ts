import { dirname } from "node:path";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { InputFile } from "../model/diagnostics/command-files.ts";
import { unreadable } from "../model/unreadable.ts";
import { type Io, STANDARD_INPUT } from "./io.ts";

/**
 * Reads a file that the command line names.
 * @param what the expected content
 * @throws Failure if it cannot be read
 */
export async function readInput(
  io: Io,
  file: string,
  what: InputFile,
  use: "input" | "configuration" = "input",
): Promise<string> {
  const root = file === STANDARD_INPUT ? undefined : dirname(file);
  try {
    return await io.readFile(file, defined({ below: root }), use);
  } catch (thrown) {
    throw new Failure(EXIT.errors, error("input/unreadable", { file, what, why: unreadable(thrown) }));
  }
}

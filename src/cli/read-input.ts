import { dirname } from "node:path";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { InputFile } from "../model/diagnostics/command-files.ts";
import { isMissing, unreadable } from "../model/unreadable.ts";
import { type Io, STANDARD_INPUT } from "./io.ts";

/**
 * Reads a file that the command line names.
 * @param what the expected content
 * @param newestOf the newest file of its kind here, to name it if this one is missing; `null` if there is none
 * @throws Failure if it cannot be read
 */
export async function readInput(
  io: Io,
  file: string,
  what: InputFile,
  use: "input" | "configuration" = "input",
  newestOf?: () => Promise<string | null>,
): Promise<string> {
  const root = file === STANDARD_INPUT ? undefined : dirname(file);
  try {
    return await io.readFile(file, defined({ below: root }), use);
  } catch (thrown) {
    const newest = isMissing(thrown) ? await newestOf?.() : undefined;
    const fact = { file, what, why: unreadable(thrown), ...defined({ newest }) };
    throw new Failure(EXIT.errors, error("input/unreadable", fact));
  }
}

import { dirname } from "node:path";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { unreadable } from "../model/unreadable.ts";
import { whyUnreadable } from "../report/words/diagnostics/unreadable.ts";
import { type Io, STANDARD_INPUT } from "./io.ts";

/**
 * Reads a file that the command line names.
 * @param what it is, as the message says it: "the plan"
 * @throws Failure when it cannot be read
 */
export async function readInput(
  io: Io,
  file: string,
  what: string,
  use: "input" | "configuration" = "input",
): Promise<string> {
  const root = file === STANDARD_INPUT ? undefined : dirname(file);
  try {
    return await io.readFile(file, root === undefined ? {} : { below: root }, use);
  } catch (error) {
    throw new Failure(EXIT.mistakes, {
      code: "input/unreadable",
      severity: "error",
      message: `${what} ${file} cannot be read: ${whyUnreadable(unreadable(error))}`,
      hint: "name the file that is meant, or go to the directory that holds it",
    });
  }
}

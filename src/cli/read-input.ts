import { EXIT, Failure } from "../model/diagnostic.ts";
import { whyUnreadable } from "../model/unreadable.ts";
import type { Io } from "./io.ts";

/**
 * Reads a file that the command line names.
 * @param what it is, as the message says it: "the plan"
 * @throws Failure when it cannot be read
 */
export async function readInput(io: Io, file: string, what: string): Promise<string> {
  try {
    return await io.readFile(file);
  } catch (error) {
    throw new Failure(EXIT.mistakes, {
      code: "input/unreadable",
      severity: "error",
      message: `${what} ${file} cannot be read: ${whyUnreadable(error)}`,
    });
  }
}

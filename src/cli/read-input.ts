import { dirname, join } from "node:path";
import { JOURNAL_DIRECTORY } from "../apply/journal.ts";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { InputFile } from "../model/diagnostics/command-files.ts";
import { isMissing, unreadable } from "../model/unreadable.ts";
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
    const newest = what === "journal" && isMissing(thrown) ? await newestJournal(io) : undefined;
    const fact = { file, what, why: unreadable(thrown), ...defined({ newest }) };
    throw new Failure(EXIT.errors, error("input/unreadable", fact));
  }
}

/** The path of the last run's journal here, whose name is its time; `null` if there is none. */
async function newestJournal(io: Io): Promise<string | null> {
  const names = await io.list(JOURNAL_DIRECTORY).catch(() => []);
  const [newest] = names
    .filter((name) => /^\d{4}-.*\.jsonl$/.test(name))
    .sort()
    .reverse();
  return newest === undefined ? null : join(JOURNAL_DIRECTORY, newest);
}

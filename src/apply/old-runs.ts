import { rmSync } from "node:fs";
import { join } from "node:path";
import type { CodeOf } from "../model/api.ts";
import { counts, JOURNAL_DIRECTORY, ownJournals, type ReadJournal } from "./journal.ts";

/** Journals of `sync` that stay, besides all that are of interest for another reason. */
const KEPT_RUNS = 100;

/**
 * Deletes the journals of this account's oldest runs of `sync`, which nobody began and nobody deletes: only of runs that reached their end and have nothing
 * open or left. All others stay, however old they are.
 * @param directory absolute path of the working directory
 * @param most how many of them stay, the newest
 * @throws Failure if the directory of journals is a link or cannot be read
 */
export function forgetOldRuns(directory: string, realm: string, codeOf: CodeOf | undefined, most = KEPT_RUNS): void {
  let known = 0;
  for (const journal of ownJournals(directory, realm, codeOf)) {
    if (!isOver(journal)) continue;
    known += 1;
    if (known <= most) continue;
    try {
      rmSync(join(directory, JOURNAL_DIRECTORY, journal.name));
    } catch {
      // It is tried again after the next runs, and harms nobody meanwhile.
    }
  }
}

function isOver(journal: ReadJournal): boolean {
  const [start] = journal.entries;
  if (start?.entry !== "start" || start.source?.is !== "sync") return false;
  const { open, left } = counts(journal);
  return open.length + left === 0 && journal.entries.some(({ entry }) => entry === "end");
}

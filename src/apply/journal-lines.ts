import { createHash } from "node:crypto";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { RunFacts } from "../model/diagnostics/runs.ts";
import { JOURNAL_VERSION, type JournalEntry } from "../model/journal.ts";
import { isObject } from "../model/json.ts";
import { JournalEntryForm } from "../model/output-schemas.ts";

/** The complete lines of a journal file. */
export interface FoundJournal {
  readonly name: string;
  readonly entries: readonly JournalEntry[];
  /** Whether the last line is incomplete, because the process ended while it was written. */
  readonly torn: boolean;
}

/**
 * One entry as a line. Its last member is a checksum of all others, so that an edited or damaged line is never accepted as a record of the run.
 */
export const entryLine = (entry: JournalEntry): string => sumLine(JSON.stringify(entry));

/** The text of a JSON object as a line with its checksum. */
export const sumLine = (text: string): string => `${text.slice(0, -1)},"sum":"${sumOf(text)}"}\n`;

const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
const SUM = /,"sum":"([0-9a-f]{16})"\}$/;

/**
 * Reads a journal, whatever happened to the process that wrote it. An incomplete last line is left out: its call was never sent, or the result of its
 * call is found by reading the realm.
 * @throws Failure if another line is not a line that a run wrote, or a newer realmctl wrote the journal
 */
export function parseJournal(text: string, name: string): FoundJournal {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  refuseNewer(lines[0] ?? last, name);
  const entries: JournalEntry[] = [];
  // Journals from before the format had a version have no checksums.
  let needsSum = false;
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const entry = entryOf(line, needsSum);
    if (entry === undefined) {
      // An incomplete line may be followed by lines that a later run appended.
      if (index + 1 < lines.length && lines.slice(index + 1).every((later) => later === "" || isEnd(later))) continue;
      throw entries.length === 0 && !isLikeEntry(line)
        ? noJournal(name)
        : unreadable({ journal: name, line: index + 1, cause: "line" });
    }
    if (entry.entry === "start" && entry.version !== undefined) needsSum = true;
    entries.push(entry);
  }
  const whole = entryOf(last, needsSum);
  if (whole !== undefined) entries.push(whole);
  return { name, entries, torn: last !== "" && whole === undefined };
}

function entryOf(line: string, needsSum: boolean): JournalEntry | undefined {
  const found = SUM.exec(line);
  if (needsSum && found === null) return undefined;
  const body = found === null ? line : `${line.slice(0, found.index)}}`;
  if (found !== null && sumOf(body) !== found[1]) return undefined;
  const { data } = JournalEntryForm.safeParse(jsonOf(body));
  return isEntry(data) ? data : undefined;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The schema has checked every member, but its types cannot say that the keys of ids are addresses. */
function isEntry(value: object | undefined): value is JournalEntry {
  return value !== undefined;
}

const isEnd = (line: string): boolean => entryOf(line, false)?.entry === "end";

/** This realmctl cannot continue a run from the format of a newer one. */
function refuseNewer(line: string, name: string): void {
  const start = jsonOf(line);
  if (!isObject(start) || start.format !== "realmctl.journal") return;
  if (typeof start.version !== "number" || start.version <= JOURNAL_VERSION) return;
  const fact = { journal: name, found: start.version, reads: JOURNAL_VERSION };
  throw new Failure(EXIT.conflict, error("journal/other-version", fact));
}

/** However damaged it is, a line of a journal begins like this. */
const isLikeEntry = (line: string): boolean => /^\s*\{\s*"entry"/.test(line) || isObjectWithEntry(jsonOf(line));
const isObjectWithEntry = (value: unknown): boolean => isObject(value) && "entry" in value;

/** The error about a file that is not a journal. */
export const noJournal = (name: string): Failure =>
  new Failure(EXIT.errors, error("journal/no-journal", { journal: name }));

type Unreadable = RunFacts["journal/unreadable"];

export const unreadable = (fact: Unreadable): Failure => new Failure(EXIT.errors, error("journal/unreadable", fact));

import { createHash } from "node:crypto";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { JOURNAL_VERSION, type JournalEntry } from "../model/journal.ts";
import { isObject } from "../model/json.ts";
import { JournalEntryForm } from "../model/output-schemas.ts";

/** A journal as it was found: complete lines only. */
export interface FoundJournal {
  readonly name: string;
  readonly entries: readonly JournalEntry[];
  /** The process ended in the middle of a line. */
  readonly torn: boolean;
}

/**
 * One entry as a line. Its last member is a sum of all others, so that a line which somebody edited, or a disk damaged, is never
 * taken for what a run did.
 */
export const entryLine = (entry: JournalEntry): string => sumLine(JSON.stringify(entry));

/** The text of a JSON object as a line with its sum. */
export const sumLine = (text: string): string => `${text.slice(0, -1)},"sum":"${sumOf(text)}"}\n`;

const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
const SUM = /,"sum":"([0-9a-f]{16})"\}$/;

/**
 * Reads a journal back, whatever happened to its writer: a torn last line is left out, since the call that it was to announce was
 * never sent, and the answer that it was to hold is found by reading the realm.
 * @throws Failure when another line is not as a run wrote it, or a newer realmctl wrote the journal
 */
export function parseJournal(text: string, name: string): FoundJournal {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  refuseNewer(lines[0] ?? last, name);
  const entries: JournalEntry[] = [];
  // Journals from before the format had a version have no sums.
  let needsSum = false;
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const entry = entryOf(line, needsSum);
    if (entry === undefined) {
      // A torn line may be followed by what a later run appended.
      if (index + 1 < lines.length && lines.slice(index + 1).every((later) => later === "" || isEnd(later))) continue;
      throw entries.length === 0 && !isLikeEntry(line) ? noJournal(name) : unreadable(name, index + 1);
    }
    if (entry.entry === "start" && entry.version !== undefined) needsSum = true;
    entries.push(entry);
  }
  const whole = last === "" ? undefined : entryOf(last, needsSum);
  if (whole !== undefined) entries.push(whole);
  return { name, entries, torn: last !== "" && whole === undefined };
}

function entryOf(line: string, needsSum: boolean): JournalEntry | undefined {
  const found = SUM.exec(line);
  if (needsSum && found === null) return undefined;
  const body = found === null ? line : `${line.slice(0, found.index)}}`;
  if (found !== null && sumOf(body) !== found[1]) return undefined;
  const form = JournalEntryForm.safeParse(jsonOf(body));
  return form.success && isEntry(form.data) ? form.data : undefined;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The form has looked at every member; what it cannot say in types is that keys of ids are addresses. */
function isEntry(value: object): value is JournalEntry {
  return "entry" in value;
}

const isEnd = (line: string): boolean => entryOf(line, false)?.entry === "end";

/** What a newer realmctl writes, this one does not know how to go on from. */
function refuseNewer(line: string, name: string): void {
  const start = jsonOf(line);
  if (!isObject(start) || start.format !== "realmctl.journal") return;
  if (typeof start.version !== "number" || start.version <= JOURNAL_VERSION) return;
  throw new Failure(EXIT.conflict, {
    code: "journal/other-version",
    severity: "error",
    message: `the journal ${name} has version ${start.version} of the format; this realmctl reads version ${JOURNAL_VERSION} and older`,
    hint: "use the realmctl that wrote it; or move the journal away, and the next run starts from what the organization is",
  });
}

/** However damaged, a line of a journal begins like this. */
const isLikeEntry = (line: string): boolean => /^\s*\{\s*"entry"/.test(line) || isObjectWithEntry(jsonOf(line));
const isObjectWithEntry = (value: unknown): boolean => isObject(value) && "entry" in value;

/** Another file than a journal. */
export function noJournal(name: string): Failure {
  return new Failure(EXIT.mistakes, {
    code: "journal/no-journal",
    severity: "error",
    message: `${name} is no journal of a run`,
    hint: "apply writes them into .realmctl/; what else lies there is to be moved away",
  });
}

/** @param line counted from 1; undefined when the file itself cannot be read */
export function unreadable(name: string, line?: number, why = "is not as a run wrote it"): Failure {
  return new Failure(EXIT.mistakes, {
    code: "journal/unreadable",
    severity: "error",
    message: line === undefined ? `the journal ${name} ${why}` : `line ${line} of the journal ${name} ${why}`,
    hint: "journals are not edited by hand; move it away, and the next run starts from what the organization is",
  });
}

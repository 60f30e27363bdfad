import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { CodeOf } from "../model/api.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import type { JournalDoubt } from "../model/diagnostics/runs.ts";
import { type JournalEntry, JournalEntryForm } from "../model/journal.ts";
import { isObject } from "../model/json.ts";
import { JOURNAL_VERSION } from "../model/own-format.ts";

/** The complete lines of a journal file. */
export interface FoundJournal {
  readonly name: string;
  readonly entries: readonly JournalEntry[];
  /** Whether the last line is incomplete, because the process ended while it was written. */
  readonly torn: boolean;
}

/** A journal, and whether it is one of this account. */
export interface ReadJournal extends FoundJournal {
  /** Why nothing shows that a run of this account wrote it; undefined: every line has the code that only this account's key makes. */
  readonly doubt: JournalDoubt | undefined;
  /** The code of the last line, which is a part of the next one's. */
  readonly code: string;
}

/**
 * One entry as a line. Its last members are a checksum of all others, so that a damaged line is never accepted as a record of the run, and a code, so
 * that no line is accepted that somebody else wrote, moved or left out.
 */
export class Lines {
  private readonly codeOf: CodeOf | undefined;
  private last: string;

  /** @param last the code of the line before */
  constructor(codeOf?: CodeOf, last = "") {
    this.codeOf = codeOf;
    this.last = last;
  }

  line(entry: JournalEntry): string {
    return this.lineOf(JSON.stringify(entry));
  }

  /** The text of a JSON object as a line. */
  lineOf(text: string): string {
    const code = this.codeOf?.(chained(this.last, text));
    this.last = code ?? this.last;
    const own = code === undefined ? "" : `,"code":"${code}"`;
    return `${text.slice(0, -1)},"sum":"${sumOf(text)}"${own}}\n`;
  }
}

const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
const chained = (last: string, text: string): string => `${last}\n${text}`;
const ENDING = /,"sum":"([0-9a-f]{16})"(?:,"code":"([0-9a-f]{32})")?\}$/;

/**
 * Reads a journal, whatever happened to the process that wrote it. An incomplete last line is left out: its call was never sent, or the result of its
 * call is found by reading the realm.
 * @param name the path, as errors name it
 * @throws Failure if another line is not a line that a run wrote, or a newer realmctl wrote the journal
 */
export function parseJournal(text: string, name: string, codeOf?: CodeOf): ReadJournal {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  refuseNewer(lines[0] ?? last, name);
  const found: Line[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const read = lineIn(line, index + 1);
    if (read === undefined) {
      // An incomplete line may be followed by lines that a later run appended.
      if (index + 1 < lines.length && lines.slice(index + 1).every((later) => later === "" || isEnd(later))) continue;
      throw found.length === 0 && !isLikeEntry(line)
        ? noJournal(name)
        : unreadable({ journal: name, line: index + 1, cause: "line" });
    }
    found.push(read);
  }
  const whole = lineIn(last, lines.length + 1);
  if (whole !== undefined) found.push(whole);
  // Of a first line that a run began, any number of letters may be there.
  else if (found.length === 0 && !ENTRY_START.startsWith(last.slice(0, ENTRY_START.length))) throw noJournal(name);
  return {
    name: basename(name),
    entries: found.map(({ entry }) => entry),
    torn: last !== "" && whole === undefined,
    doubt: doubtAbout(found, codeOf),
    code: found.at(-1)?.code ?? "",
  };
}

interface Line {
  /** Its number in the file. */
  readonly at: number;
  readonly entry: JournalEntry;
  /** The text of the entry, without checksum and code. */
  readonly body: string;
  readonly code: string;
}

function lineIn(line: string, at: number): Line | undefined {
  const ending = ENDING.exec(line);
  if (ending === null) return undefined;
  const body = `${line.slice(0, ending.index)}}`;
  if (sumOf(body) !== ending[1]) return undefined;
  const { data } = JournalEntryForm.safeParse(jsonOf(body));
  return data === undefined ? undefined : { at, entry: data, body, code: ending[2] ?? "" };
}

function doubtAbout(lines: readonly Line[], codeOf: CodeOf | undefined): JournalDoubt | undefined {
  if (codeOf === undefined || lines.every(({ code }) => code === "")) return { is: "no-code" };
  let last = "";
  for (const [index, { at, body, code }] of lines.entries()) {
    if (codeOf(chained(last, body)) !== code) return index === 0 ? { is: "other-code" } : { is: "edited", line: at };
    last = code;
  }
  return undefined;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isEnd = (line: string): boolean => lineIn(line, 0)?.entry.entry === "end";

/** This realmctl cannot continue a run from the format of a newer one. */
function refuseNewer(line: string, name: string): void {
  const start = jsonOf(line);
  if (!isObject(start) || start.format !== "realmctl.journal") return;
  if (typeof start.version !== "number" || start.version <= JOURNAL_VERSION) return;
  const fact = { journal: name, found: start.version, reads: JOURNAL_VERSION };
  throw new Failure(EXIT.conflict, error("journal/other-version", fact));
}

/** However damaged it is, a line of a journal begins like this. */
const ENTRY_START = '{"entry"';
const isLikeEntry = (line: string): boolean => /^\s*\{\s*"entry"/.test(line) || isObjectWithEntry(jsonOf(line));
const isObjectWithEntry = (value: unknown): boolean => isObject(value) && "entry" in value;

/** The error about a file that is not a journal. */
export const noJournal = (name: string): Failure =>
  new Failure(EXIT.errors, error("journal/no-journal", { journal: name }));

type Unreadable = DiagnosticFacts["journal/unreadable"];

export const unreadable = (fact: Unreadable): Failure => new Failure(EXIT.errors, error("journal/unreadable", fact));

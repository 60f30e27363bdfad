import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { readRegularSync } from "../disk/read.ts";
import type { CodeOf } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Diagnostic, error as diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import type { JournalEntry } from "../model/journal.ts";
import { isList, isObject, type JsonObject } from "../model/json.ts";
import { PLAN_VERSION } from "../model/own-format.ts";
import { type Plan, PlanForm } from "../model/plan-schema.ts";
import { codeOf, isMissing, NotReadable, unreadable as whyNot } from "../model/unreadable.ts";
import { ID_KEYS } from "./ids.ts";
import { type FoundJournal, Lines, parseJournal, type ReadJournal, unreadable } from "./journal-lines.ts";

export { type FoundJournal, parseJournal, type ReadJournal } from "./journal-lines.ts";

/** The file in which apply writes down what it is about to do. */
export interface Journal {
  /** The file's name, for people. */
  readonly path: string;
  /**
   * When it returns, the entry is on the disk: a power cut afterwards loses nothing.
   * @throws Failure if the line could not be written in full (disk full, directory gone): nothing may be sent after that
   */
  write(entry: JournalEntry): void;
  close(): void;
}

/** Larger than any journal that a run writes: the largest plan has some ten thousand calls, with four lines for each. */
export const MOST_JOURNAL_BYTES = 256 * 1024 * 1024;

/**
 * The directory of journals, below the working directory. It is created with its own `.gitignore`, since journals hold names and addresses of people.
 */
export const JOURNAL_DIRECTORY = ".realmctl";

/**
 * Opens a new journal, named after the time: `.realmctl/2026-11-21T12-05-02.jsonl`.
 * @param directory absolute path of the working directory
 * @param codeOf makes the codes of its lines
 * @throws Failure if the file cannot be created, or the directory is a link
 */
export function createJournal(directory: string, nowMs: number, codeOf?: CodeOf): Journal {
  const folder = folderIn(directory);
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(":", "-");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeOnce(join(folder, ".gitignore"), "*\n");
    // Two runs in one second (tests, loops) get different names, so each journal is complete.
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const name = attempt === 0 ? `${stamp}.jsonl` : `${stamp}-${attempt}.jsonl`;
      const descriptor = openNew(join(folder, name));
      if (descriptor !== undefined) return fileJournal(descriptor, `${JOURNAL_DIRECTORY}/${name}`, codeOf);
    }
  } catch (error) {
    throw diskFailure(`${JOURNAL_DIRECTORY}/${stamp}.jsonl`, error);
  }
  throw diskFailure(`${JOURNAL_DIRECTORY}/${stamp}.jsonl`, new Error("too many journals of the same second"));
}

/** @throws Failure if the directory is a link: it may come from a checkout, and the journal would be written to its target */
function folderIn(directory: string): string {
  refuseLink(directory);
  return join(directory, JOURNAL_DIRECTORY);
}

function refuseLink(directory: string, name?: string): void {
  const path = name === undefined ? JOURNAL_DIRECTORY : `${JOURNAL_DIRECTORY}/${name}`;
  if (lstatSync(join(directory, path), { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Failure(EXIT.errors, diagnostic("journal/link", { path }));
}

function fileJournal(descriptor: number, path: string, codeOf: CodeOf | undefined): Journal {
  const lines = new Lines(codeOf);
  return {
    path,
    write(entry) {
      try {
        writeAll(descriptor, lines.line(entry));
        fsyncSync(descriptor);
      } catch (error) {
        throw diskFailure(path, error);
      }
    },
    close: () => closeSync(descriptor),
  };
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

function openNew(path: string): number | undefined {
  try {
    return openSync(path, "ax", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
}

function writeOnce(path: string, text: string): void {
  const descriptor = openNew(path);
  if (descriptor === undefined) return;
  writeAll(descriptor, text);
  closeSync(descriptor);
}

function diskFailure(path: string, error: unknown): Failure {
  return new Failure(EXIT.errors, diagnostic("journal/not-written", { journal: path, why: whyNot(error) }));
}

/** What lies in the directory of journals. */
interface Journals {
  /** The newest journal of a realm, if its run never reached its end: the process was killed, or the machine went down. */
  readonly unfinished?: ReadJournal;
  /** The newest journal, if its run ended with a part of its requests done and others left: the next run goes on with it. */
  readonly inPart?: ReadJournal;
  /** Newer files that are not used, and stay as they are: journals that nothing shows to be this account's, and what is no journal. */
  readonly aside: readonly Diagnostic[];
}

/**
 * Looks for the newest run of this account on a realm. Everything else is left aside: it may come from a checkout.
 * @param directory absolute path of the working directory
 * @throws Failure if the directory of journals is a link or cannot be read
 */
export function findJournals(directory: string, realm: string, codeOf: CodeOf | undefined): Journals {
  const aside: Diagnostic[] = [];
  for (const { own, left } of newestFirst(directory, realm, codeOf)) {
    aside.push(...left);
    // Later runs have read the realm and planned again: older journals do not matter.
    if (own === undefined) continue;
    if (!isFinished(own)) return { unfinished: own, aside };
    return isInPart(own) ? { inPart: own, aside } : { aside };
  }
  return { aside };
}

/** The runs of this account on a realm, the newest first. */
export function* ownJournals(directory: string, realm: string, codeOf: CodeOf | undefined): Generator<ReadJournal> {
  for (const { own } of newestFirst(directory, realm, codeOf)) if (own !== undefined) yield own;
}

/** Whether the run reached its end, or a later one took it over. */
export const isFinished = ({ entries }: Pick<ReadJournal, "entries">): boolean =>
  entries.some(({ entry }) => entry === "end");

/** `sync` plans again by itself, and its runs are undone by nobody. */
function isInPart(journal: ReadJournal): boolean {
  const start = startOf(journal);
  const { done, left } = counts(journal);
  if (start === undefined || start.source?.is === "sync") return false;
  // One that did nothing stands for the run that it continued.
  return left > 0 && (done > 0 || start.resumes !== undefined);
}

function* newestFirst(
  directory: string,
  realm: string,
  codeOf: CodeOf | undefined,
): Generator<{ readonly own?: ReadJournal; readonly left: readonly Diagnostic[] }> {
  const names = listNames(folderIn(directory)).filter((name) => name.endsWith(".jsonl"));
  for (const name of names.sort((a, b) => (ageOf(a) < ageOf(b) ? 1 : -1))) {
    const found = journalIn(directory, name, codeOf);
    const [start] = "journal" in found ? found.journal.entries : [];
    if ("diagnostics" in found) yield { left: found.diagnostics };
    else if (start !== undefined && start.entry !== "start")
      yield { left: unreadable({ journal: name, line: 1, cause: "not-a-start" }).diagnostics };
    else if (start !== undefined && start.realm === realm) {
      const { journal } = found;
      const doubt = journal.doubt ?? (start.file === name ? undefined : ({ is: "other-name" } as const));
      if (doubt === undefined) yield { own: journal, left: [] };
      else if (!isFinished(journal))
        yield { left: [diagnostic("journal/foreign", { journal: name, account: start.account, doubt })] };
    }
  }
}

/** A journal of a directory, or why it cannot be read. */
type AnyJournal = { readonly journal: ReadJournal } | { readonly diagnostics: readonly Diagnostic[] };

function journalIn(directory: string, name: string, codeOf: CodeOf | undefined): AnyJournal {
  try {
    refuseLink(directory, name);
    return { journal: parseJournal(readJournal(join(folderIn(directory), name), name), name, codeOf) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { diagnostics: thrown.diagnostics };
  }
}

/** Every journal of a directory, whoever wrote it, the newest first and at most so many, and the names of what else is there. */
export function allJournals(directory: string, codeOf: CodeOf | undefined, most: number) {
  const names = listNames(folderIn(directory));
  const sorted = names.filter((name) => NAME.test(name)).sort((a, b) => (ageOf(a) < ageOf(b) ? 1 : -1));
  const journals = sorted.slice(0, most).map((name) => journalIn(directory, name, codeOf));
  const strays = names.filter((name) => !NAME.test(name) && name !== ".gitignore");
  return { journals, older: Math.max(0, sorted.length - most), strays };
}

/** @throws Failure if it is not a file, is too large, or may not be read */
function readJournal(path: string, name: string): string {
  try {
    return readRegularSync(path, MOST_JOURNAL_BYTES);
  } catch (error) {
    if (error instanceof NotReadable && error.why.is === "too-large") {
      const { size_bytes, most_bytes } = error.why;
      throw unreadable({ journal: name, cause: "too-large", bytes: size_bytes, most_bytes });
    }
    throw unreadable({ journal: name, cause: "file", why: whyNot(error) });
  }
}

/** Sorts journals by their start: of one second, `….jsonl` comes before `…-1.jsonl`. */
const ageOf = (name: string): string =>
  name.replace(NAME, (_, stamp: string, count = "0") => `${stamp}-${String(count).padStart(2, "0")}`);
const NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)(?:-(\d+))?\.jsonl$/;

/** The end of a journal that a later run took over. */
const TAKEN_OVER = "taken-over";
/** The second end of a journal whose run another one completed: accounts that it brought back left the places that the file gives without them. */
export const COMPLETED = "completed";

/**
 * Marks an unfinished journal as taken over, so that it is reported once.
 * @param by the journal of the later run, if it needed one
 */
export function closeUnfinished(
  directory: string,
  found: ReadJournal,
  at: string,
  by: string | undefined,
  codeOf: CodeOf | undefined,
): void {
  appendEnd(directory, found, { at, outcome: TAKEN_OVER, ...defined({ by }) }, codeOf);
}

/**
 * Notes in the journal of a run that the run of another journal belongs to it, so that both are undone together.
 * @param by path of the other journal
 * @throws Failure if it cannot be read or written
 */
export function noteCompletion(
  directory: string,
  journal: string,
  at: string,
  by: string,
  codeOf: CodeOf | undefined,
): void {
  const name = basename(journal);
  refuseLink(directory, name);
  const found = parseJournal(readJournal(join(folderIn(directory), name), name), name, codeOf);
  appendEnd(directory, found, { at, outcome: COMPLETED, by }, codeOf);
}

function appendEnd(
  directory: string,
  found: ReadJournal,
  end: Pick<Extract<JournalEntry, { readonly entry: "end" }>, "at" | "outcome" | "by">,
  codeOf: CodeOf | undefined,
): void {
  refuseLink(directory, basename(found.name));
  const path = join(folderIn(directory), basename(found.name));
  const entry: JournalEntry = { entry: "end", ...end, ...counts(found) };
  try {
    // The last line may lack its end, and empty lines do not count.
    writeFileSync(path, `\n${new Lines(codeOf, found.code).line(entry)}`, { flag: "a" });
  } catch (error) {
    throw diskFailure(`${JOURNAL_DIRECTORY}/${found.name}`, error);
  }
}

interface JournalCounts {
  /** Calls that are known to be carried out. */
  readonly done: number;
  /** Calls whose result is not in the journal: sent, or about to be sent. */
  readonly open: readonly number[];
  /** Calls that were not done. */
  readonly left: number;
}

/** What a journal says about its run. */
export function counts(found: FoundJournal): JournalCounts {
  const sent = new Set<number>();
  const known = new Set<number>();
  const done = new Set<number>();
  let total = 0;
  for (const entry of found.entries) {
    if (entry.entry === "start") total = callCount(entry.plan);
    if (entry.entry === "sending") sent.add(entry.n);
    if (entry.entry === "answer" && entry.answer.outcome !== "unknown") known.add(entry.n);
    if (entry.entry === "answer" && entry.answer.outcome === "applied" && !entry.answer.ignored) done.add(entry.n);
    if (entry.entry === "settled") {
      known.add(entry.n);
      if (entry.state === "done" || entry.state === "already-so") done.add(entry.n);
    }
  }
  return { done: done.size, open: [...sent].filter((n) => !known.has(n)), left: Math.max(0, total - done.size) };
}

function callCount(plan: unknown): number {
  return isObject(plan) && Array.isArray(plan.calls) ? plan.calls.length : 0;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw diskFailure(folder, error);
  }
}

/** The part of an answer that a journal keeps: ids only, since other values may be secrets (invitation links). */
export function idsIn(body: JsonObject): JsonObject {
  const keys: readonly string[] = ID_KEYS;
  return Object.fromEntries(Object.entries(body).filter(([key]) => keys.includes(key)));
}

/** The first line of a journal; undefined if it is not that of a run. */
export const startOf = ({ entries: [start] }: Pick<FoundJournal, "entries">) =>
  start?.entry === "start" ? start : undefined;

/** The plan that a journal's run carried out; undefined if the first line is not that of a run. */
export function planIn(journal: Pick<FoundJournal, "entries">): Plan | undefined {
  const { plan } = startOf(journal) ?? {};
  return isPlan(plan) ? plan : undefined;
}

/** Journals outlive upgrades: only the changes and calls of an older plan are used; its guards and risks may have another form. */
function isPlan(json: unknown): json is Plan {
  if (!isObject(json) || !isList(json.changes)) return false;
  const changes = json.changes.map((change) => (isObject(change) ? { ...change, risks: [] } : change));
  const rest = { changes, version: PLAN_VERSION, guards: [], warnings: [], unmanaged: [] };
  return PlanForm.safeParse({ ...json, ...rest }).success;
}

/** Calls that were sent and were not found to be somebody else's work. The realm shows whether they took effect. */
export function sentCalls(journal: FoundJournal): ReadonlySet<number> {
  const sent = new Set<number>();
  for (const entry of journal.entries) {
    if (entry.entry === "sending") sent.add(entry.n);
    if (entry.entry === "settled" && (entry.state === "already-so" || entry.state === "conflict")) sent.delete(entry.n);
  }
  return sent;
}

/** Calls that are known to have been carried out. */
export function doneCalls(journal: FoundJournal): ReadonlySet<number> {
  const done = new Set<number>();
  for (const entry of journal.entries) {
    if (entry.entry === "answer" && entry.answer.outcome === "applied") done.add(entry.n);
    if (entry.entry === "settled" && entry.state === "done") done.add(entry.n);
    else if (entry.entry === "settled") done.delete(entry.n);
  }
  return done;
}

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
  if (startOf(journal)?.source?.is !== "sync") return false;
  const { open, left } = counts(journal);
  return open.length + left === 0 && journal.entries.some(({ entry }) => entry === "end");
}

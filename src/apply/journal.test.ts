import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { failureOf } from "../../test/support/apply/failure.ts";
import { journalText, START, TEST_CODE } from "../../test/support/apply/journals.ts";
import { change, field, planOf, set } from "../../test/support/apply/toy.ts";
import type { JournalEntry } from "../model/journal.ts";
import type { Json } from "../model/json.ts";
import { JOURNAL_VERSION } from "../model/own-format.ts";
import {
  closeUnfinished,
  counts,
  createJournal,
  findJournals,
  forgetOldRuns,
  JOURNAL_DIRECTORY,
  MOST_JOURNAL_BYTES,
  parseJournal,
  planIn,
} from "./journal.ts";
import { Lines } from "./journal-lines.ts";

const at = "2026-11-21T12:05:02.000Z";
const now = Date.parse(at);
const realm = "https://chat.example.org";
const wire = (id: number) => ({ operation: "update-channel", path: { id }, params: {} });
const start: JournalEntry & { readonly entry: "start" } = { ...START, at, realm, plan: { calls: [1, 2, 3] } };
const sending = (n: number): JournalEntry => ({ entry: "sending", at, n, call: wire(n) });
const applied = (n: number): JournalEntry => ({ entry: "answer", at, n, answer: { outcome: "applied", body: {} } });
const end: JournalEntry = { entry: "end", at, outcome: "applied", done: 3, left: 0 };

const plan = planOf(
  [change("a", 1, field("description", "old", "new"))],
  [set(1, 1, "a", "description", "old", "new")],
);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "realmctl-journal-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(nowMs: number, ...entries: JournalEntry[]): string {
  const journal = createJournal(directory, nowMs, TEST_CODE);
  const file = basename(journal.path);
  for (const entry of entries) journal.write(entry.entry === "start" ? { ...entry, file } : entry);
  journal.close();
  return journal.path;
}

const found = () => findJournals(directory, realm, TEST_CODE);
const unfinished = () => found().unfinished;
const aside = () => found().aside.map(({ code, fact }) => ({ code, fact }));
const taken = (name: string) => ({ name, entries: [start], torn: false, doubt: undefined, code: "" });

describe("createJournal", () => {
  test("names the file after the time, readable only by its owner, in a directory that Git ignores", () => {
    expect(write(now, start)).toBe(".realmctl/2026-11-21T12-05-02.jsonl");
    expect(statSync(join(directory, ".realmctl/2026-11-21T12-05-02.jsonl")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(directory, JOURNAL_DIRECTORY, ".gitignore"), "utf8")).toBe("*\n");
  });

  test("two runs in the same second write two files", () => {
    expect([write(now, start), write(now, start)]).toEqual([
      ".realmctl/2026-11-21T12-05-02.jsonl",
      ".realmctl/2026-11-21T12-05-02-1.jsonl",
    ]);
  });

  test("reports why the directory cannot be created", () => {
    writeFileSync(join(directory, JOURNAL_DIRECTORY), "a file");
    expect(() => createJournal(directory, now)).toThrow(/^the journal .*cannot be written/);
    const fact = { journal: ".realmctl/2026-11-21T12-05-02.jsonl", why: expect.objectContaining({ code: "EEXIST" }) };
    expect(failureOf(() => createJournal(directory, now))).toEqual({ code: "journal/not-written", fact });
  });

  test.each([
    { what: "the directory", path: ".realmctl", to: "elsewhere" },
    { what: "a directory that does not exist", path: ".realmctl", to: "gone" },
    { what: "a journal", path: ".realmctl/2026-11-21T12-05-01.jsonl", to: "../elsewhere/theirs.jsonl" },
  ])("a link instead of $what is refused, and nothing is written or read at its target", ({ path, to }) => {
    const elsewhere = join(directory, "elsewhere");
    mkdirSync(elsewhere);
    const theirs = journalText([start, sending(1)]);
    writeFileSync(join(elsewhere, "theirs.jsonl"), theirs);
    if (path !== ".realmctl") mkdirSync(join(directory, ".realmctl"));
    symlinkSync(to, join(directory, path));
    const refused = { code: "journal/link", fact: { path } };
    if (path === ".realmctl") expect(failureOf(found)).toEqual(refused);
    else expect(found()).toEqual({ aside: [expect.objectContaining(refused)] });
    const left = taken("2026-11-21T12-05-01.jsonl");
    expect(failureOf(() => closeUnfinished(directory, left, at, "later.jsonl", TEST_CODE))).toEqual(refused);
    if (path === ".realmctl") expect(failureOf(() => createJournal(directory, now))).toEqual(refused);
    expect(readdirSync(elsewhere)).toEqual(["theirs.jsonl"]);
    expect(readFileSync(join(elsewhere, "theirs.jsonl"), "utf8")).toBe(theirs);
  });

  test("keeps a .gitignore that somebody changed", () => {
    write(now, start);
    const path = join(directory, JOURNAL_DIRECTORY, ".gitignore");
    writeFileSync(path, "*\n!kept.jsonl\n");
    write(now + 1000, start);
    expect(readFileSync(path, "utf8")).toBe("*\n!kept.jsonl\n");
  });

  test("gives up after a hundred journals of the same second", () => {
    write(now, start);
    for (let n = 1; n < 100; n += 1)
      writeFileSync(join(directory, JOURNAL_DIRECTORY, `2026-11-21T12-05-02-${n}.jsonl`), "");
    expect(failureOf(() => createJournal(directory, now))).toMatchObject({
      code: "journal/not-written",
      fact: { why: { words: "too many journals of the same second" } },
    });
  });

  test("a line that cannot be written is an error, and nothing is written once it is closed", () => {
    const journal = createJournal(directory, now);
    journal.write(start);
    journal.close();
    expect(failureOf(() => journal.write(end))).toMatchObject({
      code: "journal/not-written",
      fact: { journal: journal.path, why: { code: "EBADF" } },
    });
  });
});

test("is readable after a kill at any byte, and known to be this account's", () => {
  const entries = [start, sending(1), applied(1), sending(2)];
  const text = journalText(entries, TEST_CODE);
  for (let length = 0; length <= text.length; length += 1) {
    const found = parseJournal(text.slice(0, length), "x.jsonl", TEST_CODE);
    expect(found.doubt).toEqual(found.entries.length === 0 ? { is: "no-code" } : undefined);
    const complete = text.slice(0, length + 1).split("\n").length - 1;
    // An entry can be read without its line feed.
    expect(found.entries).toEqual(entries.slice(0, complete));
    expect(found.torn).toBe(length > 0 && text[length - 1] !== "\n" && text[length] !== "\n");
  }
});

describe("the journals of old runs of sync", () => {
  const source = { is: "sync", file: "realm.yaml" } as const;
  const ofSync = { ...start, source };
  const answers = [sending(1), applied(1), sending(2), applied(2), sending(3), applied(3)];
  const names = () => readdirSync(join(directory, JOURNAL_DIRECTORY)).filter((name) => name.endsWith(".jsonl"));

  test("the newest stay; also every one that is open, unfinished, of apply, of another account or organization", () => {
    const stays = [
      write(now, { ...start }, ...answers, end),
      write(now + 1_000, ofSync, ...answers),
      write(now + 2_000, ofSync, sending(1), applied(1), { ...end, outcome: "in-part", done: 1, left: 2 }),
      write(now + 3_000, { ...ofSync, realm: "https://other.example.org" }, ...answers, end),
    ];
    const old = [4, 5, 6].map((s) => write(now + s * 1_000, ofSync, ...answers, { ...end, outcome: "in-part" }));
    const young = [7, 8].map((s) => write(now + s * 1_000, ofSync, ...answers, end));
    const other = (): string => "another account";
    forgetOldRuns(directory, realm, other, 0);
    expect(names()).toHaveLength(stays.length + old.length + young.length);
    forgetOldRuns(directory, realm, TEST_CODE, 2);
    expect(names().toSorted()).toEqual([...stays, ...young].map((path) => basename(path)).toSorted());
  });
});

describe("lines that are not entries", () => {
  const json = (...entries: readonly JournalEntry[]): string => journalText(entries);
  const unreadable = (line: number) => ({
    code: "journal/unreadable",
    fact: { journal: "x.jsonl", line, cause: "line" },
  });
  const noJournal = { code: "journal/no-journal", fact: { journal: "x.jsonl" } };
  const [begun] = json(start).split("\n");
  test.each([
    { fact: "in the middle", text: `${json(start)}rubbish\n${json(sending(1))}`, expected: unreadable(2) },
    { fact: "at the end, with a line feed", text: `${json(start)}rubbish\n`, expected: unreadable(2) },
    { fact: "two of them", text: `${json(start)}rubbish\nrubbish\n`, expected: unreadable(2) },
    {
      fact: "incomplete, with more than an end after it",
      text: `${json(start)}{"entry":"answ\n${json(end, sending(1))}`,
      expected: unreadable(2),
    },
    { fact: "a first line that is damaged", text: `${begun?.slice(0, -1)}\n`, expected: unreadable(1) },
    { fact: "the same, with spaces before it", text: `  { "entry":"sta\n`, expected: unreadable(1) },
    { fact: "a first line that lacks a field of a start", text: '{"n":1,"entry":"start"}\n', expected: unreadable(1) },
    { fact: "a version that is no number", text: versionLine("realmctl.journal", "99"), expected: unreadable(1) },
    { fact: "a file that is not a journal", text: "hello\nworld\n", expected: noJournal },
    { fact: "a file that is not a journal, without a line feed", text: "hello", expected: noJournal },
    { fact: "bytes", text: "\u0000\ufffd", expected: noJournal },
    { fact: "a text that mentions a journal", text: 'see {"entry"\n', expected: noJournal },
    { fact: "other JSON", text: '{"a":1}\n', expected: noJournal },
    {
      fact: "another format, with a version",
      text: '{"format":"other","version":99}\n',
      expected: noJournal,
    },
  ])("$fact", ({ text, expected }) => expect(failureOf(() => parseJournal(text, "x.jsonl"))).toEqual(expected));

  test.each([
    { fact: "an empty line", text: `${json(start)}\n${json(sending(1))}`, expected: [start, sending(1)] },
    {
      fact: "an incomplete line before the end that a later run wrote, whatever empty lines are between them",
      text: `${json(start)}{"entry":"answ\n\n${json(end)}`,
      expected: [start, end],
    },
  ])("are left out: $fact", ({ text, expected }) => expect(parseJournal(text, "x.jsonl").entries).toEqual(expected));

  function versionLine(format: string, version: unknown): string {
    return `${JSON.stringify({ ...start, format, version })}\n`;
  }
});

test.each([
  { entries: [start], done: 0, open: [], left: 3, fact: "nothing was sent" },
  { entries: [start, sending(1), applied(1)], done: 1, open: [], left: 2, fact: "one call is done" },
  { entries: [start, sending(1), applied(1), sending(2)], done: 1, open: [2], left: 2, fact: "one call is being sent" },
  {
    entries: [start, sending(1), { entry: "answer", at, n: 1, answer: { outcome: "unknown", message: "" } }],
    done: 0,
    open: [1],
    left: 3,
    fact: "a call without an answer is unknown",
  },
  {
    entries: [start, sending(1), { entry: "settled", at, n: 1, state: "done" }],
    done: 1,
    open: [],
    left: 2,
    fact: "a later reading decides it",
  },
  {
    entries: [start, { entry: "settled", at, n: 1, state: "already-so" }],
    done: 1,
    open: [],
    left: 2,
    fact: "a call whose effect already existed is done",
  },
  {
    entries: [start, sending(1), { entry: "settled", at, n: 1, state: "failed" }],
    done: 0,
    open: [],
    left: 3,
    fact: "a failed call is known, and not done",
  },
  {
    entries: [{ ...start, plan: null }, sending(1)],
    done: 0,
    open: [1],
    left: 0,
    fact: "without a plan, there is no number",
  },
  { entries: [{ ...start, plan: {} }], done: 0, open: [], left: 0, fact: "a plan without calls" },
] satisfies ({ entries: JournalEntry[]; fact: string } & ReturnType<typeof counts>)[])(
  "$fact",
  ({ entries, done, open, left }) => {
    expect(counts({ name: "x", entries, torn: false })).toEqual({ done, open, left });
  },
);

describe("findUnfinished", () => {
  test("finds the newest journal without an end", () => {
    write(now, start, end);
    write(now + 60_000, start, sending(1));
    expect(unfinished()?.name).toBe("2026-11-21T12-06-02.jsonl");
  });

  test("an older one does not matter after a later run reached its end", () => {
    write(now, start, sending(1));
    write(now + 60_000, start, end);
    expect(unfinished()).toBeUndefined();
  });

  test("of several journals of the same second, the last one counts", () => {
    for (let n = 0; n < 10; n += 1) write(now, start, end);
    write(now, start, sending(1));
    expect(unfinished()?.name).toBe("2026-11-21T12-05-02-10.jsonl");
  });

  test("ignores other realms", () => {
    write(now, { ...start, realm: "https://other.example.org" });
    expect(unfinished()).toBeUndefined();
  });

  test("there is no directory before the first apply", () => expect(unfinished()).toBeUndefined());

  test("a second with many journals does not come after the next second", () => {
    write(now, start, end);
    write(now, start, sending(1));
    write(now + 1000, start, end);
    expect(unfinished()).toBeUndefined();
  });

  const journalFolder = (): string => join(directory, JOURNAL_DIRECTORY);

  test("a journal with a name of the user's choice counts; an empty file and other files do not", () => {
    write(now, start, end);
    const name = "mine.jsonl";
    writeFileSync(join(journalFolder(), name), journalText([{ ...start, file: name }], TEST_CODE));
    writeFileSync(join(journalFolder(), "empty.jsonl"), "");
    writeFileSync(join(journalFolder(), "notes.txt"), "notes");
    expect(found()).toMatchObject({ unfinished: { name }, aside: [] });
  });

  test("a file instead of the directory is an error", () => {
    writeFileSync(journalFolder(), "a file");
    expect(failureOf(found)).toMatchObject({
      code: "journal/not-written",
      fact: { journal: journalFolder(), why: { code: "ENOTDIR" } },
    });
  });

  test("a journal that is larger than any run writes is left aside without reading it", () => {
    const path = write(now, start);
    truncateSync(join(directory, path), MOST_JOURNAL_BYTES + 1);
    const size = { bytes: MOST_JOURNAL_BYTES + 1, most_bytes: MOST_JOURNAL_BYTES };
    const fact = { journal: "2026-11-21T12-05-02.jsonl", cause: "too-large", ...size };
    expect(aside()).toEqual([{ code: "journal/unreadable", fact }]);
  });

  test("a journal that no longer exists when a later run takes over is an error", () => {
    const left = taken("2026-11-21T12-05-02.jsonl");
    expect(failureOf(() => closeUnfinished(directory, left, at, "later.jsonl", TEST_CODE))).toMatchObject({
      code: "journal/not-written",
      fact: { journal: ".realmctl/2026-11-21T12-05-02.jsonl", why: { code: "ENOENT" } },
    });
  });

  test("an incomplete journal is closed for good when a later run takes over", () => {
    write(now, start, sending(1));
    const [name = ""] = readdirSync(join(directory, JOURNAL_DIRECTORY)).filter((entry) => entry.endsWith(".jsonl"));
    const path = join(directory, JOURNAL_DIRECTORY, name);
    writeFileSync(path, '{"entry":"answ', { flag: "a" });
    const left = unfinished();
    expect(left).toMatchObject({ torn: true });
    if (left !== undefined) closeUnfinished(directory, left, at, "later.jsonl", TEST_CODE);
    expect(found()).toEqual({ aside: [] });
    const closed = parseJournal(readFileSync(path, "utf8"), name, TEST_CODE);
    expect(closed.doubt).toBeUndefined();
    expect(closed.entries.at(-1)).toMatchObject({
      entry: "end",
      outcome: "taken-over",
      by: "later.jsonl",
    });
  });
});

describe("versions", () => {
  const versioned: JournalEntry = { ...start, version: 1 };

  test("the plan of an older journal is read, whatever risks and guards it has", () => {
    const risks = [{ kind: "widens", message: "as it was said then", address: "thing:a" }];
    const [first] = plan.changes;
    const old: Json = JSON.parse(JSON.stringify({ ...plan, version: 1, guards: [{}], changes: [{ ...first, risks }] }));
    const begun = parseJournal(journalText([{ ...versioned, plan: old }]), "x.jsonl");
    expect(planIn(begun)?.changes).toHaveLength(1);
  });

  test("a journal of version 1 is read with its sentences, and has no codes", () => {
    const settled = { entry: "settled", at, n: 1, state: "already-so", message: "the realm already was so" };
    const text = journalText([versioned, sending(1)]) + new Lines().lineOf(JSON.stringify(settled));
    expect(parseJournal(text, "x.jsonl", TEST_CODE)).toMatchObject({
      entries: { length: 3 },
      doubt: { is: "no-code" },
    });
  });

  test("a journal of a newer realmctl is refused with one clear message", () => {
    const text = `${JSON.stringify({ ...versioned, version: JOURNAL_VERSION + 1, more: true })}\n`;
    expect(() => parseJournal(text, "x.jsonl")).toThrow(
      `has version ${JOURNAL_VERSION + 1} of the format; this realmctl reads version ${JOURNAL_VERSION}`,
    );
  });

  test("lines without a checksum, or with a wrong one, are not entries, and a start without a version is none", () => {
    const lines = journalText([versioned, sending(1), applied(1), sending(2)]).split(/(?<=\n)/);
    expect(parseJournal(lines.join(""), "x.jsonl").entries).toHaveLength(4);
    for (const edit of [
      (line: string) => line.replace('"n":1', '"n":2'),
      (line: string) => line.replace(/,"sum":"\w+"/, ""),
      (line: string) => line.replace(/"sum":"\w/, '"sum":"_'),
    ]) {
      const edited = lines.map((line, index) => (index === 1 ? edit(line) : line)).join("");
      expect(() => parseJournal(edited, "x.jsonl")).toThrow(
        "line 2 of the journal x.jsonl is not a line that a run wrote",
      );
    }
    const { version: _, format: __, ...old } = start;
    expect(failureOf(() => parseJournal(new Lines().lineOf(JSON.stringify(old)), "x.jsonl"))).toEqual({
      code: "journal/unreadable",
      fact: { journal: "x.jsonl", line: 1, cause: "line" },
    });
  });
});

describe("what is left aside", () => {
  const folder = () => join(directory, JOURNAL_DIRECTORY);
  const LATER = "2026-11-21T13-00-00.jsonl";
  const foreign = (doubt: object, journal = LATER) => ({
    code: "journal/foreign",
    fact: { journal, account: START.account, doubt },
  });
  const own = { ...start, file: LATER };
  const OTHER = (text: string) => TEST_CODE(`other ${text}`);
  const lines = () => journalText([own, sending(1), applied(1)], TEST_CODE).split(/(?<=\n)/);
  const [first = "", second = "", third = ""] = lines();

  test.each([
    { what: "a journal without codes", text: journalText([own, sending(1)]), expected: foreign({ is: "no-code" }) },
    {
      what: "one of another account",
      text: journalText([own, sending(1)], OTHER),
      expected: foreign({ is: "other-code" }),
    },
    {
      what: "one with a line more, which has a right checksum and no code",
      text: `${first}${second}${journalText([applied(1)])}`,
      expected: foreign({ is: "edited", line: 3 }),
    },
    { what: "one with a line less", text: `${first}${third}`, expected: foreign({ is: "edited", line: 2 }) },
    {
      what: "one with lines in another order",
      text: `${first}${third}${second}`,
      expected: foreign({ is: "edited", line: 2 }),
    },
    {
      what: "one whose first line is another journal's",
      text: `${journalText([{ ...own, plan: null }], TEST_CODE)}${second}`,
      expected: foreign({ is: "edited", line: 2 }),
    },
    {
      what: "a copy under another name",
      text: journalText([{ ...own, file: "other.jsonl" }], TEST_CODE),
      expected: foreign({ is: "other-name" }),
    },
    {
      what: "a journal without its first line",
      text: journalText([sending(1)], TEST_CODE),
      expected: { code: "journal/unreadable", fact: { journal: LATER, line: 1, cause: "not-a-start" } },
    },
    {
      what: "notes",
      text: "to do\nto do\n",
      expected: { code: "journal/no-journal", fact: { journal: LATER } },
    },
    {
      what: "one of a newer realmctl",
      text: `${JSON.stringify({ ...own, version: 99 })}\n`,
      expected: { code: "journal/other-version", fact: { journal: LATER, found: 99, reads: JOURNAL_VERSION } },
    },
  ])("$what: it stays as it is, and does not hide the run before", ({ text, expected }) => {
    const before = basename(write(now, start, sending(1)));
    writeFileSync(join(folder(), LATER), text);
    expect(unfinished()?.name).toBe(before);
    expect(aside()).toEqual([expected]);
    expect(readFileSync(join(folder(), LATER), "utf8")).toBe(text);
  });

  test("a directory with the name of a journal", () => {
    mkdirSync(join(folder(), LATER), { recursive: true });
    expect(aside()).toMatchObject([{ code: "journal/unreadable", fact: { journal: LATER, cause: "file" } }]);
  });

  test("nothing is said about runs that reached their end, that a run of this account followed, or on other realms", () => {
    mkdirSync(folder());
    writeFileSync(join(folder(), "2020-01-01T00-00-00.jsonl"), journalText([start, sending(1)]));
    writeFileSync(join(folder(), LATER), journalText([start, sending(1), end]));
    writeFileSync(join(folder(), "x.jsonl"), journalText([{ ...start, realm: "https://other.example.org" }]));
    write(now, start, end);
    expect(found()).toEqual({ aside: [] });
  });
});

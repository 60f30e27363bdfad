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
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { JOURNAL_VERSION, type JournalEntry } from "../model/journal.ts";
import type { Json } from "../model/json.ts";
import {
  closeUnfinished,
  counts,
  createJournal,
  findUnfinished,
  JOURNAL_DIRECTORY,
  MOST_JOURNAL_BYTES,
  parseJournal,
} from "./journal.ts";
import { entryLine, sumLine } from "./journal-lines.ts";
import { planOf as journalPlan } from "./journalled.ts";
import { failureOf } from "./testing/failure.ts";
import { change, field, planOf, set } from "./testing/toy.ts";

const at = "2026-11-21T12:05:02.000Z";
const now = Date.parse(at);
const realm = "https://chat.example.org";
const wire = (id: number) => ({ operation: "update-channel", path: { id }, params: {} });
const start: JournalEntry = {
  entry: "start",
  at,
  tool_version: "0",
  realm,
  account: "a@example.org",
  plan: { calls: [1, 2, 3] },
};
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
  const journal = createJournal(directory, nowMs);
  for (const entry of entries) journal.write(entry);
  journal.close();
  return journal.path;
}

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
    const theirs = [start, sending(1)].map(entryLine).join("");
    writeFileSync(join(elsewhere, "theirs.jsonl"), theirs);
    if (path !== ".realmctl") mkdirSync(join(directory, ".realmctl"));
    symlinkSync(to, join(directory, path));
    const refused = { code: "journal/link", fact: { path } };
    expect(failureOf(() => findUnfinished(directory, realm))).toEqual(refused);
    const found = { name: "2026-11-21T12-05-01.jsonl", entries: [start], torn: false };
    expect(failureOf(() => closeUnfinished(directory, found, at, "later.jsonl"))).toEqual(refused);
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

test("is readable after a kill at any byte", () => {
  const entries = [start, sending(1), applied(1), sending(2)];
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  for (let length = 0; length <= text.length; length += 1) {
    const found = parseJournal(text.slice(0, length), "x.jsonl");
    const complete = text.slice(0, length + 1).split("\n").length - 1;
    // An entry can be read without its line feed.
    expect(found.entries).toEqual(entries.slice(0, complete));
    expect(found.torn).toBe(length > 0 && text[length - 1] !== "\n" && text[length] !== "\n");
  }
});

describe("lines that are not entries", () => {
  const json = (...entries: readonly JournalEntry[]): string =>
    entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
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
    {
      fact: "the same in a journal with checksums, whose end was written by a realmctl without checksums",
      text: `${entryLine({ ...start, format: "realmctl.journal", version: 1 })}{"entry":"answ\n${entryLine(end)}`,
      expected: [{ ...start, format: "realmctl.journal", version: 1 }, end],
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
    expect(findUnfinished(directory, realm)?.name).toBe("2026-11-21T12-06-02.jsonl");
  });

  test("an older one does not matter after a later run reached its end", () => {
    write(now, start, sending(1));
    write(now + 60_000, start, end);
    expect(findUnfinished(directory, realm)).toBeUndefined();
  });

  test("of several journals of the same second, the last one counts", () => {
    for (let n = 0; n < 10; n += 1) write(now, start, end);
    write(now, start, sending(1));
    expect(findUnfinished(directory, realm)?.name).toBe("2026-11-21T12-05-02-10.jsonl");
  });

  test("ignores other realms", () => {
    write(now, { ...start, realm: "https://other.example.org" });
    expect(findUnfinished(directory, realm)).toBeUndefined();
  });

  test("there is no directory before the first apply", () => expect(findUnfinished(directory, realm)).toBeUndefined());

  test("a second with many journals does not come after the next second", () => {
    write(now, start, end);
    write(now, start, sending(1));
    write(now + 1000, start, end);
    expect(findUnfinished(directory, realm)).toBeUndefined();
  });

  const journalFolder = (): string => join(directory, JOURNAL_DIRECTORY);

  test("a journal with a name of the user's choice counts; an empty file and other files do not", () => {
    write(now, start, end);
    writeFileSync(join(journalFolder(), "copy.jsonl"), `${JSON.stringify(start)}\n`);
    writeFileSync(join(journalFolder(), "empty.jsonl"), "");
    writeFileSync(join(journalFolder(), "notes.txt"), "notes");
    expect(findUnfinished(directory, realm)?.name).toBe("copy.jsonl");
  });

  test("a file instead of the directory is an error", () => {
    writeFileSync(journalFolder(), "a file");
    expect(failureOf(() => findUnfinished(directory, realm))).toMatchObject({
      code: "journal/not-written",
      fact: { journal: journalFolder(), why: { code: "ENOTDIR" } },
    });
  });

  test("a journal that is larger than any run writes is refused without reading it", () => {
    const path = write(now, start);
    truncateSync(join(directory, path), MOST_JOURNAL_BYTES + 1);
    expect(failureOf(() => findUnfinished(directory, realm))).toEqual({
      code: "journal/unreadable",
      fact: {
        journal: "2026-11-21T12-05-02.jsonl",
        cause: "too-large",
        bytes: MOST_JOURNAL_BYTES + 1,
        most_bytes: MOST_JOURNAL_BYTES,
      },
    });
  });

  test("a journal that no longer exists when a later run takes over is an error", () => {
    const found = { name: "2026-11-21T12-05-02.jsonl", entries: [start], torn: false };
    expect(failureOf(() => closeUnfinished(directory, found, at, "later.jsonl"))).toMatchObject({
      code: "journal/not-written",
      fact: { journal: ".realmctl/2026-11-21T12-05-02.jsonl", why: { code: "ENOENT" } },
    });
  });

  test("an incomplete journal is closed for good when a later run takes over", () => {
    write(now, start, sending(1));
    const [name = ""] = readdirSync(join(directory, JOURNAL_DIRECTORY)).filter((entry) => entry.endsWith(".jsonl"));
    const path = join(directory, JOURNAL_DIRECTORY, name);
    writeFileSync(path, '{"entry":"answ', { flag: "a" });
    const found = findUnfinished(directory, realm);
    expect(found).toMatchObject({ torn: true });
    if (found !== undefined) closeUnfinished(directory, found, at, "later.jsonl");
    expect(findUnfinished(directory, realm)).toBeUndefined();
    expect(parseJournal(readFileSync(path, "utf8"), name).entries.at(-1)).toMatchObject({
      entry: "end",
      outcome: "taken-over",
      by: "later.jsonl",
    });
  });
});

describe("versions", () => {
  const versioned: JournalEntry = { ...start, format: "realmctl.journal", version: 1 };

  test("a journal without a version is read, whatever risks and guards its plan has", () => {
    const risks = [{ kind: "widens", message: "as it was said then", address: "thing:a" }];
    const [first] = plan.changes;
    const old: Json = JSON.parse(JSON.stringify({ ...plan, version: 1, guards: [{}], changes: [{ ...first, risks }] }));
    const text = `${JSON.stringify({ ...start, plan: old })}\n${JSON.stringify(sending(1))}\n`;
    const found = parseJournal(text, "x.jsonl");
    expect(found.entries).toHaveLength(2);
    const [begun] = found.entries;
    expect(begun?.entry === "start" && journalPlan(begun.plan)?.changes).toHaveLength(1);
  });

  test("a journal of version 1, whose run was interrupted before an upgrade, is read with its sentences", () => {
    const settled = { entry: "settled", at, n: 1, state: "already-so", message: "the realm already was so" };
    const text = [versioned, sending(1)].map(entryLine).join("") + sumLine(JSON.stringify(settled));
    expect(parseJournal(text, "x.jsonl").entries).toHaveLength(3);
  });

  test("a journal of a newer realmctl is refused with one clear message", () => {
    const text = `${JSON.stringify({ ...versioned, version: JOURNAL_VERSION + 1, more: true })}\n`;
    expect(() => parseJournal(text, "x.jsonl")).toThrow(
      `has version ${JOURNAL_VERSION + 1} of the format; this realmctl reads version ${JOURNAL_VERSION}`,
    );
  });

  test("lines without a checksum, or with a wrong one, are not entries of a journal with checksums", () => {
    const lines = [versioned, sending(1), applied(1), sending(2)].map(entryLine);
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
  });

  test("a journal without its first line is not skipped", () => {
    const path = write(now, sending(1));
    expect(() => findUnfinished(directory, realm)).toThrow(`line 1 of the journal ${path.slice(".realmctl/".length)}`);
  });

  test("a directory with the name of a journal is an error, not a bug", () => {
    mkdirSync(join(directory, JOURNAL_DIRECTORY, "2027-01-01T00-00-00.jsonl"), { recursive: true });
    expect(() => findUnfinished(directory, realm)).toThrow("cannot be read");
  });
});

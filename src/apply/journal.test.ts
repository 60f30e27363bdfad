import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { JOURNAL_VERSION, type JournalEntry } from "../model/journal.ts";
import type { Json } from "../model/json.ts";
import { closeUnfinished, counts, createJournal, findUnfinished, JOURNAL_DIRECTORY, parseJournal } from "./journal.ts";
import { entryLine, sumLine } from "./journal-lines.ts";
import { planOf as journalPlan } from "./journalled.ts";
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
  test("names the file after the time, for its owner only, in a directory that Git leaves out", () => {
    expect(write(now, start)).toBe(".realmctl/2026-11-21T12-05-02.jsonl");
    expect(statSync(join(directory, ".realmctl/2026-11-21T12-05-02.jsonl")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(directory, JOURNAL_DIRECTORY, ".gitignore"), "utf8")).toBe("*\n");
  });

  test("two of the same second do not mix", () => {
    expect([write(now, start), write(now, start)]).toEqual([
      ".realmctl/2026-11-21T12-05-02.jsonl",
      ".realmctl/2026-11-21T12-05-02-1.jsonl",
    ]);
  });

  test("says what is wrong when the directory cannot be made", () => {
    writeFileSync(join(directory, JOURNAL_DIRECTORY), "a file");
    expect(() => createJournal(directory, now)).toThrow(/^the journal .*cannot be written/);
  });
});

test("is readable after a kill at any byte", () => {
  const entries = [start, sending(1), applied(1), sending(2)];
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  for (let length = 0; length <= text.length; length += 1) {
    const found = parseJournal(text.slice(0, length), "x.jsonl");
    const complete = text.slice(0, length + 1).split("\n").length - 1;
    // The line feed itself is not needed to know an entry.
    expect(found.entries).toEqual(entries.slice(0, complete));
  }
});

test("a line in the middle that is no entry is reported, not skipped", () => {
  const text = `${JSON.stringify(start)}\nrubbish\n${JSON.stringify(sending(1))}\n`;
  expect(() => parseJournal(text, "x.jsonl")).toThrow("line 2 of the journal x.jsonl is not as a run wrote it");
});

test.each([
  { entries: [start], done: 0, open: [], left: 3, fact: "nothing was sent" },
  { entries: [start, sending(1), applied(1)], done: 1, open: [], left: 2, fact: "one done" },
  { entries: [start, sending(1), applied(1), sending(2)], done: 1, open: [2], left: 2, fact: "one on its way" },
  {
    entries: [start, sending(1), { entry: "answer", at, n: 1, answer: { outcome: "unknown", message: "" } }],
    done: 0,
    open: [1],
    left: 3,
    fact: "no answer is not known",
  },
  {
    entries: [start, sending(1), { entry: "settled", at, n: 1, state: "done" }],
    done: 1,
    open: [],
    left: 2,
    fact: "a re-read settles it",
  },
] satisfies ({ entries: JournalEntry[]; fact: string } & ReturnType<typeof counts>)[])(
  "$fact",
  ({ entries, done, open, left }) => {
    expect(counts({ name: "x", entries, torn: false })).toEqual({ done, open, left });
  },
);

describe("findUnfinished", () => {
  test("finds the newest that has no end", () => {
    write(now, start, end);
    write(now + 60_000, start, sending(1));
    expect(findUnfinished(directory, realm)?.name).toBe("2026-11-21T12-06-02.jsonl");
  });

  test("an older one does not matter once a later run came to its end", () => {
    write(now, start, sending(1));
    write(now + 60_000, start, end);
    expect(findUnfinished(directory, realm)).toBeUndefined();
  });

  test("of one second the last counts", () => {
    for (let n = 0; n < 10; n += 1) write(now, start, end);
    write(now, start, sending(1));
    expect(findUnfinished(directory, realm)?.name).toBe("2026-11-21T12-05-02-10.jsonl");
  });

  test("leaves out other realms", () => {
    write(now, { ...start, realm: "https://other.example.org" });
    expect(findUnfinished(directory, realm)).toBeUndefined();
  });

  test("there is no directory before the first apply", () => expect(findUnfinished(directory, realm)).toBeUndefined());

  test("a torn one is closed for good when a later run takes over", () => {
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
      outcome: "taken over by later.jsonl",
    });
  });
});

describe("versions", () => {
  const versioned: JournalEntry = { ...start, format: "realmctl.journal", version: 1 };

  test("a journal from before the format had one is read, whatever its plan says of risks and guards", () => {
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

  test("one of a newer realmctl is refused with one clear message", () => {
    const text = `${JSON.stringify({ ...versioned, version: JOURNAL_VERSION + 1, more: true })}\n`;
    expect(() => parseJournal(text, "x.jsonl")).toThrow(
      `has version ${JOURNAL_VERSION + 1} of the format; this realmctl reads version ${JOURNAL_VERSION}`,
    );
  });

  test("lines without their sum, or with another, are no entries of a journal that has sums", () => {
    const lines = [versioned, sending(1), applied(1), sending(2)].map(entryLine);
    expect(parseJournal(lines.join(""), "x.jsonl").entries).toHaveLength(4);
    for (const edit of [
      (line: string) => line.replace('"n":1', '"n":2'),
      (line: string) => line.replace(/,"sum":"\w+"/, ""),
      (line: string) => line.replace(/"sum":"\w/, '"sum":"_'),
    ]) {
      const edited = lines.map((line, index) => (index === 1 ? edit(line) : line)).join("");
      expect(() => parseJournal(edited, "x.jsonl")).toThrow("line 2 of the journal x.jsonl is not as a run wrote it");
    }
  });

  test("a journal without its first line is not passed over", () => {
    const path = write(now, sending(1));
    expect(() => findUnfinished(directory, realm)).toThrow(`line 1 of the journal ${path.slice(".realmctl/".length)}`);
  });

  test("a directory that is called like a journal is an error, not a bug", () => {
    mkdirSync(join(directory, JOURNAL_DIRECTORY, "2027-01-01T00-00-00.jsonl"), { recursive: true });
    expect(() => findUnfinished(directory, realm)).toThrow("cannot be read");
  });
});

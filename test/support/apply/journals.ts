import { createHash } from "node:crypto";
import { Lines } from "../../../src/apply/journal-lines.ts";
import type { CodeOf } from "../../../src/model/api.ts";
import { defined } from "../../../src/model/defined.ts";
import type { JournalEntry } from "../../../src/model/journal.ts";
import type { Json } from "../../../src/model/json.ts";
import type { LiveObject } from "../../../src/model/objects.ts";
import type { Plan } from "../../../src/model/plan.ts";

/** The time of all lines of a journal. */
export const AT = "2026-11-21T12:05:02.000Z";

/** The first line of a run's journal. */
export function startOf(plan: Plan, resumes?: string): JournalEntry {
  const json: Json = JSON.parse(JSON.stringify(plan));
  return { ...START, realm: plan.realm.url, plan: json, ...defined({ resumes }) };
}

/** The first line of a journal without codes. */
export const START = {
  entry: "start",
  at: AT,
  format: "realmctl.journal",
  version: 3,
  tool_version: "0",
  realm: "https://chat.example.org",
  account: "a@example.org",
  plan: null,
} as const;

/** A journal with these entries, and with codes if there is a function for them. */
export function journalText(entries: readonly JournalEntry[], codeOf?: CodeOf): string {
  const lines = new Lines(codeOf);
  return entries.map((entry) => lines.line(entry)).join("");
}

/** What makes codes, for a test. */
export const TEST_CODE: CodeOf = (text) => createHash("md5").update(`secret ${text}`).digest("hex");

/** A call that is sent. */
export const sending = (n: number): JournalEntry => ({
  entry: "sending",
  at: AT,
  n,
  call: { operation: "change", path: {}, params: {} },
});

/** A call that the server carried out and confirmed. */
export const applied = (n: number): JournalEntry => ({
  entry: "answer",
  at: AT,
  n,
  answer: { outcome: "applied", body: {} },
});

/** A live object of a toy kind. */
export const liveObject = (
  name: string,
  id: number | null,
  fields: { [field: string]: Json } = {},
  inactive = false,
): LiveObject => ({ key: name.toUpperCase(), name, id, fields, inactive });

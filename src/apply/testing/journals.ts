import { defined } from "../../model/defined.ts";
import type { JournalEntry } from "../../model/journal.ts";
import type { Json } from "../../model/json.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Plan } from "../../model/plan.ts";

/** The time of all lines of a journal. */
export const AT = "2026-11-21T12:05:02.000Z";

/** The first line of a run's journal. */
export function startOf(plan: Plan, resumes?: string): JournalEntry {
  const json: Json = JSON.parse(JSON.stringify(plan));
  const start = { entry: "start", at: AT, tool_version: "0", realm: plan.realm.url, account: "a", plan: json } as const;
  return { ...start, ...defined({ resumes }) };
}

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

import { isList, isObject, type Json } from "../model/json.ts";
import { PLAN_VERSION } from "../model/own-format.ts";
import { type Plan, PlanForm } from "../model/plan-schema.ts";
import type { FoundJournal } from "./journal.ts";

/** The plan that a journal's run carried out; undefined if the first line is not that of a run. */
export function planOf(json: Json): Plan | undefined {
  return isPlan(json) ? json : undefined;
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

import { basename } from "node:path";
import { defined } from "../model/defined.ts";
import { canonicalJson, type Json } from "../model/json.ts";
import type { Address, Plan } from "../model/plan.ts";
import { type FoundJournal, parseJournal } from "./journal.ts";
import { planOf } from "./journalled.ts";

/*
 * Going on where a run stopped (docs/decisions/0041-the-realm-counts-more-than-the-journal.md).
 *
 * Terms. A *journal* has an entry before each request (`sending`), one for its answer, and one for what became of the call (`settled`). Of a run that
 * never came to its end a call is *done* when an answer or a look at the realm says so, *open* when it was being sent and nothing says what came of
 * it, and otherwise not attempted.
 *
 * Premise. A journal says what was true when it was written; the realm says what is true now. Where they disagree, the realm counts.
 *
 * The idea.
 *     the earlier run carried out the same calls?   no: nothing of it can be held against this plan; the realm alone is looked at
 *     done calls                                    are not sent again, unless the realm shows that somebody undid them since
 *     open calls                                    are looked for in the realm, and sent when they are not there
 *     ids that it learned                           stand for the objects that it made
 *
 * What it does not do. It compares no plans that differ in a call, however little, and it decides nothing about a single call: apply/run.ts holds
 * each against the realm, and earlierOf only says which runs belong together.
 */

/** What a run of the same calls, which never came to its end, is known to have done. */
export interface Resumed {
  /** Calls with an answer that says so, and calls that were found to be so. */
  readonly done: ReadonlySet<number>;
  /** Calls that went out, or were about to: whether they were carried out, only the realm says. */
  readonly open: ReadonlySet<number>;
  /** Ids of objects that it made. */
  readonly ids: { readonly [address: Address]: number };
}

/**
 * Reads what a run is to go on from. Undefined when that run carried out other calls: after planning again the realm alone says what
 * is left, and nothing in an older journal can be held against the new plan.
 */
export function resumedFrom(found: FoundJournal, plan: Plan): Resumed | undefined {
  const [start] = found.entries;
  const before = start?.entry === "start" ? planOf(start.plan) : undefined;
  if (before === undefined || workOf(before) !== workOf(plan)) return undefined;
  const sent = new Set<number>();
  const done = new Set<number>();
  const undone = new Set<number>();
  const ids: { [address: Address]: number } = {};
  for (const entry of found.entries) {
    if (entry.entry === "sending") sent.add(entry.n);
    if (entry.entry === "learned") Object.assign(ids, entry.ids);
    if (entry.entry === "answer" && entry.answer.outcome === "applied" && !entry.answer.ignored) done.add(entry.n);
    if (entry.entry === "settled")
      (entry.state === "done" || entry.state === "already-so" ? done : undone).add(entry.n);
  }
  return { done, open: new Set([...sent].filter((n) => !done.has(n) && !undone.has(n))), ids };
}

/** What a plan does. How it is guarded may differ from one day to the next. */
function workOf({ realm, changes, calls }: Plan): string {
  const json: Json = JSON.parse(JSON.stringify({ realm, changes, calls }));
  return canonicalJson(json);
}

/** The runs that one went on from. */
export interface Earlier {
  readonly earlier: readonly FoundJournal[];
  /** The first one back that is not among them. */
  readonly leaves?: string;
}

/**
 * Follows `resumes` back, as far as the runs carried out the same calls; names the first one that did not, or is not there.
 * @param readJournal the text of a journal beside this one; undefined if it no longer exists
 */
export async function earlierOf(
  journal: FoundJournal,
  plan: Plan,
  readJournal: (name: string) => Promise<string | undefined> = async () => undefined,
): Promise<Earlier> {
  const earlier: FoundJournal[] = [];
  const seen = new Set([journal.name]);
  let last = journal;
  for (;;) {
    const [start] = last.entries;
    // A name without a folder: journals lie beside each other, and one that was edited leads nowhere else.
    const name = start?.entry === "start" && start.resumes !== undefined ? basename(start.resumes) : undefined;
    if (name === undefined || seen.has(name)) return { earlier };
    seen.add(name);
    const text = await readJournal(name);
    if (text === undefined) return { earlier, leaves: name };
    last = parseJournal(text, name);
    if (resumedFrom(last, plan) === undefined)
      return { earlier, ...defined({ leaves: hasSent(last) ? name : undefined }) };
    earlier.push(last);
  }
}

const hasSent = ({ entries }: FoundJournal): boolean => entries.some(({ entry }) => entry === "sending");

import { basename } from "node:path";
import type { CodeOf } from "../model/api.ts";
import { defined, whenDefined } from "../model/defined.ts";
import type { JournalEntry } from "../model/journal.ts";
import { asJson, canonicalText } from "../model/json.ts";
import type { Address, Call, Change, Plan } from "../model/plan.ts";
import type { ApplyOutcome } from "../model/result.ts";
import { COMPLETED, type FoundJournal, parseJournal, planIn, type ReadJournal, startOf } from "./journal.ts";

/*
 * Which journals are undone together.
 *
 *     a run continued one with the same calls (`resumes`)                         both are one run: each call counts as sent if either sent it
 *     a run completed one that brought accounts back (its end says so, in `by`)    both are one run, the calls of the second after those of the first
 *     a run continued one with other calls                                        the other is named, to be undone next
 */

/** Reads journals beside the one that is undone. */
interface JournalSource {
  /** The text of a journal beside this one; undefined if it no longer exists. */
  readonly readJournal?: (name: string) => Promise<string | undefined>;
  readonly codeOf?: CodeOf | undefined;
  /** Somebody asked for the undo of a journal that nothing shows to be this account's. */
  readonly isForeignAllowed?: boolean;
}

interface WholeRun {
  /** The newest of its journals, with the plan of all. */
  readonly journal: FoundJournal;
  readonly plan: Plan;
  /** Its other journals, the newest first, with the calls numbered as in that plan. */
  readonly earlier: readonly FoundJournal[];
  /** Nothing shows that this account wrote all of them. */
  readonly isForeign: boolean;
  /** The first journal that belongs to another run, does not exist, or is not this account's. */
  readonly leaves?: string;
}

/** Journals of runs that had the same calls, the newest first. */
interface Part {
  readonly plan: Plan;
  readonly journals: FoundJournal[];
}

/**
 * Finds the journals that belong to the same run as this one: the one that completed it, and those that it continued.
 * @param named its first entry is the start, with this plan
 */
export async function wholeRun(named: ReadJournal, plan: Plan, source: JournalSource = {}): Promise<WholeRun> {
  const parts: Part[] = [{ plan, journals: [named] }];
  const doubts = [named.doubt];
  let leaves: string | undefined;
  const next = completionOf(named);
  const completion = next === undefined ? undefined : await readBeside(next, source);
  const then = completion && planIn(completion);
  if (completion !== undefined && then !== undefined) {
    parts.unshift({ plan: then, journals: [completion] });
    doubts.push(completion.doubt);
  } else if (completion === undefined) leaves = next;
  const seen = new Set([named.name]);
  for (let last: FoundJournal = named; ; ) {
    const name = continuedBy(last);
    const part = parts.at(-1);
    if (name === undefined || part === undefined || seen.has(name)) break;
    seen.add(name);
    const found = await readBeside(name, source);
    const before = found && planIn(found);
    if (found !== undefined && before !== undefined && completionOf(found) === fileOf(last))
      parts.push({ plan: before, journals: [found] });
    else if (found !== undefined && resumedFrom(found, part.plan) !== undefined) part.journals.push(found);
    else {
      if (found === undefined || hasSent(found)) leaves = name;
      break;
    }
    doubts.push(found.doubt);
    last = found;
  }
  return { ...joined(parts), isForeign: doubts.some((doubt) => doubt !== undefined), ...defined({ leaves }) };
}

/** The name of the journal of the run that completed this one, in the words of its own end. */
function completionOf({ entries }: FoundJournal): string | undefined {
  const ends = entries.flatMap((entry) => (entry.entry === "end" && entry.outcome === COMPLETED ? [entry.by] : []));
  return nameIn(ends[0]);
}

const continuedBy = (journal: FoundJournal): string | undefined => nameIn(startOf(journal)?.resumes);

/** A file name without a directory: journals lie beside each other, and an edited one cannot lead elsewhere. */
const nameIn = (path: string | undefined): string | undefined => (path === undefined ? undefined : basename(path));

/** The name under which a journal was written. */
const fileOf = (journal: FoundJournal): string => startOf(journal)?.file ?? journal.name;

/** @returns undefined if it no longer exists, or nothing shows that it is this account's and nobody asked for such a one */
async function readBeside(
  name: string,
  { readJournal, codeOf, isForeignAllowed }: JournalSource,
): Promise<ReadJournal | undefined> {
  const text = await readJournal?.(name);
  if (text === undefined) return undefined;
  const read = parseJournal(text, name, codeOf);
  // A run that ended before its first line sent nothing.
  return read.doubt === undefined || isForeignAllowed === true || read.entries.length === 0 ? read : undefined;
}

const hasSent = ({ entries }: FoundJournal): boolean => entries.some(({ entry }) => entry === "sending");

/** @param parts the newest first */
function joined(parts: readonly Part[]): Pick<WholeRun, "journal" | "plan" | "earlier"> {
  const plan = [...parts]
    .reverse()
    .map((part) => part.plan)
    .reduce(joinedPlans);
  const numbers = parts.map((_, index) =>
    parts.slice(index + 1).reduce((sum, { plan: { calls } }) => sum + calls.length, 0),
  );
  const [journal, ...earlier] = parts.flatMap(({ journals }, index) =>
    journals.map((one) => ({ ...one, entries: one.entries.map((entry) => renumbered(entry, numbers[index] ?? 0)) })),
  );
  if (journal === undefined) throw new RangeError("a run has a journal");
  const entries = journal.entries.map((entry) => (entry.entry === "start" ? { ...entry, plan: asJson(plan) } : entry));
  return { journal: parts.length === 1 ? journal : { ...journal, entries }, plan, earlier };
}

function renumbered(entry: JournalEntry, by: number): JournalEntry {
  return by > 0 && "n" in entry ? { ...entry, n: entry.n + by } : entry;
}

/**
 * Two plans that were carried out one after the other, as one: the calls of the second have the next numbers, and what both changed is one change, from the
 * value before the first to the value after the second.
 */
export function joinedPlans(first: Plan, then: Plan): Plan {
  const offset = first.calls.length;
  const later = new Map(then.changes.map((change) => [change.address, change]));
  const changes = first.changes.map((change): Change => {
    const more = later.get(change.address);
    if (more?.action !== "update" || (change.action !== "update" && change.action !== "create")) return change;
    later.delete(change.address);
    return { ...change, fields: joinedFields(change.fields, more.fields), risks: [...change.risks, ...more.risks] };
  });
  const calls = then.calls.map(
    (call): Call => ({ ...call, n: call.n + offset, after: call.after.map((n) => n + offset) }),
  );
  return {
    ...first,
    changes: [...changes, ...then.changes.filter((change) => later.get(change.address) === change)],
    calls: [...first.calls, ...calls],
    least_calls: first.least_calls + then.least_calls,
  };
}

function joinedFields(first: Change["fields"], then: Change["fields"]): Change["fields"] {
  const later = new Map(then.map((field) => [field.field, field]));
  const both = first.map((field) => ({ ...field, after: later.get(field.field)?.after ?? field.after }));
  return [...both, ...then.filter(({ field }) => first.every((other) => other.field !== field))];
}

/*
 * Continuing a run that stopped (docs/internals/decisions/0017-journals-have-codes-undo-in-part.md).
 *
 * Terms. A *journal* has an entry before each request (`sending`), one for its answer, and one for the final result of the call (`settled`). In a run
 * that never reached its end, a call is *done* if an answer or a reading says so, *open* if it was being sent and its result is unknown, and
 * otherwise not attempted.
 *
 * Premise. A journal says what was true when it was written; the realm says what is true now. If they disagree, the realm counts.
 *
 * The idea.
 *     the earlier run carried out the same calls?   no: it says nothing about this plan; only the realm counts
 *     done calls                                    are not sent again, unless the realm shows that somebody undid them since
 *     open calls                                    are looked up in the realm, and sent if they had no effect
 *     ids that it learned                           identify the objects that it created
 *
 * What it does not do. Plans whose calls differ, however little, do not belong together. It decides nothing about a single call: apply/assessment.ts
 * compares each with the realm. Which runs are undone together is in apply/whole-run.ts.
 */

/** The progress of an earlier run that had the same calls and never reached its end. */
export interface Resumed {
  /** Calls whose answer says that they are done, and calls that were found to be done. */
  readonly done: ReadonlySet<number>;
  /** Calls that were sent, or about to be: only the realm says whether they were carried out. */
  readonly open: ReadonlySet<number>;
  /** Ids of objects that it created itself. */
  readonly ids: { readonly [address: Address]: number };
}

/**
 * Reads the state that a run continues from. Undefined if the earlier run carried out other calls: after planning again, only the realm says what is
 * left, and nothing in an older journal applies to the new plan.
 */
export function resumedFrom(found: FoundJournal, plan: Plan): Resumed | undefined {
  const before = planIn(found);
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
  const made = new Set<string>(plan.calls.flatMap(({ n, creates }) => (done.has(n) || sent.has(n) ? creates : [])));
  return {
    done,
    open: new Set([...sent].filter((n) => !done.has(n) && !undone.has(n))),
    ids: Object.fromEntries(Object.entries(ids).filter(([address]) => made.has(address))),
  };
}

/**
 * Ids of the objects that the last runs of the same plan created themselves, whether they reached their ends or not: by requests that they sent, and whose
 * effects they saw.
 * @param journals of this account on this realm, the newest first
 */
export function createdBy(journals: Iterable<FoundJournal>, plan: Plan): Resumed["ids"] {
  const found: { [address: Address]: number } = {};
  for (const journal of journals) {
    const resumed = resumedFrom(journal, plan);
    if (resumed === undefined) return found;
    for (const [address, id] of createdIn(journal, plan, resumed)) found[address] ??= id;
  }
  return found;
}

function createdIn(
  { entries }: FoundJournal,
  { calls }: Plan,
  { done, ids }: Resumed,
): readonly (readonly [Address, number])[] {
  const sent = new Set(entries.flatMap((entry) => (entry.entry === "sending" ? [entry.n] : [])));
  const made = calls.flatMap(({ n, creates }) => (sent.has(n) && done.has(n) ? creates : []));
  return made.flatMap((address) => whenDefined(ids[address], (id) => [[address, id] as const]) ?? []);
}

/** What runs that did not end as intended created themselves, and what they were still to do. */
export interface LeftUndone {
  /** Ids of objects by address. */
  readonly made: Resumed["ids"];
  /** Changes that somebody confirmed with the plans of these runs, as far as no request carried them out; the oldest run first. */
  readonly changes: readonly Change[];
}

/**
 * What the last runs left undone, until one that ended as intended: whatever plans they had, since who plans the file again has another one.
 * @param journals of this account on this realm, the newest first
 * @returns undefined if they created nothing
 */
export function leftUndone(journals: Iterable<FoundJournal>): LeftUndone | undefined {
  const made: { [address: Address]: number } = {};
  const changes: Change[] = [];
  for (const journal of journals) {
    const plan = planIn(journal);
    if (plan === undefined || journal.entries.some((entry) => entry.entry === "end" && WHOLE.has(entry.outcome))) break;
    const resumed = resumedFrom(journal, plan);
    if (resumed === undefined) break;
    for (const [address, id] of createdIn(journal, plan, resumed)) made[address] ??= id;
    changes.unshift(...changesWithout(plan, resumed.done));
  }
  return Object.keys(made).length === 0 ? undefined : { made, changes };
}
const WHOLE: ReadonlySet<string> = new Set(["applied", "nothing-to-do"] satisfies ApplyOutcome[]);

/** The changes of a plan without the fields that these calls wrote. What they created is there. */
function changesWithout({ changes, calls }: Plan, done: ReadonlySet<number>): readonly Change[] {
  const left = new Map<Address, Set<string>>();
  const created = new Set<Address>();
  for (const { n, for: purposes, creates } of calls) {
    if (done.has(n)) for (const address of creates) created.add(address);
    else
      for (const { address, fields } of purposes) left.set(address, new Set([...(left.get(address) ?? []), ...fields]));
  }
  return changes.flatMap((change): Change | readonly [] => {
    const fields = left.get(change.address);
    if (fields === undefined) return [];
    if (!created.has(change.address)) return change;
    const { kind, address, name, risks } = change;
    const own = change.fields.filter(({ field }) => fields.has(field));
    return { kind, address, name, risks, action: "update", fields: own };
  });
}

/** The effects of a plan. Its guards may differ from one day to the next. */
const workOf = ({ realm, changes, calls }: Plan): string => canonicalText({ realm, changes, calls });

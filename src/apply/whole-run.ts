import { basename } from "node:path";
import type { CodeOf } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { JournalEntry } from "../model/journal.ts";
import { asJson } from "../model/json.ts";
import type { Call, Change, Plan } from "../model/plan.ts";
import { COMPLETED, type FoundJournal, parseJournal, planIn, type ReadJournal, startOf } from "./journal.ts";
import { resumedFrom } from "./resume.ts";

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

/** A run with all its journals. */
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

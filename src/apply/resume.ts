import { whenDefined } from "../model/defined.ts";
import { canonicalText } from "../model/json.ts";
import type { Address, Change, Plan } from "../model/plan.ts";
import type { ApplyOutcome } from "../model/result.ts";
import { type FoundJournal, planIn } from "./journal.ts";

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

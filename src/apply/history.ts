import type { CodeOf } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JournalDoubt } from "../model/diagnostics/runs.ts";
import type { RunSource } from "../model/journal.ts";
import { allJournals, counts, planOf, type ReadJournal } from "./journal.ts";

/** A run of this directory, as its journal says. */
interface PastRun {
  /** The name of the journal. */
  readonly journal: string;
  readonly at: string;
  readonly endedAt?: string;
  readonly realm: string;
  readonly account: string;
  readonly source?: RunSource;
  /** How many objects the plan creates, changes and removes, and how many requests it has. */
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  readonly calls: number;
  /** Requests that are known to be carried out, and those whose result is not known. */
  readonly done: number;
  readonly open: number;
  /** Absent: the run never reached its end, or is not over. */
  readonly outcome?: string;
  /** The journal of the run that took over. */
  readonly by?: string;
  readonly resumes?: string;
  /** Why nothing shows that a run of this account wrote it; undefined: it did. */
  readonly doubt?: JournalDoubt;
}

interface History {
  /** Newest first. */
  readonly runs: readonly PastRun[];
  /** How many older journals were not read. */
  readonly older: number;
  /** Journals that cannot be read. */
  readonly unreadable: readonly Diagnostic[];
  /** Files that are no journals, by their names. */
  readonly strays: readonly string[];
}

/**
 * The runs of a directory.
 * @param most how many journals are read, the newest first
 * @throws Failure if the directory of journals is a link or cannot be read
 */
export function historyOf(directory: string, codeOf: CodeOf | undefined, most: number): History {
  const runs: PastRun[] = [];
  const unreadable: Diagnostic[] = [];
  const { journals, strays, older } = allJournals(directory, codeOf, most);
  for (const found of journals) {
    if ("diagnostics" in found) unreadable.push(...found.diagnostics);
    else {
      const run = pastRun(found.journal);
      if (run !== undefined) runs.push(run);
    }
  }
  return { runs, older, unreadable, strays };
}

/**
 * The newest run of this account that sent something; undefined if there is none among so many journals. The runs of `sync` do not count: nobody began
 * them, and `sync` would do again at once what was undone.
 */
export const lastRun = (directory: string, codeOf: CodeOf | undefined, most: number): PastRun | undefined =>
  historyOf(directory, codeOf, most).runs.find(
    ({ doubt, done, open, source }) => doubt === undefined && done + open > 0 && source?.is !== "sync",
  );

function pastRun(journal: ReadJournal): PastRun | undefined {
  const [start] = journal.entries;
  if (start?.entry !== "start") return undefined;
  const plan = planOf(start.plan);
  const { done, open } = counts(journal);
  const [end] = journal.entries.flatMap((entry) => (entry.entry === "end" ? [entry] : []));
  const of = (...actions: readonly string[]): number =>
    plan?.changes.filter(({ action }) => actions.includes(action)).length ?? 0;
  const doubt = journal.doubt ?? (start.file === journal.name ? undefined : ({ is: "other-name" } as const));
  const [created, removed] = [of("create"), of("remove")];
  return {
    journal: journal.name,
    at: start.at,
    realm: start.realm,
    account: start.account,
    created,
    removed,
    changed: (plan?.changes.length ?? 0) - created - removed,
    calls: plan?.calls.length ?? 0,
    done,
    open: open.length,
    ...defined({
      source: start.source,
      endedAt: end?.at,
      outcome: end?.outcome,
      by: end?.by,
      resumes: start.resumes,
      doubt,
    }),
  };
}

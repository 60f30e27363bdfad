import { basename } from "node:path";
import type { CodeOf } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { History, PastRun } from "../model/output-schemas.ts";
import { allJournals, COMPLETED, counts, JOURNAL_DIRECTORY, planIn, type ReadJournal, startOf } from "./journal.ts";

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
  return { runs, older, unreadable, strays: [...strays] };
}

/**
 * The newest run of this account that sent something; undefined if there is none among so many journals. The runs of `sync` do not count: nobody began
 * them, and `sync` would do again at once what was undone.
 */
export function lastRun(directory: string, codeOf: CodeOf | undefined, most: number): PastRun | undefined {
  const { runs } = historyOf(directory, codeOf, most);
  const last = runs.find(
    ({ doubt, calls, source }) => doubt === undefined && calls.done + calls.open > 0 && source?.is !== "sync",
  );
  // What completed another run is a part of it, and its journal leads to this one.
  const isCompleted = ({ outcome, taken_over_by: by, doubt }: PastRun): boolean =>
    outcome === COMPLETED && doubt === undefined && basename(by ?? "") === basename(last?.journal ?? ".");
  return runs.find(isCompleted) ?? last;
}

function pastRun(journal: ReadJournal): PastRun | undefined {
  const start = startOf(journal);
  if (start === undefined) return undefined;
  const plan = planIn(journal);
  const { done, open } = counts(journal);
  const end = journal.entries.flatMap((entry) => (entry.entry === "end" ? [entry] : [])).at(-1);
  const of = (...actions: readonly string[]): number =>
    plan?.changes.filter(({ action }) => actions.includes(action)).length ?? 0;
  const doubt = journal.doubt ?? (start.file === journal.name ? undefined : ({ is: "other-name" } as const));
  const [created, removed] = [of("create"), of("remove")];
  return {
    journal: `${JOURNAL_DIRECTORY}/${journal.name}`,
    started_at: start.at,
    realm: start.realm,
    account: start.account,
    changes: { created, changed: (plan?.changes.length ?? 0) - created - removed, removed },
    calls: { all: plan?.calls.length ?? 0, done, open: open.length },
    ...defined({
      ended_at: end?.at,
      source: start.source,
      outcome: end?.outcome,
      taken_over_by: end?.by,
      resumes: start.resumes,
      doubt,
    }),
  };
}

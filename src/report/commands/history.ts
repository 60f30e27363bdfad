import { clean } from "../../model/clean.ts";
import type { JournalDoubt } from "../../model/diagnostics/runs.ts";
import type { RunSource } from "../../model/journal.ts";
import type { History, HistoryJson, PastRun } from "../../model/output-schemas.ts";
import { count } from "../../model/words.ts";
import { momentText, realmName } from "../layout.ts";
import { wordedDiagnostic } from "../words/diagnostics.ts";

/** @param hasKey without a key, nobody can say whose a journal is */
export function historyText({ runs, older, unreadable, strays }: History, hasKey: boolean): string {
  const lines = runs.flatMap((run) => [
    `${momentText(run.started_at)}  ${whatText(run)}: ${resultText(run)}`,
    `  ${amountText(run)}, ${clean(run.account)} in ${realmName(run.realm)}`,
    `  ${clean(run.journal)}${hasKey && run.doubt !== undefined ? ` — ${DOUBTS[run.doubt.is]}` : ""}`,
  ]);
  const rest = [
    ...(runs.length === 0 ? ["No runs in .realmctl."] : []),
    ...(older > 0 ? [`${count(older, "older run")} not shown: --limit ${runs.length + older} shows all.`] : []),
    ...unreadable.map((one) => `Not read: ${clean(wordedDiagnostic(one).message)}`),
    ...(strays.length > 0 ? [`No journals: ${strays.map(clean).join(", ")}`] : []),
    ...(hasKey || runs.length === 0
      ? []
      : ["There is no key here, so nothing shows which account wrote these journals."]),
  ];
  return [...lines, ...rest, ""].join("\n");
}

export const historyJson = ({ runs, older, unreadable, strays }: History, hasKey: boolean): HistoryJson => ({
  format: "realmctl.history",
  version: 1,
  runs: runs.map(({ journal, started_at, realm, account, changes, calls, doubt, ...others }) => {
    const proof = hasKey ? (doubt?.is ?? "own") : "no-key";
    return { journal, started_at, realm, account, changes, calls, proof, ...others };
  }),
  older,
  unreadable: unreadable.map((one) => ({ code: one.code, message: wordedDiagnostic(one).message })),
  strays: [...strays],
  exit_code: 0,
});

/** Before an undo that names no journal. */
export const undoesRun = (run: PastRun): string =>
  `Undoes the last run: ${whatText(run)} of ${momentText(run.started_at)}, ${amountText(run)} (${clean(run.journal)})\n`;

const DOUBTS: { readonly [doubt in JournalDoubt["is"]]: string } = {
  "no-code": "not proven: nothing shows which account wrote it",
  "other-code": "not proven: another account wrote it",
  "other-name": "not proven: it had another name",
  edited: "not proven: it was edited",
};

function whatText({ source }: PastRun): string {
  if (source === undefined) return "apply";
  return `${SOURCES[source.is]} of ${clean(source.file)}`;
}

const SOURCES: { readonly [is in RunSource["is"]]: string } = { undo: "undo", "saved-plan": "apply", sync: "sync" };

/** What a run changed, or meant to change as long as not every request is known to be done. */
function amountText({ changes: { created, changed, removed }, calls }: PastRun): string {
  const parts = [
    created > 0 ? `${created} created` : "",
    changed > 0 ? `${changed} changed` : "",
    removed > 0 ? `${removed} removed` : "",
  ].filter(Boolean);
  return parts.length === 0 ? "no changes" : `${calls.done < calls.all ? "planned: " : ""}${parts.join(", ")}`;
}

function resultText({ outcome, calls: { all, done, open }, taken_over_by: by }: PastRun): string {
  const parts = `${done} of ${count(all, "request")}`;
  const unknown = open > 0 ? `, ${open} with an unknown result` : "";
  if (outcome === undefined) return `not finished (interrupted, or still running), ${parts}${unknown}`;
  if (outcome === "taken-over")
    return `interrupted, ${parts}${unknown}${by === undefined ? "" : `; ${clean(by)} went on`}`;
  if (outcome === "completed") return `done, ${parts}${by === undefined ? "" : `; ${clean(by)} belongs to it`}`;
  if (outcome === "applied" || outcome === "nothing-to-do") return `done, ${parts}`;
  const words = { ...ENDINGS }[outcome] ?? clean(outcome);
  return `${words}, ${parts}${unknown}`;
}

const ENDINGS: { readonly [outcome: string]: string } = {
  conflict: "refused: the organization had changed",
  "in-part": "done in part",
  differs: "done, but the organization still differs",
  stopped: "interrupted",
  declined: "declined",
  "not-allowed": "refused by the server",
  unreachable: "the server was unreachable",
};

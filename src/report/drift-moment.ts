import { gathered } from "../model/diagnostics/gathered.ts";
import type { DriftMomentJson } from "../model/output-schemas.ts";
import { violatedGuards } from "../model/plan.ts";
import type { Moment } from "../model/result.ts";
import { driftCounts, objectLines, refusalLines, unmanagedLines } from "./drift.ts";
import { driftDifference } from "./drift-view.ts";
import { changeName, diagnosticLines, joinBlocks, momentText, shownMessage, shownName } from "./layout.ts";
import { clean, cleanJson, dotted, paint, type Style, sign } from "./style.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { saidGuard } from "./words/said.ts";

/** The new and the resolved differences of the drift, as they happen. */
export function renderDriftMoment(moment: Moment, style: Style, all: boolean): string {
  const { drift, appeared, ended, unmanagedNew, unmanagedGone, renamed, uncomparedNew, uncomparedGone } = moment;
  const found = driftCounts(drift);
  const state = found.length === 0 ? "no drift" : dotted(style, found);
  // Guard rails are only shown for new differences.
  const refusals = appeared.length === 0 ? [] : refusalLines(drift, style);
  const tick = paint(style, "good", sign(style, "done"));
  return joinBlocks([
    [
      paint(style, "bold", dotted(style, [momentText(drift.plan.snapshot_taken_at), state])),
      ...appeared.flatMap((change) => objectLines(change, style, all)),
      ...ended.map((change) => `  ${tick} ${changeName(change)}  matches the file again`),
      ...unmanagedNew.flatMap((item) => unmanagedLines(item, style, all)),
      ...unmanagedGone.flatMap(({ section, names }) =>
        names.map((name) => `  ${tick} ${clean(section)}: ${shownName(name)}  deleted, or in the file now`),
      ),
      ...[...renamed, ...gathered(uncomparedNew, all)].flatMap((warning) => diagnosticLines(warning, style)),
      ...uncomparedGone.map(
        (warning) => `  ${tick} no longer true: ${clean(shownMessage(wordedDiagnostic(warning).message))}`,
      ),
      ...refusals,
    ],
  ]);
}

/** The first reading, or a change since the last one, as one line of JSON. Objects have the form of the JSON of a drift. */
export function driftMomentJson(event: "start" | "change", moment: Moment): string {
  const { drift, appeared, ended, unmanagedNew, unmanagedGone } = moment;
  const line: DriftMomentJson = {
    format: "realmctl.drift-moment",
    version: 2,
    event,
    at: drift.plan.snapshot_taken_at,
    realm: drift.plan.realm.url,
    appeared: appeared.map(driftDifference),
    ended: ended.map(({ kind, address, name }) => ({ kind, address, name })),
    unmanaged_new: unmanagedNew,
    unmanaged_gone: unmanagedGone,
    looks_renamed: moment.renamed.map(wordedDiagnostic),
    uncompared_new: moment.uncomparedNew.map(wordedDiagnostic),
    uncompared_gone: moment.uncomparedGone.map(wordedDiagnostic),
    differences: drift.differences.length,
    refused_by: violatedGuards(drift.plan).map(saidGuard),
    exit_code: drift.exitCode,
  };
  return `${cleanJson(JSON.stringify(line))}\n`;
}

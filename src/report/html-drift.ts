import { defined } from "../model/defined.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Change, countUncompared, looksRenamed, warningsOfDrift } from "../model/plan.ts";
import type { Drift } from "../model/result.ts";
import { grouped } from "../model/words.ts";
import type { AccessCell, AccessMatrix, AccessRow, Shift } from "./access.ts";
import { DELETES, driftCounts } from "./drift.ts";
import { changedByText, driftChange, driftView, hasLessAccess, hasWiderAccess, stateText } from "./drift-view.ts";
import { entriesOf } from "./entries.ts";
import { accessHtml } from "./html-access.ts";
import * as html from "./html-page.ts";
import { escapeHtml, foreign, placeHtml } from "./html-page.ts";
import { changeName, matchText, realmName } from "./layout.ts";
import { PLAIN } from "./style.ts";
import { changeLines } from "./values.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { watchText } from "./words/newer.ts";

export interface DriftHtmlOptions {
  /** Whether values are shown in full length. */
  readonly all?: boolean;
  /** Where to find everything that is left out for its size. */
  readonly elsewhere?: string;
}

/** The maximum number of objects with their values. The following objects have only their names, up to the second number. */
const MOST_WHOLE = 2000;
const MOST_NAMED = 20_000;

/**
 * Objects that no longer match the file, as a page like that of a plan. Values are shown from the file to the realm.
 * @param access the access matrix of the plan that would revert the drift
 */
export function renderDriftHtml(drift: Drift, access: AccessMatrix, options: DriftHtmlOptions = {}): string {
  const { plan, differences } = drift;
  const { elsewhere = "--format json has every one", all = false } = options;
  const title = `Drift of ${realmName(plan.realm.url)}`;
  return html.page(title, headHtml(drift, title), [
    html.guards(plan, "Apply would be refused by guard rails"),
    // Neither reverting nor keeping the change is right.
    diagnosticsHtml("renamed", "Looks renamed", looksRenamed(plan)),
    ...html.kindSections(
      differences,
      (own) =>
        entriesOf(
          own.toSorted((a, b) => rank(a) - rank(b)),
          true,
        ),
      {
        whole: MOST_WHOLE,
        named: MOST_NAMED,
        entry: ({ first }) => itemHtml(first, all, plan.snapshot_taken_at),
        name: (change) => itemOf(change, ""),
        what: "more object",
        values: elsewhere,
        elsewhere,
      },
    ),
    accessHtml(backwards(access)),
    // One change can concern several places.
    diagnosticsHtml(
      "uncompared",
      "Changed on the server, not reverted by apply",
      drift.uncompared,
      countUncompared(drift.uncompared),
    ),
    diagnosticsHtml("warnings", "Warnings", warningsOfDrift(plan)),
    html.unmanaged(drift.unmanaged, elsewhere),
    html.footer(plan, "<p>Values are shown as the file has them → as the organization has them.</p>"),
  ]);
}

function headHtml({ plan, differences, uncompared }: Drift, title: string): string {
  const widened = differences.filter(widens).length;
  const [differing] = driftCounts({ differences, uncompared: [] });
  const changed = driftCounts({ differences: [], uncompared });
  const wider = widened === 0 ? "" : ` · <span class="risk">${grouped(widened)} with wider access than it says</span>`;
  const found = [
    ...(differing === undefined ? [] : [`<strong>${differing}</strong> from the file${wider}`]),
    ...changed.map((each) => `<strong>${each}</strong>`),
  ];
  const none = `<strong>No drift.</strong> ${escapeHtml(matchText(plan.matches))}`;
  const text = watchText(plan);
  const watched = text === "" ? "" : `<p class="dim">${escapeHtml(text)}</p>`;
  const shown = html.verdict(found.length === 0 ? none : found.join(" · "));
  return html.header(title, html.readFacts(plan), `${shown}${html.partial(plan)}${watched}`);
}

function diagnosticsHtml(id: string, heading: string, found: readonly Diagnostic[], number = found.length): string {
  const items = found.slice(0, MOST_DIAGNOSTICS).map((one) => html.finding(wordedDiagnostic(one)));
  const rest = html.left(found.length - items.length, "more warning", "realmctl drift");
  return html.listSection(id, `${heading}: ${grouped(number)}`, items, rest);
}

const MOST_DIAGNOSTICS = 1000;

const widens = (change: Change): boolean => hasWiderAccess(driftView(change));
const narrows = (change: Change): boolean => hasLessAccess(driftView(change));
const rank = (change: Change): number =>
  widens(change) || driftView(change).deletes_messages ? 0 : narrows(change) ? 1 : 2;

const SIGN = { create: "−", remove: "+", update: "~", reorder: "↕" } as const;
const TONE = { create: "remove", remove: "create", update: "update", reorder: "reorder" } as const;

function notesOf(change: Change): string {
  const notes = [
    ...(driftView(change).deletes_messages ? [`<span class="risk">! ${DELETES}</span>`] : []),
    ...(widens(change) ? ['<span class="risk">! widens access</span>'] : []),
    ...(narrows(change) ? ["takes access away"] : []),
    ...(stateText(change) === "" ? [] : [stateText(change)]),
  ];
  return notes.length === 0 ? "" : html.dim(notes.join(" · "));
}

function itemOf(change: Change, below: string): string {
  const name = `<strong>${foreign(changeName(change))}</strong>${placeHtml(change.at)}`;
  return html.change(TONE[change.action], SIGN[change.action], `${name}${notesOf(change)}${below}`);
}

function itemHtml(change: Change, all: boolean, readAt: string): string {
  const fields = change.action === "update" ? driftView(change).fields : [];
  const rows = fields.map((one) => html.value(one.field, changeLines(PLAIN, driftChange(one), 80, all), all));
  const by = (change.changed_by ?? []).map((one) => `<p class="dim">${foreign(changedByText(one, readAt))}</p>`);
  return itemOf(change, `${html.fields(rows)}${by.join("")}`);
}

const BACK = {
  widens: "narrows",
  narrows: "widens",
  new: "narrows",
  reopened: "narrows",
  same: "same",
  moves: "moves",
  reworded: "reworded",
  unknown: "unknown",
} as const satisfies Record<Shift, Shift>;
const STATE_NOTE = {
  kept: undefined,
  created: "missing on the server",
  archived: "archived in the file",
  unarchived: "archived on the server",
} as const satisfies Record<AccessRow["state"], string | undefined>;

/** The matrix of a plan in the opposite direction: before is the file, after is the realm. */
function backwards(access: AccessMatrix): AccessMatrix {
  const cell = ({ before, after, shift }: AccessCell): AccessCell => ({
    before: after,
    after: before,
    shift: BACK[shift],
  });
  const rows = access.rows.map((row): AccessRow => {
    const note = STATE_NOTE[row.state];
    return { ...row, state: "kept", cells: row.cells.map(cell), ...defined({ note }) };
  });
  return { ...access, rows, reads: "drift" };
}

import { valueText } from "../model/value-text.ts";
import { count, grouped } from "../model/words.ts";
import { type AccessCell, type AccessMatrix, type AccessRow, type Holders, READS, type Shift } from "./access.ts";
import { escapeHtml, foreign } from "./html-page.ts";
import { momentText } from "./layout.ts";
import { PLAIN, shorten } from "./style.ts";

/** The maximum number of rows that a phone can still scroll. */
const MOST_ROWS = 500;

const SHIFT_TEXT = {
  new: "new channel",
  reopened: "was archived, can be used again",
  widens: "more people",
  narrows: "fewer people",
  moves: "other people",
  reworded: "another setting, the same people",
  unknown: "changed, people not counted",
  same: "",
} as const satisfies Record<Shift, string>;

/** The matrix as a table; empty if there is nothing to show. Rows that do not fit are counted. */
export function accessHtml(matrix: AccessMatrix): string {
  const { rows, rights, countedAt, reads = "plan", leftOut = 0 } = matrix;
  if (rows.length === 0) return "";
  const shown = rows.slice(0, MOST_ROWS);
  const touched = shown.filter(({ isTouched }) => isTouched);
  const kept = shown.filter(({ isTouched }) => !isTouched);
  return [
    '<section id="access" data-group><h2>Who may do what</h2>',
    `<p class="dim">${intro(countedAt)}${reads === "drift" ? " Each cell: as the file says → as it is." : ""}</p>`,
    keyOf(rows, reads),
    ...(touched.length === 0 ? [] : [tableHtml("Access matrix", touched, rights)]),
    kept.length === 0
      ? ""
      : `<details${touched.length === 0 ? " open" : ""}><summary>${count(kept.length, "channel")} without a change of access</summary>${tableHtml("Access that does not change", kept, rights)}</details>`,
    left(rows.slice(MOST_ROWS), leftOut),
    "</section>",
  ].join("\n");
}

function intro(countedAt: string | undefined): string {
  if (countedAt === undefined)
    return "Only the settings that this plan changes: a saved plan does not say who is in which group. <code>realmctl show --snapshot FILE</code> counts people.";
  return `People who have each right, whatever gives it to them, also through a bot of theirs, as of ${escapeHtml(momentText(countedAt))}; bots are not counted. ≥ and ≤ are bounds: the subscribers of a private channel were not read.`;
}

function keyOf(rows: readonly AccessRow[], reads: "plan" | "drift"): string {
  const shifts = new Set(rows.flatMap(({ cells }) => cells.map(({ shift }) => shift)));
  const names = (["widens", "narrows", "new", "reopened", "moves", "reworded", "unknown"] as const).filter((shift) =>
    shifts.has(shift),
  );
  if (names.length === 0)
    return `<p>${reads === "drift" ? "Nobody has more or less access than the file says." : "Nobody gains or loses access."}</p>`;
  return `<p class="key">${names.map((shift) => `<span class="${shift}">${SHIFT_TEXT[shift]}</span>`).join("")}</p>`;
}

const rightName = (right: string): string =>
  escapeHtml(right === READS ? READS : right.replaceAll("_", " ").replace(/ group$/, ""));

/** On a phone a row is a card: every cell names its right, because there are no columns. */
function tableHtml(label: string, rows: readonly AccessRow[], rights: readonly string[]): string {
  return [
    `<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table><thead><tr><th scope="col">channel</th>`,
    ...rights.map((right) => `<th scope="col">${rightName(right)}</th>`),
    "</tr></thead><tbody>",
    ...rows.map((row) => rowHtml(row, rights)),
    "</tbody></table></div>",
  ].join("\n");
}

function rowHtml({ name, was, state, note, cells }: AccessRow, rights: readonly string[]): string {
  const notes = [
    was === undefined ? "" : was === name ? "renamed" : `was ${foreign(`#${was}`)}`,
    note ?? (state === "kept" ? "" : state),
  ].filter((text) => text !== "");
  const small = notes.length === 0 ? "" : `<br><small class="dim">${notes.join(" · ")}</small>`;
  return `<tr data-item><th scope="row">${foreign(`#${name}`)}${small}</th>${cells.map((cell, index) => cellHtml(cell, rightName(rights[index] ?? ""))).join("")}</tr>`;
}

function cellHtml({ before, after, shift }: AccessCell, right: string): string {
  if (before === undefined && after === undefined) return '<td class="dim none">–</td>';
  const label = ` data-right="${right}"`;
  if (shift === "same") return `<td class="same"${label}><div>${holdersHtml(after ?? before)}</div></td>`;
  const old = before === undefined ? "" : `<del>${holdersHtml(before)}</del>`;
  const isCounted = before?.people !== undefined || after?.people !== undefined;
  const numbers = isCounted ? `<b>${tally(before)} → ${tally(after)}</b>` : "";
  const now = after === undefined ? "nobody" : `<ins>${holdersHtml(after)}</ins>`;
  return `<td class="${shift}" title="${SHIFT_TEXT[shift]}"${label}><div>${numbers}${old}${old === "" ? "" : "<br>"}${now}</div></td>`;
}

function holdersHtml(holders: Holders | undefined): string {
  if (holders === undefined) return "";
  const text = foreign(shorten(PLAIN, valueText(holders.value), 120));
  return holders.people === undefined ? text : `${text} <span class="dim">(${tally(holders)})</span>`;
}

function tally(holders: Holders | undefined): string {
  if (holders === undefined) return "–";
  if (holders.people === undefined) return "?";
  const sign = holders.bound === undefined ? "" : holders.bound === "least" ? "≥ " : "≤ ";
  return holders.value === "web_public" ? "the web" : `${sign}${grouped(holders.people)}`;
}

function left(rows: readonly AccessRow[], leftOut: number): string {
  if (rows.length + leftOut === 0) return "";
  const touched = rows.filter(({ isTouched }) => isTouched).length;
  const kept = rows.length - touched + leftOut;
  const parts = [
    touched === 0 ? "" : `${count(touched, "channel that changes", "channels that change")}`,
    kept === 0 ? "" : `${count(kept, "channel", "channels")} whose access stays as it is`,
  ].filter((part) => part !== "");
  return `<p class="left">Not in this table: ${parts.join(" and ")}.</p>`;
}

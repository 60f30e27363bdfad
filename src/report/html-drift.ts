import { defined } from "../model/defined.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import {
  type Change,
  countUncompared,
  looksRenamed,
  type Plan,
  violatedGuards,
  warningsOfDrift,
} from "../model/plan.ts";
import type { Drift } from "../model/result.ts";
import type { AccessCell, AccessMatrix, AccessRow, Shift } from "./access.ts";
import { DELETES, driftCounts } from "./drift.ts";
import { type DriftView, driftView, hasLessAccess, hasWiderAccess, stateText } from "./drift-view.ts";
import { partialHtml } from "./html.ts";
import { accessHtml } from "./html-access.ts";
import { itemsClass, left, page, unmanagedHtml } from "./html-page.ts";
import { escapeHtml, foreign, guardHtml, placeHtml } from "./html-text.ts";
import { changeName, headingOf, matchText, momentText, realmName, sandboxText } from "./layout.ts";
import { count, grouped, PLAIN, shorten } from "./style.ts";
import { changeLines } from "./values.ts";
import { changedByText } from "./words/changed-by.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { watchText } from "./words/watched.ts";

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
  const elsewhere = options.elsewhere ?? "--format json has every one";
  const title = `Drift of ${realmName(plan.realm.url)}`;
  const kinds = [...new Set(differences.map(({ kind }) => kind))];
  const room = { whole: MOST_WHOLE, named: MOST_NAMED };
  return page(title, headHtml(drift, title), [
    guardsHtml(plan),
    renamedHtml(plan),
    ...kinds.map((kind, index) => {
      const own = differences.filter((change) => change.kind === kind).sort((a, b) => rank(a) - rank(b));
      const whole = own.slice(0, Math.max(room.whole, 20));
      const named = own.slice(whole.length, whole.length + Math.max(room.named, 0));
      room.whole -= whole.length;
      room.named -= named.length;
      return [
        `<section id="kind-${index}" data-group><h2>${escapeHtml(headingOf(kind, own))}: ${grouped(own.length)}</h2>`,
        `<ul class="${itemsClass(whole.length)}">${whole.map((change) => itemHtml(change, options.all ?? false, plan.snapshot_taken_at)).join("\n")}</ul>`,
        named.length === 0
          ? ""
          : `<details><summary>${count(named.length, "more object")}, names only (${escapeHtml(elsewhere)})</summary><ul class="items short">${named.map(nameHtml).join("\n")}</ul></details>`,
        left(own.length - whole.length - named.length, "more object", elsewhere),
        "</section>",
      ].join("\n");
    }),
    accessHtml(backwards(access)),
    // One change can concern several places.
    diagnosticsHtml(
      "uncompared",
      "Changed on the server, not reverted by apply",
      drift.uncompared,
      countUncompared(drift.uncompared),
    ),
    diagnosticsHtml("warnings", "Warnings", warningsOfDrift(plan)),
    unmanagedHtml(drift.unmanaged, elsewhere),
    `<footer><p>Values are shown as the file has them → as the organization has them.</p><p>Made by realmctl ${escapeHtml(plan.tool_version)}. This page makes no requests.</p></footer>`,
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
  const verdict =
    found.length === 0 ? `<strong>No drift.</strong> ${escapeHtml(matchText(plan.matches))}` : found.join(" · ");
  const text = watchText(plan);
  const watched = text === "" ? "" : `<p class="dim">${escapeHtml(text)}</p>`;
  return `<header><h1>${foreign(title)}</h1><p class="dim">${plan.realm.sandbox_of === undefined ? "" : `${foreign(sandboxText(plan.realm))} · `}level ${plan.server.feature_level} · read ${escapeHtml(momentText(plan.snapshot_taken_at))}</p><p class="verdict">${verdict}</p>${partialHtml(plan)}${watched}</header>`;
}

/** Guard rails that would refuse to revert the drift. */
function guardsHtml(plan: Plan): string {
  const violated = violatedGuards(plan);
  if (violated.length === 0) return "";
  const items = violated.map(guardHtml);
  return `<section id="guards" data-group class="hit"><h2>Apply would be refused by guard rails</h2><ul>${items.join("\n")}</ul></section>`;
}

/** Objects that look renamed are above all others, since neither reverting nor keeping the change is right. */
const renamedHtml = (plan: Plan): string => diagnosticsHtml("renamed", "Looks renamed", looksRenamed(plan));

function diagnosticsHtml(id: string, heading: string, found: readonly Diagnostic[], number = found.length): string {
  if (found.length === 0) return "";
  const items = found
    .slice(0, MOST_DIAGNOSTICS)
    .map(wordedDiagnostic)
    .map(({ message, hint, at }) => {
      const advice = hint === undefined ? "" : ` <span class="dim">${foreign(hint)}</span>`;
      return `<li data-item>${foreign(message)}${advice}${placeHtml(at)}</li>`;
    });
  const rest = left(found.length - items.length, "more warning", "realmctl drift");
  return `<section id="${id}" data-group><h2>${heading}: ${grouped(number)}</h2><ul>${items.join("\n")}</ul>${rest}</section>`;
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
  return notes.length === 0 ? "" : ` <span class="dim">${notes.join(" · ")}</span>`;
}

function headline(change: Change): string {
  const sign = `<span class="sign">${SIGN[change.action]}</span>`;
  return `${sign} <strong>${foreign(changeName(change))}</strong>${placeHtml(change.at)}${notesOf(change)}`;
}

const nameHtml = (change: Change): string => `<li data-item class="${TONE[change.action]}">${headline(change)}</li>`;

function itemHtml(change: Change, all: boolean, readAt: string): string {
  const rows =
    change.action === "update"
      ? driftView(change)
          .fields.map((field) => fieldHtml(field, all))
          .join("")
      : "";
  const by = (change.changed_by ?? [])
    .map((one) => `<p class="dim">${foreign(changedByText(one, readAt))}</p>`)
    .join("");
  return `<li data-item class="${TONE[change.action]}">${headline(change)}${rows === "" ? "" : `<dl>${rows}</dl>`}${by}</li>`;
}

function fieldHtml({ field, file, realm, unset, hidden }: DriftView["fields"][number], all: boolean): string {
  const lines = changeLines(PLAIN, { field, before: file, after: realm, ...defined({ unset, hidden }) }, 80, all).map(
    (line) => {
      const text = all ? line : shorten(PLAIN, line, 2000);
      const tone = text.startsWith("+ ") ? ' class="plus"' : text.startsWith("- ") ? ' class="minus"' : "";
      return `<span${tone}>${foreign(text)}</span>`;
    },
  );
  return `<dt>${foreign(field)}</dt><dd>${lines.join("")}</dd>`;
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

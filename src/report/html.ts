import type { Diagnostic } from "../model/diagnostic.ts";
import { gathered } from "../model/diagnostics/gathered.ts";
import { isList } from "../model/json.ts";
import type { Change, FieldChange, Plan } from "../model/plan.ts";
import { isRemoval } from "../model/tally.ts";
import type { AccessMatrix } from "./access.ts";
import { worstFirst } from "./action/diagnostics.ts";
import { callLines } from "./calls.ts";
import { causesFirst } from "./diagnostics-alike.ts";
import { type Entry, entriesOf, variedOf } from "./entries.ts";
import { accessHtml } from "./html-access.ts";
import { itemsClass, left, page, unmanagedHtml } from "./html-page.ts";
import { escapeHtml, foreign, guardHtml, placeHtml } from "./html-text.ts";
import {
  changeName,
  durationText,
  headingOf,
  isUndeclared,
  leftAloneText,
  momentText,
  nounOf,
  realmName,
  sandboxText,
} from "./layout.ts";
import { estimatedSeconds } from "./plan-cost.ts";
import { risksAlike, risksOf, sameFor } from "./plan-risks.ts";
import { count, grouped, PLAIN, shorten } from "./style.ts";
import { removedWord, wholeTally } from "./tally.ts";
import {
  changeLines,
  fieldValue,
  orderLines,
  ownValueText,
  shownFields,
  variedText,
  wholeValueText,
} from "./values.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { guardText } from "./words/guards.ts";
import { roleName } from "./words/names.ts";
import { newerText } from "./words/newer.ts";
import { partialParts } from "./words/partial.ts";
import { comparedWith, rehearsalParts } from "./words/rehearsal.ts";
import { riskText } from "./words/risks.ts";
import { unseenText } from "./words/unseen.ts";

export interface PlanHtmlOptions {
  /** The command that carries out this plan. */
  readonly applyWith: string;
  /** Whether values are shown in full length, and every change with its values. */
  readonly all?: boolean;
  /** Where everything that is left out for its size can be found; default: the options that show it. */
  readonly elsewhere?: string;
  /** The section with the picture of what changes about reading. */
  readonly picture?: string;
}

/** Without `all`: entries (a change or similar ones) with their values, risks, and names below one of similar ones. */
const MOST_ENTRIES = 500;
const MOST_RISKS = 200;
const MOST_LINES = 20_000;

const SIGN = { create: "+", update: "~", remove: "−", reorder: "↕" } as const satisfies Record<
  Change["action"],
  string
>;

/**
 * One self-contained page: no request leaves it, only its own style and script may run (by hash), and without the script everything works except the
 * search. Parts that are left out for their size are counted in their place.
 */
export function renderPlanHtml(plan: Plan, access: AccessMatrix, options: PlanHtmlOptions): string {
  const title = `Plan for ${realmName(plan.realm.url)}`;
  return page(title, headHtml(plan, title), [
    guardsHtml(plan),
    risksHtml(plan, options),
    warningsHtml(plan.warnings, options),
    changesHtml(plan, options),
    options.picture ?? "",
    accessHtml(access),
    unmanagedHtml(plan.unmanaged, elsewhereOf({ ...options, all: true })),
    newerHtml(plan),
    callsHtml(plan, options),
    footHtml(plan, options),
  ]);
}

function elsewhereOf({ all, elsewhere }: PlanHtmlOptions): string {
  return elsewhere ?? (all === true ? "--format json has every one" : "--all shows more, --format json has every one");
}

function headHtml(plan: Plan, title: string): string {
  const { account, changes } = plan;
  const facts = [
    ...sandboxHtml(plan),
    `as ${foreign(account.full_name)} (${account.is_bot ? "bot, " : ""}${escapeHtml(roleName(account))})`,
    `level ${plan.server.feature_level}`,
    `read ${escapeHtml(momentText(plan.snapshot_taken_at))}`,
  ];
  const verdict =
    changes.length === 0 && leftAloneText(plan) !== ""
      ? `<strong>${leftAloneText(plan)}</strong> No other changes.`
      : changes.length === 0
        ? "<strong>No changes.</strong> Everything that the file manages matches it."
        : `<strong>${count(changes.length, "change")}</strong>: ${wholeTally(changes)}`;
  return `<header><h1>${foreign(title)}</h1><p class="dim">${facts.join(" · ")}</p><p class="verdict">${verdict}</p>${partialHtml(plan)}</header>`;
}

/** The parts that were left out, for readers who assume that the page is complete. */
export function partialHtml(plan: Pick<Plan, "account" | "extra">): string {
  const { partial, unseen } = plan.extra ?? {};
  const parts = partial === undefined ? "" : partialParts(partial).map(foreign).join(" · ");
  return [
    parts === "" ? "" : `<p id="partial"><strong>Partial:</strong> ${parts}</p>`,
    unseen === undefined ? "" : `<p id="unseen"><strong>Not seen:</strong> ${foreign(unseenText(plan))}</p>`,
  ].join("");
}

const sandboxHtml = ({ realm }: Plan): readonly string[] =>
  realm.sandbox_of === undefined ? [] : [foreign(sandboxText(realm))];

function guardsHtml({ guards }: Plan): string {
  const violated = guards.filter((guard) => guard.violated);
  if (violated.length === 0) return "";
  const items = violated.map(guardHtml);
  return `<section id="guards" data-group class="hit"><h2>Refused by guard rails</h2><ul>${items.join("\n")}</ul></section>`;
}

function risksHtml(plan: Plan, options: PlanHtmlOptions): string {
  const risks = risksOf(plan);
  if (risks.length === 0) return "";
  const groups = risksAlike(risks, options.all ?? false);
  const shown = groups.slice(0, options.all === true ? MOST_LINES : MOST_RISKS);
  const items = shown.map((group) => {
    const { first, others } = group;
    const same = others.length === 0 ? "" : ` <span class="dim">${foreign(sameFor(PLAIN, group))}</span>`;
    return `<li data-item><span class="risk sign">!</span> ${foreign(riskText(first))}${same}${placeHtml(first.at)}</li>`;
  });
  const told = shown.reduce((sum, { others }) => sum + others.length + 1, 0);
  return `<section id="risks" data-group><h2>Risks: ${grouped(risks.length)}</h2><ul>${items.join("\n")}</ul>${left(risks.length - told, "more risk", elsewhereOf(options))}</section>`;
}

/** Errors, because of which a part of the file is not planned, come first and are marked. */
function warningsHtml(found: readonly Diagnostic[], options: PlanHtmlOptions): string {
  const warnings = worstFirst(causesFirst(gathered(found, options.all ?? false)));
  if (warnings.length === 0) return "";
  const shown = warnings.slice(0, MOST_RISKS);
  const items = shown.map(wordedDiagnostic).map(({ severity, message, hint, at }) => {
    const mark = severity === "error" ? '<strong class="risk">error</strong> ' : "";
    const advice = hint === undefined ? "" : ` <span class="dim">${foreign(hint)}</span>`;
    return `<li data-item>${mark}${foreign(message)}${advice}${placeHtml(at)}</li>`;
  });
  const title = warnings.some(({ severity }) => severity === "error") ? "Errors and warnings" : "Warnings";
  return `<section id="warnings" data-group><h2>${title}: ${grouped(warnings.length)}</h2><ul>${items.join("\n")}</ul>${left(warnings.length - shown.length, "more warning", elsewhereOf({ ...options, all: true }))}</section>`;
}

function changesHtml(plan: Plan, options: PlanHtmlOptions): string {
  const { all = false } = options;
  const room = { entries: all ? MOST_LINES : MOST_ENTRIES, lines: MOST_LINES };
  const kinds = [...new Set(plan.changes.map(({ kind }) => kind))];
  return kinds
    .map((kind, index) => {
      const own = plan.changes.filter((change) => change.kind === kind);
      const entries = entriesOf(own, all);
      // Some entries of every kind are shown, even if previous kinds have many.
      const whole = entries.slice(0, Math.max(room.entries, 20));
      room.entries -= whole.length;
      const others = entries.slice(whole.length).flatMap(({ changes }) => changes);
      const named = others.slice(0, Math.max(room.lines, 0));
      room.lines -= named.length;
      return [
        `<section id="kind-${index}" data-group><h2>${escapeHtml(headingOf(kind, own))}: ${grouped(own.length)}</h2>`,
        `<ul class="${itemsClass(whole.length)}">${whole.map((entry) => entryHtml(entry, options)).join("\n")}</ul>`,
        named.length === 0
          ? ""
          : `<details><summary>${count(named.length, "more change", "more changes")}, names only (${all || options.elsewhere !== undefined ? elsewhereOf(options) : "--all shows their values"})</summary><ul class="items short">${named.map(nameHtml).join("\n")}</ul></details>`,
        left(others.length - named.length, "more change", elsewhereOf(options)),
        "</section>",
      ].join("\n");
    })
    .join("\n");
}

const nameHtml = (change: Change): string =>
  `<li data-item class="${change.action}"><span class="sign">${SIGN[change.action]}</span> ${foreign(changeName(change))}${placeHtml(change.at)}</li>`;

function entryHtml(entry: Entry, options: PlanHtmlOptions): string {
  const { first, changes } = entry;
  const isRisky = changes.some(({ risks }) => risks.length > 0);
  const mark = isRisky ? '<span class="risk sign" title="has a risk">!</span>' : "";
  const sign = `<span class="sign">${SIGN[first.action]}</span>`;
  const rows = shownFields(first)
    .map((field) => fieldHtml(field, entry, options.all ?? false))
    .join("");
  const values = rows === "" ? "" : `<dl>${rows}</dl>`;
  return `<li data-item class="${first.action}">${mark}${sign} ${titleHtml(entry)}${values}${namesHtml(entry, options)}</li>`;
}

function titleHtml({ first, changes }: Entry): string {
  const away = isRemoval(first) ? ` <span class="dim">${removedWord([first])}</span>` : "";
  if (changes.length > 1) return `<strong>${escapeHtml(nounOf(first.kind, changes.length))} alike</strong>${away}`;
  const was = first.was === undefined || first.was === first.name ? "" : ` (was: ${foreign(first.was)})`;
  const place = isUndeclared(first) ? ' <span class="at">not in the file</span>' : "";
  return `<strong>${foreign(changeName(first))}</strong>${was}${away}${placeHtml(first.at)}${place}`;
}

function fieldHtml(field: FieldChange, entry: Entry, all: boolean): string {
  const { first, varying } = entry;
  const label = `<dt>${foreign(field.field)}</dt>`;
  if (varying.has(field.field))
    return `${label}<dd>${foreign(variedText(PLAIN, variedOf(entry, field.field), 80, all))}, <span class="dim">each below</span></dd>`;
  const lines = linesOf(field, first.action, all).map((line) => {
    const text = all ? line : shorten(PLAIN, line, 2000);
    const tone = text.startsWith("+ ") ? ' class="plus"' : text.startsWith("- ") ? ' class="minus"' : "";
    return `<span${tone}>${foreign(text)}</span>`;
  });
  return `${label}<dd>${lines.join("")}</dd>`;
}

function linesOf(field: FieldChange, action: Change["action"], all: boolean): readonly string[] {
  const { before, after } = field;
  const own = fieldValue(field, action);
  if (own !== undefined) return [wholeValueText(PLAIN, field, own, 80, all)];
  if (action === "reorder" && isList(before) && isList(after))
    return orderLines(PLAIN, before, after, all ? MOST_LINES : 50);
  return changeLines(PLAIN, field, 80, all);
}

/** The names of similar changes, each with its place. */
function namesHtml({ changes, varying }: Entry, options: PlanHtmlOptions): string {
  if (changes.length === 1) return "";
  const shown = changes.slice(0, MOST_LINES);
  const items = shown.map((change) => {
    const values = [...varying].flatMap((field) => {
      const value = ownValueText(PLAIN, change, field);
      return value === undefined
        ? []
        : [` <span class="dim">${foreign(field)}</span> ${foreign(shorten(PLAIN, value, 2000))}`];
    });
    return `<li>${foreign(change.name)}${values.join("")}${placeHtml(change.at)}</li>`;
  });
  return `<details${changes.length <= 12 ? " open" : ""}><summary>${count(changes.length, "name")}</summary><ul class="names">${items.join("\n")}</ul>${left(changes.length - shown.length, "more name", elsewhereOf({ ...options, all: true }))}</details>`;
}

/** The calls of the plan. */
function callsHtml(plan: Plan, options: PlanHtmlOptions): string {
  if (plan.calls.length === 0) return "";
  const shown = callLines({ calls: plan.calls.slice(0, MOST_LINES) }, options.all);
  const items = shown.map((line) => `<li>${foreign(line)}</li>`);
  return `<details id="calls"><summary>Every call: ${grouped(plan.calls.length)}</summary><ul class="names">${items.join("\n")}</ul>${left(plan.calls.length - shown.length, "more call", elsewhereOf({ ...options, all: true }))}</details>`;
}

function footHtml(plan: Plan, { applyWith }: PlanHtmlOptions): string {
  const { emails, notices_in: notices, direct_messages: direct = 0 } = plan.side_effects;
  const apply = applyWith === "" ? "" : `<p>Apply with: <code>${foreign(applyWith)}</code></p>`;
  const guards = plan.guards.filter(({ violated }) => !violated).map((guard) => foreign(guardText(guard)));
  const passed = guards.length === 0 ? "" : `<p>Guards: ${guards.join(" · ")}</p>`;
  const made = `<p>Made by realmctl ${escapeHtml(plan.tool_version)}. This page makes no requests.</p>`;
  if (plan.changes.length === 0) return `<footer>${passed}${made}</footer>`;
  const calls = [
    `${count(plan.calls.length, "write")} (${grouped(plan.least_calls)} is the least possible)`,
    durationText(estimatedSeconds(plan)),
    notices.length === 0 ? "no public notices" : `public notices in ${count(notices.length, "channel")}`,
    ...(direct === 0 ? [] : [count(direct, "direct message")]),
    emails === 0 ? "no e-mails" : count(emails, "e-mail"),
  ];
  const { rehearsal } = plan.extra ?? {};
  const rehearsed =
    rehearsal === undefined
      ? ""
      : `<p id="rehearsal">Rehearsed: ${rehearsalParts(rehearsal, { against: comparedWith(plan) })
          .map(foreign)
          .join(" · ")}.</p>`;
  return `<footer><p>Applying sends ${calls.join(" · ")}.</p>${rehearsed}${passed}${apply}${made}</footer>`;
}

function newerHtml({ extra, server }: Plan): string {
  const text = newerText(extra?.newer ?? [], server.feature_level);
  return text === "" ? "" : `<p class="dim">${escapeHtml(text)}</p>`;
}

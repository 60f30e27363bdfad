import type { Diagnostic } from "../model/diagnostic.ts";
import type { Change, FieldChange, Plan } from "../model/plan.ts";
import { isRemoval } from "../model/tally.ts";
import { count, grouped } from "../model/words.ts";
import type { AccessMatrix } from "./access.ts";
import { worstFirst } from "./action/diagnostics.ts";
import { causesFirst, gathered } from "./alike.ts";
import { type Entry, entriesOf, variedOf } from "./entries.ts";
import { accessHtml } from "./html-access.ts";
import * as html from "./html-page.ts";
import { escapeHtml, foreign, placeHtml } from "./html-page.ts";
import { changeName, isUndeclared, leftAloneText, nounOf, realmName } from "./layout.ts";
import { callLines, sendsParts } from "./plan-cost.ts";
import { risksAlike, sameFor, unrefusedRisks } from "./plan-risks-and-guards.ts";
import { PLAIN, shorten } from "./style.ts";
import { removedWord, wholeTally } from "./tally.ts";
import { fieldLines, ownValueText, shownFields, variedText } from "./values.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { guardText } from "./words/guards.ts";
import { roleName } from "./words/names.ts";
import { newerText } from "./words/newer.ts";
import { comparedWith, rehearsalParts } from "./words/rehearsal.ts";
import { riskText } from "./words/risks.ts";

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
  return html.page(title, headHtml(plan, title), [
    html.guards(plan, "Refused by guard rails"),
    risksHtml(plan, options),
    warningsHtml(plan.warnings, options),
    changesHtml(plan, options),
    options.picture ?? "",
    accessHtml(access),
    html.unmanaged(plan.unmanaged, elsewhereOf({ ...options, all: true })),
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
  const who = `as ${foreign(account.full_name)} (${account.is_bot ? "bot, " : ""}${escapeHtml(roleName(account))})`;
  const text =
    changes.length === 0 && leftAloneText(plan) !== ""
      ? `<strong>${leftAloneText(plan)}</strong> No other changes.`
      : changes.length === 0
        ? "<strong>No changes.</strong> Everything that the file manages matches it."
        : `<strong>${count(changes.length, "change")}</strong>: ${wholeTally(changes)}`;
  return html.header(title, html.readFacts(plan, who), `${html.verdict(text)}${html.partial(plan)}`);
}

function risksHtml(plan: Plan, options: PlanHtmlOptions): string {
  const risks = unrefusedRisks(plan);
  const groups = risksAlike(risks, options.all ?? false);
  const shown = groups.slice(0, options.all === true ? MOST_LINES : MOST_RISKS);
  const items = shown.map((group) => {
    const { first, others } = group;
    const same = others.length === 0 ? "" : html.dim(foreign(sameFor(PLAIN, group)));
    return html.item(`<span class="risk sign">!</span> ${foreign(riskText(first))}${same}${placeHtml(first.at)}`);
  });
  const told = shown.reduce((sum, { others }) => sum + others.length + 1, 0);
  const rest = html.left(risks.length - told, "more risk", elsewhereOf(options));
  return html.listSection("risks", `Risks: ${grouped(risks.length)}`, items, rest);
}

/** Errors, because of which a part of the file is not planned, come first and are marked. */
function warningsHtml(found: readonly Diagnostic[], options: PlanHtmlOptions): string {
  const warnings = worstFirst(causesFirst(gathered(found, options.all ?? false)));
  const isError = ({ severity }: Pick<Diagnostic, "severity">): boolean => severity === "error";
  const items = warnings
    .slice(0, MOST_RISKS)
    .map(wordedDiagnostic)
    .map((one) => html.finding(one, isError(one) ? '<strong class="risk">error</strong> ' : ""));
  const title = warnings.some(isError) ? "Errors and warnings" : "Warnings";
  const rest = html.left(warnings.length - items.length, "more warning", elsewhereOf({ ...options, all: true }));
  return html.listSection("warnings", `${title}: ${grouped(warnings.length)}`, items, rest);
}

function changesHtml({ changes }: Plan, options: PlanHtmlOptions): string {
  const { all = false } = options;
  const elsewhere = elsewhereOf(options);
  return html
    .kindSections(changes, (own) => entriesOf(own, all), {
      whole: all ? MOST_LINES : MOST_ENTRIES,
      named: MOST_LINES,
      entry: (entry) => entryHtml(entry, options),
      name: (change) =>
        html.change(change.action, SIGN[change.action], `${foreign(changeName(change))}${placeHtml(change.at)}`),
      what: "more change",
      values: all || options.elsewhere !== undefined ? elsewhere : "--all shows their values",
      elsewhere,
    })
    .join("\n");
}

function entryHtml(entry: Entry, options: PlanHtmlOptions): string {
  const { first, changes } = entry;
  const isRisky = changes.some(({ risks }) => risks.length > 0);
  const mark = isRisky ? '<span class="risk sign" title="has a risk">!</span>' : "";
  const rows = shownFields(first).map((field) => fieldHtml(field, entry, options.all ?? false));
  const content = `${titleHtml(entry)}${html.fields(rows)}${namesHtml(entry, options)}`;
  return html.change(first.action, SIGN[first.action], content, mark);
}

function titleHtml({ first, changes }: Entry): string {
  const away = isRemoval(first) ? html.dim(removedWord([first])) : "";
  if (changes.length > 1) return `<strong>${escapeHtml(nounOf(first.kind, changes.length))} alike</strong>${away}`;
  const was = first.was === undefined || first.was === first.name ? "" : ` (was: ${foreign(first.was)})`;
  const place = isUndeclared(first) ? ' <span class="at">not in the file</span>' : "";
  return `<strong>${foreign(changeName(first))}</strong>${was}${away}${placeHtml(first.at)}${place}`;
}

function fieldHtml(field: FieldChange, entry: Entry, all: boolean): string {
  const { first, varying } = entry;
  if (!varying.has(field.field)) {
    const lines = fieldLines(PLAIN, field, first.action, { columns: 80, all, most: all ? MOST_LINES : 50 });
    return html.value(field.field, lines, all);
  }
  const varied = foreign(variedText(PLAIN, variedOf(entry, field.field), 80, all));
  return `<dt>${foreign(field.field)}</dt><dd>${varied},${html.dim("each below")}</dd>`;
}

function namesHtml({ changes, varying }: Entry, options: PlanHtmlOptions): string {
  if (changes.length === 1) return "";
  const items = changes.slice(0, MOST_LINES).map((change) => {
    const values = [...varying].flatMap((field) => {
      const value = ownValueText(PLAIN, change, field);
      return value === undefined ? [] : [`${html.dim(foreign(field))} ${foreign(shorten(PLAIN, value, 2000))}`];
    });
    return `<li>${foreign(change.name)}${values.join("")}${placeHtml(change.at)}</li>`;
  });
  const rest = html.left(changes.length - items.length, "more name", elsewhereOf({ ...options, all: true }));
  return html.folded(count(changes.length, "name"), `${html.list(items, "names")}${rest}`, changes.length <= 12);
}

function callsHtml({ calls }: Plan, options: PlanHtmlOptions): string {
  if (calls.length === 0) return "";
  const shown = callLines({ calls: calls.slice(0, MOST_LINES) }, options.all);
  const items = shown.map((line) => `<li>${foreign(line)}</li>`);
  const rest = html.left(calls.length - shown.length, "more call", elsewhereOf({ ...options, all: true }));
  return `<details id="calls"><summary>Every call: ${grouped(calls.length)}</summary>${html.list(items, "names")}${rest}</details>`;
}

function footHtml(plan: Plan, { applyWith }: PlanHtmlOptions): string {
  const guards = plan.guards.filter(({ violated }) => !violated).map((guard) => foreign(guardText(guard)));
  const passed = guards.length === 0 ? "" : `<p>Guards: ${guards.join(" · ")}</p>`;
  if (plan.changes.length === 0) return html.footer(plan, passed);
  const sends = sendsParts(plan, `${grouped(plan.least_calls)} is the least possible`);
  const { rehearsal } = plan.extra ?? {};
  const parts = rehearsal === undefined ? [] : rehearsalParts(rehearsal, { against: comparedWith(plan) });
  const rehearsed = parts.length === 0 ? "" : `<p id="rehearsal">Rehearsed: ${parts.map(foreign).join(" · ")}.</p>`;
  const apply = applyWith === "" ? "" : `<p>Apply with: <code>${foreign(applyWith)}</code></p>`;
  return html.footer(plan, `<p>Applying sends ${sends.join(" · ")}.</p>`, rehearsed, passed, apply);
}

function newerHtml({ extra, server }: Plan): string {
  const text = newerText(extra?.newer ?? [], server.feature_level);
  return text === "" ? "" : `<p class="dim">${escapeHtml(text)}</p>`;
}

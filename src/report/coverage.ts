import type { Covered, NotCovered } from "../model/coverage.ts";
import { groupedBy } from "../model/lazy.ts";
import type { Drift } from "../model/result.ts";
import { count, grouped, listNames } from "../model/words.ts";
import * as html from "./html-page.ts";
import { escapeHtml, foreign } from "./html-page.ts";
import { counted, isSingleton, type Line, objectName, printText, realmName, shownName } from "./layout.ts";
import { paint, type Style } from "./style.ts";
import { partialLines } from "./text.ts";
import { watchText } from "./words/newer.ts";

const WHY = {
  "not-written": "the entry does not have it",
  "only-adds": "in part, since the list is not exact: who else is in it is no difference",
  "not-in-file": "not in the file",
  "left-aside": "left aside by manage",
  "no-section": "the file has no such section",
  unresolved: "a name does not resolve, or this account does not see whom it means",
  held: "an error is about the object",
  inactive: "not in the file, and archived or deactivated",
  "too-old": "newer than the server",
  "not-told": "the server does not tell its value",
  "not-read": "not read, or this account does not see it",
  newer: "newer than this version of realmctl",
  "private-channels": "perhaps a private channel that this account does not see",
  "others-invitations": "perhaps an invitation of somebody else, which this account does not see",
  invitations: "this account does not see invitations",
  addresses: "perhaps an address that this account does not see",
  "names-unseen": "names something that this account does not see",
} as const satisfies { readonly [why in NotCovered]: string };

const whyText = ({ why, policy }: Covered): string =>
  why === undefined ? "compared" : policy === undefined ? WHY[why] : `${WHY[why]} (${policy})`;

/** More names than this are counted, unless all were asked for. */
const MOST_NAMED = 12;

/** Which fields are compared with the file, and why not the others: a summary, then each section. */
export function renderCoverage(
  drift: Drift,
  { style, all = false }: { readonly style: Style; readonly all?: boolean },
): string {
  const coverage = drift.plan.extra?.coverage ?? [];
  return printText(style, [
    [
      ...partialLines(drift.plan, style),
      { text: paint(style, "bold", watchText(drift.plan)) },
      { text: differsText(drift) },
    ],
    reasonsIn(coverage).map(([why, rows]) => ({ lead: "  ", text: `${grouped(rows.length)}  ${why}`, indent: 4 })),
    ...sectionsIn(coverage).map(([section, rows]) => sectionLines(section, rows, style, all)),
  ]);
}

const fields = (number: number): string => count(number, "field");

const differsText = ({ differences }: Drift): string =>
  differences.length === 0
    ? "Nothing that is compared differs."
    : `${count(differences.length, "object differs", "objects differ")}: realmctl drift shows what.`;

const reasonsIn = (rows: readonly Covered[]) => [...groupedBy(rows, whyText)];
const sectionsIn = (rows: readonly Covered[]) => [...groupedBy(rows, ({ section }) => section)];

function sectionLines(section: string, rows: readonly Covered[], style: Style, all: boolean): readonly Line[] {
  const most = all ? Number.POSITIVE_INFINITY : MOST_NAMED;
  return [
    { text: paint(style, "bold", headText(section, rows)) },
    ...reasonsIn(rows).map(([why, own]) => ({
      lead: "  ",
      text: `${why}: ${listNames(namesIn(own, all), most)}`,
      indent: 4,
    })),
  ];
}

/** How many objects a section has, settings one for each field, and how many of the fields are compared. */
function headText(section: string, rows: readonly Covered[]): string {
  const objects = new Set(rows.map(({ kind, name, field }) => (isSingleton(kind, name) ? field : name)));
  const compared = rows.filter((row) => row.compared !== "no").length;
  return `${counted(section, objects.size)}: ${grouped(compared)} of ${fields(rows.length)} compared`;
}

/** Reasons that are about a whole object. */
const isOfNoEntry = (why: Covered["why"]): boolean => why === "not-in-file" || why === "left-aside";

/** Of an object without an entry, its name; otherwise each field, with the number of objects that have it, or their names. */
function namesIn(rows: readonly Covered[], all: boolean): readonly string[] {
  const isOfObjects = rows.every(({ field, why }) => field === undefined || isOfNoEntry(why));
  if (isOfObjects) return [...new Set(rows.map(({ kind, name }) => objectName(kind, name)))];
  return [...groupedBy(rows, ({ field }) => field ?? "")].map(([field, own]) => {
    const names = own.map(({ kind, name }) => (field === "" ? objectName(kind, name) : shownName(name)));
    if (field === "") return names.join(", ");
    if (own.length === 1 && own[0]?.name === "organization") return field;
    return all ? `${field} (${names.join(", ")})` : `${field} ${grouped(own.length)}`;
  });
}

/** The same as a page with a table for each section: objects, and their fields by whether they are compared. */
export function renderCoverageHtml(drift: Drift): string {
  const { plan } = drift;
  const coverage = plan.extra?.coverage ?? [];
  const title = `Coverage of ${realmName(plan.realm.url)}`;
  const reasons = reasonsIn(coverage).map(([why, rows]) => `<li>${fields(rows.length)}: ${escapeHtml(why)}</li>`);
  const verdict = `${html.verdict(escapeHtml(watchText(plan)))}<p>${escapeHtml(differsText(drift))}</p>`;
  const head = html.header(title, html.readFacts(plan), `${verdict}${html.partial(plan)}<ul>${reasons.join("")}</ul>`);
  return html.page(title, head, [
    ...sectionsIn(coverage).map(([section, rows], index) => tableHtml(section, rows, index)),
    html.footer(plan),
  ]);
}

function tableHtml(section: string, rows: readonly Covered[], index: number): string {
  const objects = [...groupedBy(rows, ({ name }) => name)];
  const lines = objects.map(([name, own]) => {
    const [first] = own;
    const [yes, no] = [own.filter((row) => row.compared === "yes"), own.filter((row) => row.compared !== "yes")];
    const reasons = reasonsIn(no).map(([why, some]) => {
      const named = some.flatMap(({ field }) => field ?? []);
      const list = named.length === 0 || isOfNoEntry(some[0]?.why) ? "" : `: ${named.map(foreign).join(", ")}`;
      return `${escapeHtml(why)}${list}`;
    });
    return `<tr data-item><th scope="row">${foreign(first === undefined ? name : objectName(first.kind, name))}</th>${cellHtml("compared", yes.map(({ field = "" }) => foreign(field)).join(", "))}${cellHtml("not compared", reasons.join("<br>"))}</tr>`;
  });
  const table = `<div class="scroll"><table><thead><tr><th>Object</th><th>Compared</th><th>Not compared</th></tr></thead><tbody>${lines.join("\n")}</tbody></table></div>`;
  return html.section(`section-${index}`, foreign(headText(section, rows)), `\n${table}`);
}

/** One element inside: on a phone a cell is a grid of its label and this. */
const cellHtml = (label: string, html: string): string =>
  html === "" ? '<td class="dim none">–</td>' : `<td data-right="${label}"><div>${html}</div></td>`;

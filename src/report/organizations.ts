import { clean } from "../model/clean.ts";
import { EXIT } from "../model/diagnostic.ts";
import type { OrganizationRow, OrganizationSummary } from "../model/organizations.ts";
import { count, grouped } from "../model/words.ts";
import { realmName } from "./layout.ts";
import { cleanJson, displayWidth, dotted, padTo, paint, type Style, shorten, wrap } from "./style.ts";

/** Columns of a name in the table. */
const WIDEST_NAME = 60;
const GUARDS = { ok: "ok", ask: "ask", refuse: "refuse" } as const;

interface Column {
  readonly head: string;
  /** The position among the cells of a row. */
  readonly at: number;
  readonly isNumber: boolean;
  readonly isOfPlans: boolean;
}
type ShownColumn = Column & { readonly width: number };

const COLUMNS: readonly Column[] = [
  { head: "organization", at: 0, isNumber: false, isOfPlans: false },
  { head: "changes", at: 1, isNumber: true, isOfPlans: true },
  { head: "risks", at: 2, isNumber: true, isOfPlans: true },
  { head: "guards", at: 3, isNumber: false, isOfPlans: true },
  { head: "exit", at: 4, isNumber: true, isOfPlans: false },
];

export function organizationHeading(
  { file, realm }: Pick<OrganizationSummary, "file" | "realm">,
  style: Style,
): string {
  const parts = [clean(file), ...(realm === null ? [] : [realmName(realm)])];
  return `${paint(style, "bold", `== ${parts.join(" · ")}`)}\n`;
}

/** A line of JSON of one organization's run, with its name: lines of several organizations may be mixed. */
export function eventOfOrganization(
  line: string,
  { file, realm }: Pick<OrganizationSummary, "file" | "realm">,
): string {
  const { format, version, at, event, ...fields }: { readonly [name: string]: unknown } = JSON.parse(line);
  return `${cleanJson(JSON.stringify({ format, version, at, event, organization: { file, realm }, ...fields }))}\n`;
}

/** The last line, about all organizations. */
export function organizationsEvent(
  organizations: readonly OrganizationSummary[],
  { now, passedOver }: { readonly now: number; readonly passedOver: readonly string[] },
): string {
  const head = { format: "realmctl.apply-event", version: 2, at: new Date(now).toISOString(), event: "organizations" };
  const exit_code = highestOf(organizations);
  return `${cleanJson(JSON.stringify({ ...head, organizations, passed_over: passedOver, exit_code }))}\n`;
}

/** A line for each organization, and one for all. */
export function renderOrganizations(
  all: readonly OrganizationRow[],
  { style, passedOver }: { readonly style: Style; readonly passedOver: readonly string[] },
): string {
  // A command that plans nothing leaves the columns of plans empty.
  const isPlanned = all.some(({ changes }) => changes !== null);
  const shown = COLUMNS.filter(({ isOfPlans }) => isPlanned || !isOfPlans);
  const rows = all.map(rowOf);
  const columns = shown.map((column) => ({
    ...column,
    width: Math.max(...[column.head, ...rows.map((row) => row[column.at] ?? "")].map(displayWidth)),
  }));
  const width = columns.reduce((sum, one) => sum + one.width + 2, -2);
  const lines = rows.flatMap((row) => (width > style.width ? narrow(row, style) : wide(row, columns, style)));
  const heads = COLUMNS.map(({ head }) => head);
  const head =
    rows.length === 0 || width > style.width
      ? []
      : wide(heads, columns, style).map((line) => paint(style, "dim", line));
  const over =
    passedOver.length === 0
      ? []
      : wrap(
          `Skipped, because they do not name an organization (realm:): ${passedOver.map(clean).join(", ")}`,
          style.width,
        );
  return `${[...head, ...lines, ...wrap(totalOf(all, style), style.width), ...over].join("\n")}\n`;
}

/** A line of the table; its message is on the next line if there is no room. */
function wide(row: readonly string[], columns: readonly ShownColumn[], style: Style): readonly string[] {
  const cells = columns.map(({ at, width, isNumber }) => {
    const cell = row[at] ?? "";
    return isNumber ? `${" ".repeat(width - displayWidth(cell))}${cell}` : padTo(cell, width);
  });
  const line = cells.join("  ").trimEnd();
  const word = row[5] ?? "";
  if (word === "") return [line];
  const whole = `${cells.join("  ")}  ${word}`;
  return displayWidth(whole) <= style.width
    ? [whole]
    : [line, ...wrap(word, style.width - 2).map((part) => `  ${part}`)];
}

/** A row for narrow terminals: the name, and the columns of the table below it. */
function narrow(
  [name = "", changes = "", risks = "", guards = "", exit = "", word = ""]: readonly string[],
  style: Style,
): readonly string[] {
  const known = changes === "-" ? [] : [`changes ${changes}`, `risks ${risks}`, `guards ${guards}`];
  const about = dotted(style, [...known, `exit ${exit}`, word]);
  return [name, ...wrap(about, style.width - 2).map((line) => `  ${line}`)];
}

function rowOf(row: OrganizationRow): string[] {
  const { file, realm, changes, risks, guards, exit_code } = row;
  const name = shorten(
    { colour: false, width: 100, unicode: true },
    clean(realm === null ? file : realmName(realm)),
    WIDEST_NAME,
  );
  const number = (value: number | null): string => (value === null ? "-" : grouped(value));
  return [name, number(changes), number(risks), guards === null ? "-" : GUARDS[guards], String(exit_code), wordOf(row)];
}

/** The message of a row, if its number does not show the result. */
function wordOf({ started, isDeclined, codes, changes, uncompared }: OrganizationRow): string {
  if (!started) return "not started";
  const parts = isDeclined === true ? ["not applied"] : codes.slice(0, 2).map(clean);
  const left = uncompared ?? 0;
  if (left > 0) parts.push(`${grouped(left)} ${(changes ?? 0) > 0 ? "more " : ""}that apply does not revert`);
  return parts.join(", ");
}

/** "3 organizations · 1 with changes · 1 failed · exit code 7" */
function totalOf(all: readonly OrganizationRow[], style: Style): string {
  const changed = all.filter(({ changes }) => changes !== null && changes > 0).length;
  const left = all.filter(({ uncompared }) => uncompared !== null && uncompared > 0).length;
  const failed = all.filter(
    ({ exit_code, started, isDeclined }) =>
      started && isDeclined !== true && exit_code !== EXIT.done && exit_code !== EXIT.changesPending,
  );
  const declined = all.filter(({ isDeclined }) => isDeclined === true).length;
  const waiting = all.filter(({ started }) => !started).length;
  return dotted(style, [
    count(all.length, "organization"),
    changed === 0 ? "" : `${grouped(changed)} with changes`,
    left === 0 ? "" : `${grouped(left)} with what apply does not revert`,
    failed.length === 0 ? "" : `${grouped(failed.length)} failed`,
    declined === 0 ? "" : `${grouped(declined)} not applied`,
    waiting === 0 ? "" : `${grouped(waiting)} not started`,
    `exit code ${highestOf(all)}`,
  ]);
}

/** The exit code of the command. */
export function highestOf(all: readonly Pick<OrganizationSummary, "exit_code">[]): number {
  return all.reduce((highest, { exit_code }) => Math.max(highest, exit_code), 0);
}

import { EXIT } from "../model/diagnostic.ts";
import type { OrganizationRow, OrganizationSummary } from "../model/organizations.ts";
import { realmName } from "./layout.ts";
import {
  clean,
  cleanJson,
  count,
  displayWidth,
  dotted,
  grouped,
  padTo,
  paint,
  type Style,
  shorten,
  wrap,
} from "./style.ts";

/** Columns of a name in the table. */
const WIDEST_NAME = 60;
const GUARDS = { ok: "ok", ask: "ask", refuse: "refuse" } as const;

/** What stands above the part of one organization in the output of many. */
export function organizationHeading(
  { file, realm }: Pick<OrganizationSummary, "file" | "realm">,
  style: Style,
): string {
  const parts = [clean(file), ...(realm === null ? [] : [realmName(realm)])];
  return `${paint(style, "bold", `== ${parts.join(" · ")}`)}\n`;
}

/** A line of JSON of one organization's run, naming the organization: lines of several may stand between each other. */
export function eventOfOrganization(
  line: string,
  { file, realm }: Pick<OrganizationSummary, "file" | "realm">,
): string {
  const { format, version, at, event, ...fields }: { readonly [name: string]: unknown } = JSON.parse(line);
  return `${cleanJson(JSON.stringify({ format, version, at, event, organization: { file, realm }, ...fields }))}\n`;
}

/** The last line, of them all. */
export function organizationsEvent(
  organizations: readonly OrganizationSummary[],
  { now, passedOver }: { readonly now: number; readonly passedOver: readonly string[] },
): string {
  const head = { format: "realmctl.apply-event", version: 1, at: new Date(now).toISOString(), event: "organizations" };
  const exit_code = highestOf(organizations);
  return `${cleanJson(JSON.stringify({ ...head, organizations, passed_over: passedOver, exit_code }))}\n`;
}

/** A line for each organization, and one for all. */
export function renderOrganizations(
  all: readonly OrganizationRow[],
  { style, passedOver }: { readonly style: Style; readonly passedOver: readonly string[] },
): string {
  const rows = [["organization", "changes", "risks", "guards", "exit", ""], ...all.map(rowOf)];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ""))));
  const lines = rows.map((row) => {
    const cells = row.slice(0, 5).map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 || column === 3 ? padTo(cell, width) : `${" ".repeat(width - displayWidth(cell))}${cell}`;
    });
    return `${cells.join("  ")}${row[5] === "" ? "" : `  ${row[5]}`}`.trimEnd();
  });
  const [head = "", ...others] = lines;
  const over =
    passedOver.length === 0
      ? []
      : wrap(`Passed over, since they have no realm: ${passedOver.map(clean).join(", ")}`, style.width);
  return `${[paint(style, "dim", head), ...others, ...wrap(totalOf(all, style), style.width), ...over].join("\n")}\n`;
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

/** What a row says of itself, if the number does not say it. */
function wordOf({ started, isDeclined, codes }: OrganizationRow): string {
  if (!started) return "not started";
  return isDeclined === true ? "not applied" : codes.slice(0, 2).map(clean).join(", ");
}

/** "3 organizations · 1 with changes · 1 failed · exit code 7" */
function totalOf(all: readonly OrganizationRow[], style: Style): string {
  const changed = all.filter(({ changes }) => changes !== null && changes > 0).length;
  const failed = all.filter(
    ({ exit_code, started, isDeclined }) =>
      started && isDeclined !== true && exit_code !== EXIT.done && exit_code !== EXIT.changesPending,
  );
  const declined = all.filter(({ isDeclined }) => isDeclined === true).length;
  const waiting = all.filter(({ started }) => !started).length;
  return dotted(style, [
    count(all.length, "organization"),
    changed === 0 ? "" : `${grouped(changed)} with changes`,
    failed.length === 0 ? "" : `${grouped(failed.length)} failed`,
    declined === 0 ? "" : `${grouped(declined)} not applied`,
    waiting === 0 ? "" : `${grouped(waiting)} not started`,
    `exit code ${highestOf(all)}`,
  ]);
}

/** What the command ends with. */
export function highestOf(all: readonly Pick<OrganizationSummary, "exit_code">[]): number {
  return all.reduce((highest, { exit_code }) => Math.max(highest, exit_code), 0);
}

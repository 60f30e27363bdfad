import { defined, whenDefined } from "../model/defined.ts";
import { finding, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import { isRightName } from "../model/permission-settings.ts";
import type { SourceDocument } from "../source/load.ts";
import { commentAt } from "./item-issues.ts";
import type { Report } from "./report.ts";

/** `{{ name }}` (`${{ name }}` is no reference, which is an error), `{% if %}`, `<%= name %>`, `%NAME%`, `$(name)`, `$NAME`: another program would have replaced it. `${name}` is ours. */
const TEMPLATE =
  /(?<!\$)\{\{[-~]?\s*([^{}\n]*?)\s*[-~]?\}\}|\{%.*?%\}|<%.*?%>|%([A-Z][A-Z0-9_]+)%|\$\(([A-Za-z_]\w*)\)|(?<![\w\\$])\$(?!HOME\b|PWD\b)([A-Z][A-Z0-9_]{2,}|[a-z_]\w*$)\b/;
/** What people write until they know the value. */
const PLACEHOLDER =
  /^<[A-Za-z][\w -]*>$|\bCHANGE[_-]?ME\b|\bREPLACE[_-]?ME\b|^(?:TODO|FIXME|TBD)\b|\byour[_-]\w+[_-]here\b/;

/**
 * Warns of texts that look as if somebody, or another program, should have filled them in: quoted, they are plain texts, and would be planned as they
 * are. Variables may have such values: their writer knows.
 */
export function checkPlaceholders({ root, places }: SourceDocument, report: Report): void {
  // What is wrong with the address of an organization is an error of its own.
  const without = ["vars", "realm"];
  for (const container of places.containers(root, without))
    for (const { key, value } of places.entries(container)) {
      if (container === root && without.includes(String(key))) continue;
      const name = typeof key === "string" ? placeholderIn(key, "name") : undefined;
      if (name !== undefined) report.addFound(name, places.keySpan(container, [key]));
      const text = typeof value === "string" ? placeholderIn(value, "value") : undefined;
      if (text !== undefined)
        report.addFound(text, report.spanIn(places.valueSpan(container, [key]), text.fact.text.quoted));
    }
}

/**
 * Warns of fields whose text is a comment: `description: #eng talk` has no value, so it would clear the description. The entry of
 * a section needs no value. A right with nothing behind its colon is a line that somebody did not finish: nobody would have it.
 */
export function checkCommentedValues({ root, places }: SourceDocument, kinds: readonly ResourceKind[], report: Report) {
  const sections = new Set(kinds.flatMap(({ shape, section }) => (shape === "map" ? [root[section]] : [])));
  for (const container of places.containers(root))
    for (const { key, value } of places.entries(container)) {
      if (value !== null || typeof key !== "string" || sections.has(container)) continue;
      const at = places.valueSpan(container, [key]);
      const found = commentAt(report, at);
      const is_right = isRightName(key) && !isWrittenNull(report, at);
      const place = found?.at ?? at;
      if ((found === undefined && !is_right) || place === undefined || report.isToldAt(place)) continue;
      const fact = {
        field: quote(key),
        ...defined({ comment: whenDefined(found?.text, quote), is_right: is_right || undefined }),
      };
      report.add("config/comment-as-value", fact, place, { severity: "warning" });
    }
}

/** Whether somebody wrote that there is no value: the place of an empty value is that of its key. */
const isWrittenNull = (report: Report, at: Span | undefined): boolean =>
  at !== undefined && /^(?:~|null)$/i.test(report.lineAt(at).slice(at.column - 1, at.endColumn - 1));

/** Longer texts are not searched: some of the patterns look on from every character. */
const LONGEST = 1_000;

function placeholderIn(text: string, where: "name" | "value") {
  if (text.length > LONGEST) return undefined;
  const template = TEMPLATE.exec(text);
  const found = template ?? PLACEHOLDER.exec(text);
  if (found === null) return undefined;
  const inner = template?.slice(1).find((name) => name !== undefined);
  const variable = inner === undefined ? undefined : /^\.?(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)$/.exec(inner)?.[1];
  const in_name = where === "name" ? (true as const) : undefined;
  const fact = { text: quote(found[0]), is_template: template !== null, ...defined({ in_name }) };
  return finding(
    "config/placeholder",
    { ...fact, ...defined({ variable: whenDefined(variable?.toLowerCase(), quote) }) },
    { severity: "warning" },
  );
}

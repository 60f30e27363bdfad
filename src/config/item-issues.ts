import type * as z from "zod";
import { defined, whenDefined } from "../model/defined.ts";
import { type Finding, finding, type Path, type Span } from "../model/diagnostic.ts";
import type { NotAnItem } from "../model/diagnostics/fields.ts";
import { type Quoted, quote, quoteAll } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Realm } from "../model/realm.ts";
import type { Patience } from "../model/suggest.ts";
import { isTree } from "../source/tree.ts";
import { inlineYaml } from "../source/write.ts";
import { type FieldFinding, linesMeant, placedFindings } from "./issues.ts";
import { type Entry, isFieldOfAbove, placeOf } from "./item.ts";
import type { Report } from "./report.ts";
import { fieldLike, type Shape } from "./shape.ts";
import { valueAt } from "./value-at.ts";

/**
 * Reports the errors that a schema found in an item, each at its line.
 * @returns their paths in the item
 */
export function reportIssues(
  {
    kind,
    form,
    shape,
    realm,
    sections,
  }: {
    readonly kind: ResourceKind;
    readonly form: z.ZodType;
    readonly shape: Shape;
    readonly realm: Realm | undefined;
    readonly sections?: readonly string[];
  },
  written: Entry,
  issues: Parameters<typeof placedFindings>[0],
  report: Report,
): readonly Path[] {
  const noun = kind.noun[0];
  const { entry, raw } = written;
  const found = placedFindings(issues, {
    value: raw,
    form,
    shape,
    noun,
    isPlural: kind.shape === "singleton",
    isKeyed: kind.shape === "map",
    patience: report.patience,
    ...defined({ sections }),
    mayHaveMore: realm === undefined && kind.file.rights !== undefined,
  });
  for (const { path, on, finding } of found) {
    const at = placeOf(report, written, path, on);
    if (isLost(finding, valueAt(raw, path), at, report)) continue;
    const instead = isHalf(finding, written)
      ? ({ meant: "entry-above" } as const)
      : path.length === 0
        ? notAnItem(shape, noun, entry, raw, report.patience)
        : undefined;
    const comment =
      valueAt(raw, path) === null
        ? commentAt(report, at)
        : instead?.meant === "field-of-above"
          ? keyInComment(report, at)
          : undefined;
    const more = defined({ instead, comment: whenDefined(comment, ({ text }) => quote(text)) });
    report.addFound(withMore(finding, more), comment?.at ?? at);
  }
  return found.map(({ path }) => path);
}

/** Whether the entry above has the field that this one lacks, and none of the fields that this one has. */
function isHalf({ code, fact }: FieldFinding, { section, entry, raw }: Entry): boolean {
  if (code !== "field/missing" || typeof entry !== "number" || !Array.isArray(section) || !isTree(raw)) return false;
  const above: unknown = section[entry - 1];
  if (!isTree(above) || !Object.hasOwn(above, fact.field ?? "")) return false;
  return Object.keys(raw).every((field) => !Object.hasOwn(above, field));
}

/** Whether what is missing here was written in lines that are no YAML, which have an error of their own. */
function isLost({ code }: FieldFinding, value: unknown, at: Span | undefined, report: Report): boolean {
  if (at === undefined || (code !== "field/missing" && value !== null)) return false;
  const first = code === "field/missing" ? at.line : at.line + 1;
  return report.some(
    ({ code: other, at: place }) =>
      /^yaml\/(?:syntax|tab)$/.test(other) &&
      place?.file === at.file &&
      place.line >= first &&
      place.line <= at.endLine + 1,
  );
}

interface More {
  readonly instead?: NotAnItem;
  readonly comment?: Quoted;
}

function withMore(found: FieldFinding, more: More): Finding {
  switch (found.code) {
    case "field/missing":
      return finding(found.code, { ...found.fact, ...more });
    case "field/type":
      return finding(found.code, { ...found.fact, ...more });
    case "field/value":
      return finding(found.code, { ...found.fact, ...more });
    case "field/unknown":
      return found;
  }
}

/** An item that is not a map: a field that is one level too far out, or the one field that it would have. */
function notAnItem(
  shape: Shape,
  noun: string,
  entry: string | number,
  raw: unknown,
  patience: Patience,
): NotAnItem | undefined {
  if (isTree(raw)) return undefined;
  // `example.org: true`: it exists, or not.
  if (typeof raw === "boolean" && typeof entry === "string" && shape.fieldsAt([]).includes("absent"))
    return { meant: "form", form: inlineYaml({ [entry]: raw ? {} : { absent: true } }).slice(1, -1) };
  const [named] = typeof entry === "number" && typeof raw === "string" ? (shape.synonyms.entry ?? []) : [];
  if (named !== undefined && typeof raw === "string" && !raw.includes(" "))
    return { meant: "form", form: `- ${inlineYaml({ [named]: named === "emails" ? [raw] : raw })}` };
  if (typeof entry === "string" && entry.includes("：")) return { meant: "full-width" };
  const fields = shape.fieldsAt([]);
  if (typeof entry === "string" && isFieldOfAbove(shape, entry, raw))
    return { meant: "field-of-above", entry: quote(entry), noun };
  const enumerated = typeof raw === "string" && typeof entry === "string" ? fieldWith(raw, shape) : undefined;
  if (enumerated !== undefined && typeof entry === "string")
    return { meant: "form", form: inlineYaml({ [entry]: enumerated }).slice(1, -1) };
  const [, outer, inner = ""] = typeof entry === "string" ? (/^(.+)[./]([a-z_]+)$/.exec(entry) ?? []) : [];
  if (outer !== undefined && shape.fieldsAt([]).includes(inner))
    return { meant: "dotted", path: [quote(outer), quote(inner)] };
  const lines = typeof raw === "string" ? linesMeant(raw, fields) : undefined;
  if (typeof raw === "string" && lines !== undefined) {
    const sign = /=>|:=|=/.exec(raw)?.[0];
    return { meant: "colon-space", lines, ...defined({ sign: /^[\w-]+:[^=\s]/.test(raw) ? undefined : sign }) };
  }
  const begun = typeof raw === "string" && /^[a-z_]{3,}$/i.test(raw) ? fieldLike(raw, fields, patience) : undefined;
  if (begun !== undefined && /^(?:absent|archived|deactivated)$/.test(begun) && typeof entry === "string")
    return { meant: "form", form: inlineYaml({ [entry]: { [begun]: true } }).slice(1, -1) };
  if (begun !== undefined) return { meant: "field-name", field: begun };
  if (typeof raw === "string" && raw.includes(" ") && fields.includes("description")) return { meant: "description" };
  if (
    Array.isArray(raw) &&
    raw.length > 0 &&
    raw.every((one) => isTree(one) && fields.includes(Object.keys(one)[0] ?? ""))
  )
    return { meant: "no-dashes" };
  if (
    Array.isArray(raw) &&
    fields.includes("subgroups") &&
    raw.every((one) => typeof one === "string" && !one.includes("@"))
  )
    return { meant: "form", form: inlineYaml({ [String(entry)]: { subgroups: raw.map(String) } }).slice(1, -1) };
  const people = Array.isArray(raw) ? raw.filter((name) => typeof name === "string" && name.includes("@")) : [];
  const field = ["members", "emails"].find((name) => fields.includes(name));
  if (Array.isArray(raw) && people.length === raw.length && field !== undefined)
    return { meant: "list-of-people", field, people: quoteAll(people) };
  return { meant: "fields", fields };
}

/** `general: public`: the only field that can have this value, with it. */
function fieldWith(text: string, shape: Shape): { readonly [field: string]: string } | undefined {
  const [only, ...others] = shape.fieldsAt([]).flatMap((field) => {
    const { values = [] } = shape.aboutField([], field);
    const value = values.includes(text) ? text : values.length > 0 ? shape.valueMeant(text, values) : undefined;
    return value === undefined ? [] : [{ [field]: value }];
  });
  return others.length > 0 ? undefined : only;
}

interface Comment {
  readonly text: string;
  readonly at: Span;
}

/** `- #general` is an empty entry with a comment after it, which is what people write who know channels by "#". */
export function commentAt(report: Report, at: Span | undefined): Comment | undefined {
  if (at === undefined) return undefined;
  const line = report.lineAt(at);
  const from = Math.max(0, at.column - 2);
  const found = /(?<=^|[\s:[,-])#[^\s#].*$/.exec(line.slice(from));
  if (found === null) return undefined;
  const column = from + found.index + 1;
  const text = found[0].trimEnd();
  return { text, at: { ...at, column, endLine: at.line, endColumn: column + text.length } };
}

/** `#general:` on the line above is a comment, not the name of a channel. */
function keyInComment(report: Report, at: Span | undefined): Comment | undefined {
  if (at === undefined) return undefined;
  const above = { ...at, line: at.line - 1, column: 1 };
  const found = commentAt(report, above);
  const key = /^#[^\s:]+(?=:)/.exec(found?.text ?? "")?.[0];
  return found === undefined || key === undefined
    ? undefined
    : { text: key, at: { ...found.at, endColumn: found.at.column + key.length } };
}

import { defined } from "../../model/defined.ts";
import { type Code, type Finding, finding } from "../../model/diagnostic.ts";
import type { DiagnosticFacts } from "../../model/diagnostics/definitions.ts";
import type { OnServer, PatternCause, ReverseCause } from "../../model/diagnostics/linkifiers.ts";
import { quote, quoteAll } from "../../model/diagnostics/values.ts";
import { readTemplate } from "../checks.ts";
import { LARGEST_PROGRAM, mostSize, type Pattern, readPattern, sizeOf } from "./pattern.ts";

/** A linkifier in canonical form: fields that are left out are null or the empty list. */
export interface LinkifierFields {
  readonly pattern: string;
  readonly url_template: string | null;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
}

/** A property of a linkifier that the server would refuse (error), or that does not have the apparent effect (warning). */
export interface Cause {
  readonly field: "pattern" | "url_template" | "example_input" | "reverse_template" | "alternative_url_templates";
  /** Which of several templates. */
  readonly index?: number;
  readonly finding: Finding;
}

/** Where the value of a field is, when the file does not have it. */
export type PlaceOf = (field: Cause["field"]) => OnServer;
const inFile: PlaceOf = () => ({});

/**
 * What is wrong with a linkifier (zulip-api.md §6.2, §6.3).
 * @param known the fields besides the pattern whose values are known; the others are not checked
 */
export function causesOf(
  fields: LinkifierFields,
  known: ReadonlySet<string>,
  placeOf: PlaceOf = inFile,
): readonly Cause[] {
  const { pattern: source, url_template: template } = fields;
  const read = source === "" ? { cause: { cause: "empty" } as const } : readPattern(source);
  const pattern = "pattern" in read ? read.pattern : undefined;
  const isNear = pattern !== undefined && sizeOf(source, mostSize) > LARGEST_PROGRAM;
  const inner = SLASHES.test(source) ? quote(source.slice(1, source.lastIndexOf("/"))) : undefined;
  const ofPattern = (cause: PatternCause, more?: More) => causeAt("pattern", "linkifiers/pattern", cause, more);
  return [
    ...(isNear ? [ofPattern({ cause: "near-limit" }, WARNING)] : []),
    ...(inner === undefined ? [] : [ofPattern({ cause: "slashes", pattern: inner }, WARNING)]),
    ...("cause" in read ? [ofPattern(read.cause)] : []),
    ...(known.has("url_template") && template !== null
      ? templateCauses(template, pattern, placeOf("url_template"))
      : []),
    ...fields.alternative_url_templates.flatMap((alternative, index) => alternativeCauses(alternative, index, pattern)),
    ...exampleCauses(fields, known, pattern, placeOf),
  ];
}

interface More {
  readonly index?: number;
  readonly severity?: "warning";
}
const WARNING: More = { severity: "warning" };

const causeAt = <C extends Code>(
  field: Cause["field"],
  code: C,
  fact: DiagnosticFacts[C],
  { severity, ...place }: More = {},
) => ({ field, ...place, finding: finding(code, fact, defined({ severity })) });

/** `/#([0-9]+)/g` of other languages. */
const SLASHES = /^\/.+\/[dgimsuvy]*$/;
/** The signs of other programs for what a pattern finds. */
const FILLED_ELSEWHERE = /\$\d|\\\d|%s|%\(\w+\)s|\$\w+$/;

function templateCauses(template: string, pattern: Pattern | undefined, place: OnServer): readonly Cause[] {
  const report = <C extends Code>(code: C, fact: DiagnosticFacts[C], more?: More) =>
    causeAt("url_template", code, fact, more);
  if (template === "") return [report("linkifiers/template", { cause: "empty", ...place })];
  const read = readTemplate(template);
  if ("cause" in read) return [report("linkifiers/template", { ...read.cause, ...place })];
  if (pattern === undefined) return [];
  const groups = quoteAll(pattern.groups);
  const unknown = read.variables.filter((name) => !pattern.groups.includes(name));
  const unused = pattern.groups.filter((name) => !read.variables.includes(name));
  const foreign = unused.length > 0 ? null : FILLED_ELSEWHERE.exec(template);
  const sign = foreign && quote(foreign[0]);
  return [
    ...(sign === null ? [] : [report("linkifiers/template", { cause: "foreign", sign, ...place }, WARNING)]),
    ...unknown.map((name) =>
      report("linkifiers/unknown-variable", { variable: quote(name), groups, is_alternative: false, ...place }),
    ),
    ...unused.map((name) => report("linkifiers/unused-group", { group: quote(name), ...place })),
  ];
}

function alternativeCauses(template: string, index: number, pattern: Pattern | undefined): readonly Cause[] {
  const field = "alternative_url_templates";
  if (template === "") return [causeAt(field, "linkifiers/template", { cause: "empty-text" }, { index })];
  const read = readTemplate(template);
  if ("cause" in read) return [causeAt(field, "linkifiers/template", read.cause, { index })];
  if (pattern === undefined) return [];
  const groups = quoteAll(pattern.groups);
  return read.variables
    .filter((name) => !pattern.groups.includes(name))
    .map((name) => {
      const fact = { variable: quote(name), groups, is_alternative: true };
      return causeAt(field, "linkifiers/unknown-variable", fact, { ...WARNING, index });
    });
}

function exampleCauses(
  fields: LinkifierFields,
  known: ReadonlySet<string>,
  pattern: Pattern | undefined,
  placeOf: PlaceOf,
): readonly Cause[] {
  const { example_input: example, reverse_template: reverse } = fields;
  const field = "reverse_template";
  const place = placeOf(field);
  if (!known.has("example_input")) return [];
  const isReversed = reverse !== null && known.has("reverse_template");
  if (example === null) return isReversed ? [causeAt(field, "linkifiers/reverse-without-example", place)] : [];
  if (pattern === undefined) return [];
  const match = pattern.find(example);
  const said = quote(example);
  if (match === undefined)
    return [causeAt("example_input", "linkifiers/example", { example: said, ...placeOf("example_input") })];
  if (!isReversed) return [];
  const expanded = expandReverse(reverse, match.groups);
  if ("cause" in expanded)
    return [causeAt(field, "linkifiers/reverse", { cause: "not-filled", why: expanded.cause, ...place })];
  if (expanded.text === example) return [];
  const made = quote(expanded.text);
  return [causeAt(field, "linkifiers/reverse", { cause: "other-text", made, example: said, ...place })];
}

/**
 * A `reverse_template` with its fields filled in: `{name}` stands for a group, `{{` and `}}` for braces (zulip-api.md §6.2).
 */
export function expandReverse(
  template: string,
  groups: ReadonlyMap<string, string>,
): { readonly text: string } | { readonly cause: ReverseCause } {
  let text = "";
  let at = 0;
  while (at < template.length) {
    const pair = template.slice(at, at + 2);
    if (pair === "{{" || pair === "}}") {
      text += pair.charAt(0);
      at += 2;
      continue;
    }
    if (template[at] !== "{") {
      text += template.charAt(at);
      at += 1;
      continue;
    }
    const close = template.indexOf("}", at);
    if (close === -1) return { cause: { cause: "open-brace", position: at + 1 } };
    const name = template.slice(at + 1, close);
    const value = groups.get(name);
    if (name === "") return { cause: { cause: "no-name" } };
    if (value === undefined) return { cause: { cause: "no-group", name: quote(name) } };
    text += value;
    at = close + 1;
  }
  return { text };
}

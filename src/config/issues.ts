import type * as z from "zod";
import { defined, whenDefined } from "../model/defined.ts";
import { finding, type Path } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import type { FieldWay, Label, ValueCause } from "../model/diagnostics/fields.ts";
import { foundValue, type Quoted, quote } from "../model/diagnostics/values.ts";
import { roleMeant } from "../model/names-meant.ts";
import { isRightName } from "../model/permission-settings.ts";
import { didYouMean, type Patience } from "../model/suggest.ts";
import { isFormIssue } from "../model/value-form.ts";
import { isTree } from "../source/tree.ts";
import { besidesIn, soleEntry } from "./list-entries.ts";
import { fieldLike, type Shape } from "./shape.ts";
import { elsewhere, type Meant, turned } from "./synonyms.ts";
import { valueAt } from "./value-at.ts";

type FieldCode = "field/missing" | "field/type" | "field/unknown" | "field/value";
export type FieldFinding = { [C in FieldCode]: { readonly code: C; readonly fact: DiagnosticFacts[C] } }[FieldCode];

/** The error of a schema. `on` says which end of the entry it is about. */
export interface PlacedFinding {
  readonly path: Path;
  readonly on: "key" | "value";
  readonly finding: FieldFinding;
}

interface IssueContext {
  /** The value that the schema checked. */
  readonly value: unknown;
  readonly shape: Shape;
  /** "channel": the noun of the object with the fields. */
  readonly noun: string;
  /** It is a plural: "settings". */
  readonly isPlural?: boolean;
  /** Its name is its key in a map. */
  readonly isKeyed?: boolean;
  readonly patience: Patience;
  /** The sections of a file. */
  readonly sections?: readonly string[];
  /** The schema that checked it. */
  readonly form?: z.ZodType;
  /** Whether a server may have permission settings that the form does not have: none was asked. */
  readonly mayHaveMore?: boolean;
}

const labelAt = ({ noun, isPlural }: IssueContext, path: Path): Label => ({
  noun,
  path,
  ...defined({ isPlural: isPlural === true ? isPlural : undefined }),
});

type Issue = z.core.$ZodIssue;

/** Every error once. Of a union, only the error of the variant that fits best. A misspelt field is not reported as missing, too. */
export function placedFindings(issues: readonly Issue[], context: IssueContext): PlacedFinding[] {
  const found = issues.flatMap((issue) => findingsOf(issue, [], context));
  const misspelt = new Set(found.flatMap(({ path, finding }) => meantIn(path, finding)));
  const unread = found.flatMap(({ path, finding: { code, fact } }) =>
    code === "field/unknown" &&
    (fact.way?.kind === "as-entry" || fact.way?.kind === "address" || fact.way?.kind === "person")
      ? [JSON.stringify(path.slice(0, -1))]
      : [],
  );
  const rest = new Set<string>();
  const joined = found.map((one) => withRest(one, context.value, found, rest));
  return joined.filter(({ path, finding }) => {
    if (finding.code === "field/unknown" && rest.has(JSON.stringify(path))) return false;
    if (isEmptyAbove(path, finding, found)) return false;
    if (finding.code !== "field/missing" || finding.fact.field === undefined) return true;
    if (unread.includes(JSON.stringify(path))) return false;
    return !misspelt.has(JSON.stringify([...path, finding.fact.field]));
  });
}

/** `permissions:` without a value, and below it a field in the same column that belongs in it. */
function isEmptyAbove(path: Path, { code, fact }: FieldFinding, found: readonly PlacedFinding[]): boolean {
  if (code !== "field/type" || fact.found.is !== "nothing") return false;
  const own = path.join();
  return found.some(
    ({ finding: other }) =>
      other.code === "field/unknown" && other.fact.way?.kind === "under" && other.fact.way.path.join() === own,
  );
}

/**
 * `{members: ada, ben}`: the comma ends the text, so the rest of a list without brackets is keys without values.
 * @param rest takes their paths
 */
function withRest(
  one: PlacedFinding,
  whole: unknown,
  found: readonly PlacedFinding[],
  rest: Set<string>,
): PlacedFinding {
  const { path, finding: written } = one;
  if (written.code !== "field/type" || written.fact.found.is !== "text" || !written.fact.types.includes("array"))
    return one;
  const owner = path.slice(0, -1);
  const map = valueAt(whole, owner);
  if (!isTree(map)) return one;
  const keys = Object.keys(map);
  const after = keys.slice(keys.indexOf(String(path.at(-1))) + 1);
  const end = after.findIndex(
    (key) => map[key] !== null || !found.some((other) => isUnknownAt(other, [...owner, key])),
  );
  const names = end < 0 ? after : after.slice(0, end);
  if (names.length === 0) return one;
  for (const name of names) rest.add(JSON.stringify([...owner, name]));
  const text = quote([valueAt(whole, path), ...names].join(", "));
  return { ...one, finding: finding("field/type", { ...written.fact, found: { is: "text", text } }) };
}

const isUnknownAt = ({ path, finding: { code } }: PlacedFinding, at: Path): boolean =>
  code === "field/unknown" && JSON.stringify(path) === JSON.stringify(at);

/** Where the field is that an unknown one was meant to be. */
function meantIn(path: Path, { code, fact }: FieldFinding): readonly string[] {
  if (code !== "field/unknown" || fact.way?.kind !== "meant") return [];
  const [field = ""] = fact.way.field.split(": ");
  return [JSON.stringify([...path.slice(0, -1), ...(fact.way.under ?? []), field])];
}

function findingsOf(issue: Issue, above: Path, context: IssueContext): readonly PlacedFinding[] {
  const path = [...above, ...steps(issue.path)];
  const found = valueAt(context.value, path);
  const label = labelAt(context, path);
  const value = (fact: ValueCause): readonly PlacedFinding[] => [
    { path, on: "value", finding: finding("field/value", fact) },
  ];
  switch (issue.code) {
    case "unrecognized_keys":
      return unknownFields(issue.keys, path, context);
    case "invalid_type":
      return found === undefined ? [missing(path, context)] : [wrongType([issue.expected], path, found, context)];
    case "invalid_value":
      if (found === undefined) return [missing(path, context)];
      return value(choice(path, issue.values.map(String), [], context));
    case "invalid_union":
      return union(issue, path, found, context);
    case "too_small":
    case "too_big":
      return value(limit(issue, label, found));
    case "not_multiple_of":
      return value({ cause: "multiple", label, of: issue.divisor });
    case "invalid_format":
      return value({ cause: "format", label, format: issue.format });
    case "invalid_key":
    case "invalid_element":
      return issue.issues.flatMap((inner) => findingsOf(inner, path, context));
    case "custom":
      return value(formCause(issue, label, found) ?? { cause: "format", label, format: context.noun });
  }
}

/** Of entries that are one level too far in, only the first is reported: they have one cause. */
function unknownFields(keys: readonly string[], path: Path, context: IssueContext): readonly PlacedFinding[] {
  const found = keys.map((key) => unknownField(key, path, context));
  const isEntry = ({ finding: { code, fact } }: PlacedFinding): boolean =>
    code === "field/unknown" && fact.way?.kind === "entry";
  const first = found.find(isEntry);
  return found.filter((one) => one === first || !isEntry(one));
}

function wrongType(types: readonly string[], path: Path, found: unknown, context: IssueContext): PlacedFinding {
  const label = labelAt(context, path);
  const field = path.at(-1);
  const { about } = typeof field === "string" ? context.shape.aboutField(path.slice(0, -1), field) : {};
  const fields = context.shape.fieldsAt(path);
  const fact = { label, types, found: foundValue(found), fields, ...defined({ about }) };
  return { path, on: "value", finding: finding("field/type", fact) };
}

/** If all branches only expect another type here, one finding names them all; otherwise the error of the branch with the right type is used. */
function union(
  issue: Extract<Issue, { code: "invalid_union" }>,
  path: Path,
  found: unknown,
  context: IssueContext,
): readonly PlacedFinding[] {
  if (found === undefined) return [missing(path, context)];
  const branches = issue.errors;
  const here = branches.map((branch) =>
    branch.find(
      (inner) => inner.path.length === 0 && (inner.code === "invalid_type" || inner.code === "invalid_value"),
    ),
  );
  const inside = branches.findIndex((_, at) => here[at] === undefined);
  const fitting = branches[inside];
  if (fitting !== undefined) return fitting.flatMap((inner) => findingsOf(inner, path, context));
  const types: string[] = [];
  const values: string[] = [];
  for (const inner of here) {
    if (inner?.code === "invalid_type") types.push(inner.expected);
    if (inner?.code === "invalid_value") values.push(...inner.values.map(String));
  }
  if (values.length === 0) return [wrongType(types, path, found, context)];
  const fact = choice(path, values, types, context);
  return [{ path, on: "value", finding: finding("field/value", fact) }];
}

function choice(path: Path, values: readonly string[], types: readonly string[], context: IssueContext): ValueCause {
  const found = valueAt(context.value, path);
  // The API numbers the roles.
  const word = typeof found === "number" ? String(found) : found;
  const meant =
    typeof word === "string" ? (context.shape.valueMeant(word, values) ?? didYouMean(word, values)) : undefined;
  const suggested = defined({ meant });
  return { cause: "choice", label: labelAt(context, path), types, values, found: foundValue(found), ...suggested };
}

function missing(path: Path, { noun, shape }: IssueContext): PlacedFinding {
  const field = path.at(-1);
  const owner = path.slice(0, -1);
  const form = whenDefined(field, (one) => shape.aboutField(owner, String(one)));
  const fact = { label: { noun, path: owner }, ...defined({ field: whenDefined(field, String), form }) };
  return { path: owner, on: "key", finding: finding("field/missing", fact) };
}

function unknownField(key: string, path: Path, context: IssueContext): PlacedFinding {
  const way = wayOf(key, path, context);
  const isRight = context.mayHaveMore === true && path.length === 1 && path[0] === "permissions" && isRightName(key);
  const more = defined({ way, may_be_right: isRight ? true : undefined });
  const fact = { label: labelAt(context, path), field: quote(key), ...more };
  return { path: [...path, key], on: "key", finding: finding("field/unknown", fact) };
}

const SIGN = /^([\w-]+)(:(?=[^\s/])|\s*(?:=>|:=|=)\s*)(.+)$/s;

/**
 * `privacy:public` is one word to YAML, and `privacy = public` a text: the lines that are meant. YAML reads several of them as one text, so each known
 * field in it starts a line.
 */
export function linesMeant(text: string, fields: readonly string[]): readonly Quoted[] | undefined {
  const starts = [...text.matchAll(/(?<=^|\s)[\w-]+(?=:[^\s/]|\s*(?:=>|:=|=)\s)/g)].filter(([word]) =>
    fields.includes(word),
  );
  if (starts[0]?.index !== 0) return undefined;
  return starts.flatMap(({ index }, at) => {
    const [, field = "", , value = ""] = SIGN.exec(text.slice(index, starts[at + 1]?.index).trim()) ?? [];
    return field === "" ? [] : [quote(`${field}: ${value}`)];
  });
}

/** `name`, `stream`, `group_name`: the name of an object, which is its key. */
const isWordForName = (word: string, noun: string): boolean =>
  /^(?:(?:\w+_)?name|title|label|slug|stream)$/.test(word) || word === noun;

const meantWay = (meant: Meant, then?: PlacedFinding, under?: readonly string[]): FieldWay => {
  if (meant === "needless") return { kind: "needless" };
  if ("line" in meant) return { kind: "meant", field: meant.line };
  const found = then?.finding;
  const value = found?.code === "field/type" ? found.fact : undefined;
  const choice = found?.code === "field/value" && found.fact.cause === "choice" ? found.fact : undefined;
  const field = choice?.meant === undefined ? meant.field : `${meant.field}: ${choice.meant}`;
  const values = choice?.meant === undefined && choice?.types.length === 0 ? choice.values : undefined;
  return { kind: "meant", field, ...defined({ under, values, value }) };
};

/** What is wrong with a value in the field that was meant: a wrong word often has the value of another notation. */
function inField(field: string, owner: Path, written: unknown, context: IssueContext): PlacedFinding | undefined {
  if (context.form === undefined || owner.some((step) => typeof step === "number")) return undefined;
  const path = [...owner, field];
  const value = path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), written);
  const { error } = context.form.safeParse(value);
  const issue = error?.issues.find((one) => path.every((step, at) => one.path[at] === step));
  return issue === undefined ? undefined : findingsOf(issue, [], { ...context, value })[0];
}

function wayOf(key: string, path: Path, context: IssueContext): FieldWay | undefined {
  const { shape, noun, value, patience, isKeyed } = context;
  const known = shape.fieldsAt(path);
  const [line] = linesMeant(key, known) ?? [];
  if (line !== undefined) return { kind: "colon-space", line };
  const [outer = "", ...inside] = key.split(/[./]/);
  if (inside.length > 0 && known.includes(outer)) return { kind: "dotted", path: [outer, ...inside] };
  if (path.length === 0) {
    const said = elsewhere(key, shape.synonyms);
    if (said !== undefined) return { kind: "elsewhere", line: said };
  }
  const written = valueAt(value, [...path, key]);
  if (/^(?:…|\.\.\.)$/.test(key)) return { kind: "left-out" };
  if (known.join() === "id")
    return typeof written === "string" && written.includes("@")
      ? { kind: "address", address: quote(written) }
      : { kind: "person" };
  if (known.join() === "groups,users" && /^(?:role|group|system_group|name)$/.test(key) && typeof written === "string")
    return {
      kind: "alone",
      field: String(path.at(-1)),
      name: quote(/role|system/.test(key) ? (roleMeant(written) ?? written) : written),
    };
  const other = shape.fieldMeant(key, known, written);
  if (other !== undefined) {
    const then =
      typeof other === "object" && "field" in other ? inField(other.field, path, written, context) : undefined;
    return meantWay(other, then);
  }
  if (path.length === 0 && typeof written === "object" && context.sections?.includes(key) === true)
    return { kind: "section" };
  const nestedIn = shape.pathsOf(key).find((place) => place.length > 0);
  if (nestedIn !== undefined && path.length === 0) return { kind: "under", path: nestedIn.map(String) };
  if (path.length > 0 && shape.fieldsAt([]).includes(key)) return { kind: "above", noun };
  const inner = path.length === 0 ? valueAt(value, [key]) : undefined;
  const entry = path.length === 0 ? soleEntry(value, shape) : undefined;
  const asEntry =
    entry && ({ kind: "as-entry", entry, ...defined({ besides: besidesIn(entry, shape.synonyms) }) } as const);
  if (asEntry !== undefined && isTree(inner)) return asEntry;
  if (isTree(inner) && Object.keys(inner).some((field) => known.includes(field)))
    return context.isPlural === true
      ? { kind: "needless-level" }
      : { kind: "entry", noun, ...defined({ elsewhere: shape.synonyms.inside }) };
  if (path.length === 0 && isKeyed === true && known.includes("was") && isWordForName(key, noun))
    return { kind: "key", noun };
  const meant = fieldLike(key, known, patience);
  if (meant !== undefined) return meantWay(turned(key, meant, written), inField(meant, path, written, context));
  const nested = nestedIn === undefined && path.length === 0 ? shape.nestedLike(key, written, patience) : undefined;
  if (nested !== undefined) {
    const then = inField(nested.key, nested.path, written, context);
    return meantWay({ field: nested.key }, then, nested.path.map(String));
  }
  if (asEntry !== undefined) return asEntry;
  return known.length === 0 ? undefined : { kind: "fields", fields: known };
}

function limit(issue: Extract<Issue, { code: "too_small" | "too_big" }>, label: Label, found: unknown): ValueCause {
  const isSmall = issue.code === "too_small";
  const most = Number(isSmall ? issue.minimum : issue.maximum);
  const bound = isSmall ? "least" : "most";
  switch (issue.origin) {
    case "string":
    case "array":
    case "set": {
      if (isSmall && most === 1) return { cause: "empty", label };
      const unit = issue.origin === "string" ? "characters" : "entries";
      const length = defined({ length: typeof found === "string" ? found.length : undefined });
      return { cause: "length", label, bound, limit: most, unit, ...length };
    }
    default:
      if (isSmall && most === 0 && issue.inclusive === false)
        return { cause: "not-positive", label, found: foundValue(found) };
      return { cause: "number", label, bound, limit: most, found: foundValue(found) };
  }
}

/** The form that the schema of a kind expects; the library's own sentences are not shown to people. */
function formCause(
  { params }: Extract<Issue, { code: "custom" }>,
  label: Label,
  found: unknown,
): ValueCause | undefined {
  const own: unknown = params?.issue;
  return isFormIssue(own) ? { cause: "form", label, found: foundValue(found), form: own.form } : undefined;
}

const steps = (path: readonly PropertyKey[]): Path =>
  path.map((step) => (typeof step === "number" ? step : String(step)));

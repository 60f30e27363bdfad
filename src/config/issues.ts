import type * as z from "zod";
import type { Path, WordedProblem as Problem } from "../model/diagnostic.ts";
import { isList, isObject } from "../model/json.ts";
import { own } from "../model/own.ts";
import { didYouMean, listNames, type Patience } from "../model/suggest.ts";
import type { Shape } from "./shape.ts";
import { fieldMeant } from "./synonyms.ts";

/** A schema's complaint in our words. `on` says which end of the entry the mistake is at. */
export interface FieldProblem {
  readonly path: Path;
  readonly on: "key" | "value";
  readonly problem: Problem;
}

export interface IssueContext {
  /** What the schema looked at. */
  readonly value: unknown;
  readonly shape: Shape;
  /** "channel": what has the fields. */
  readonly noun: string;
  readonly patience: Patience;
}

type Issue = z.core.$ZodIssue;

/** Every complaint once, a union's as the one that fits what was written. */
export function fieldProblems(issues: readonly Issue[], context: IssueContext): FieldProblem[] {
  return issues.flatMap((issue) => one(issue, [], context));
}

function one(issue: Issue, above: Path, context: IssueContext): FieldProblem[] {
  const path = [...above, ...steps(issue.path)];
  const found = valueAt(context.value, path);
  const label = labelOf(path, context.noun);
  const problem = (
    code: Problem["code"],
    message: string,
    hint?: string,
    footnotes?: readonly string[],
  ): FieldProblem[] => [
    {
      path,
      on: "value",
      problem: {
        code,
        message,
        ...(hint === undefined ? {} : { hint }),
        ...(footnotes === undefined ? {} : { footnotes }),
      },
    },
  ];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownField(key, path, context));
    case "invalid_type":
      if (found === undefined) return [missing(path, context)];
      return problem(
        "field/type",
        `${label} must be ${typeWord(issue.expected)}, not ${describe(found)}`,
        typeHint([issue.expected], [], found, context.shape.fieldsAt(path)),
      );
    case "invalid_value":
      if (found === undefined) return [missing(path, context)];
      return choice(label, issue.values.map(String), [], found, problem);
    case "invalid_union":
      return union(issue, path, found, context, problem);
    case "too_small":
    case "too_big":
      return problem("field/value", ...wordsOf(ownMessage(issue) ?? limit(issue, label, found)));
    case "not_multiple_of":
      return problem("field/value", ownMessage(issue) ?? `${label} must be a multiple of ${issue.divisor}`);
    case "invalid_format":
      return problem(
        "field/value",
        ownMessage(issue) ?? `${label} is not a valid ${issue.format.replaceAll("_", " ")}`,
      );
    case "invalid_key":
    case "invalid_element":
      return issue.issues.flatMap((inner) => one(inner, path, context));
    case "custom": {
      const { code, hint } = issue.params ?? {};
      const [message, way] = wordsOf(issue.message);
      return problem(isCode(code) ? code : "field/value", message, typeof hint === "string" ? hint : way);
    }
  }
}

type Make = (code: Problem["code"], message: string, hint?: string, footnotes?: readonly string[]) => FieldProblem[];

/** When all branches only want something else here, one sentence names them all; else the branch of the right type speaks. */
function union(
  issue: Extract<Issue, { code: "invalid_union" }>,
  path: Path,
  found: unknown,
  context: IssueContext,
  make: Make,
): FieldProblem[] {
  if (found === undefined) return [missing(path, context)];
  const branches = issue.errors;
  const here = branches.map((branch) =>
    branch.find(
      (inner) => inner.path.length === 0 && (inner.code === "invalid_type" || inner.code === "invalid_value"),
    ),
  );
  const inside = branches.findIndex((_, at) => here[at] === undefined);
  const fitting = branches[inside];
  if (fitting !== undefined) return fitting.flatMap((inner) => one(inner, path, context));
  const types: string[] = [];
  const values: string[] = [];
  for (const inner of here) {
    if (inner?.code === "invalid_type") types.push(inner.expected);
    if (inner?.code === "invalid_value") values.push(...inner.values.map(String));
  }
  const label = labelOf(path, context.noun);
  if (values.length > 0) return choice(label, values, types, found, make);
  return make(
    "field/type",
    `${label} must be ${types.map(typeWord).join(" or ")}, not ${describe(found)}`,
    typeHint(types, values, found, context.shape.fieldsAt(path)),
  );
}

function choice(
  label: string,
  values: readonly string[],
  types: readonly string[],
  found: unknown,
  make: Make,
): FieldProblem[] {
  const choices = [...types.map(typeWord), ...values];
  const allowed = choices.length === 1 ? choices.join() : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
  const meant = typeof found === "string" ? didYouMean(found, values) : undefined;
  const said = `${label} cannot be ${describe(found).replace(/^the text /, "")}`;
  if (meant === undefined) {
    const hint = typeHint(types, values, found);
    return hint === undefined
      ? make("field/value", said, `it is ${allowed}`)
      : make("field/value", said, hint, [`${label} is ${allowed}`]);
  }
  return make("field/value", said, `did you mean ${JSON.stringify(meant)}?`, [`${label} is ${allowed}`]);
}

function missing(path: Path, context: IssueContext): FieldProblem {
  const field = path.at(-1);
  const owner = path.slice(0, -1);
  const label = owner.length === 0 ? `this ${context.noun}` : labelOf(owner, context.noun);
  return {
    path: owner,
    on: "key",
    problem: { code: "field/missing", message: `${label} has no ${field ?? "value"}`, hint: `add "${field}: …"` },
  };
}

function unknownField(key: string, path: Path, { shape, noun, patience }: IssueContext): FieldProblem {
  const known = shape.fieldsAt(path);
  const label = path.length === 0 ? withArticle(noun) : labelOf(path, noun);
  const elsewhere = shape.pathsOf(key).find((other) => other.length > 0);
  const above = path.length > 0 && shape.fieldsAt([]).includes(key);
  const other = fieldMeant(key, known);
  const meant = other ?? didYouMean(key, known, patience);
  const nested = elsewhere === undefined && !above && meant === undefined ? shape.nestedLike(key, patience) : undefined;
  const hint =
    other !== undefined
      ? `did you mean ${JSON.stringify(other)}?`
      : elsewhere !== undefined && path.length === 0
        ? `it belongs under ${elsewhere.join(".")}:`
        : above
          ? `it belongs to the ${noun} itself: indent it less`
          : meant !== undefined
            ? `did you mean ${JSON.stringify(meant)}?`
            : nested !== undefined
              ? `did you mean ${JSON.stringify(nested.key)}, under ${nested.path.join(".")}:?`
              : undefined;
  const fields = known.length === 0 ? undefined : `fields: ${listNames(known, 20)}`;
  return {
    path: [...path, key],
    on: "key",
    problem: {
      code: "field/unknown",
      message: `${label} has no field ${JSON.stringify(key)}`,
      ...(hint !== undefined ? { hint } : fields !== undefined ? { hint: fields } : {}),
    },
  };
}

function limit(issue: Extract<Issue, { code: "too_small" | "too_big" }>, label: string, found: unknown): string {
  const bound = issue.code === "too_small" ? issue.minimum : issue.maximum;
  const small = issue.code === "too_small";
  switch (issue.origin) {
    case "string":
      if (small && Number(bound) === 1) return `${label} must not be empty`;
      return `${label} must have at ${small ? "least" : "most"} ${bound} characters, and has ${typeof found === "string" ? found.length : "others"}`;
    case "array":
    case "set":
      if (small && Number(bound) === 1) return `${label} must not be empty`;
      return `${label} must have at ${small ? "least" : "most"} ${bound} entries`;
    default:
      if (small && Number(bound) === 0 && issue.inclusive === false)
        return `${label} must be greater than 0, and is ${describe(found)}\ncorrect it, or take the line out`;
      return `${label} must be ${small ? "at least" : "at most"} ${bound}, and is ${describe(found)}`;
  }
}

/** A kind's own words: what is wrong, and behind a line end, the way out. */
function wordsOf(text: string): readonly [message: string, hint: string | undefined] {
  const [message = "", hint] = text.split("\n");
  return [message, hint ?? (/ must not be empty$/.test(message) ? "write a value, or take the line out" : undefined)];
}

/** What a kind said itself; the library's own sentences are not for people. */
function ownMessage(issue: Issue): string | undefined {
  return /^(Too (small|big)|Invalid)/.test(issue.message) ? undefined : issue.message;
}

const TYPE_WORDS: { readonly [type: string]: string } = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
  null: "null",
};
const typeWord = (type: string): string => own(TYPE_WORDS, type) ?? type;

/** What was written, short enough for a sentence. */
export function describe(value: unknown): string {
  if (value === null) return "empty (null)";
  if (isList(value)) return "a list";
  if (isObject(value)) return "a map";
  if (typeof value !== "string") return String(value);
  const [first = ""] = value.split("\n");
  const short = first.length > 40 ? `${first.slice(0, 40)}…` : first === value ? first : `${first}…`;
  return `the text ${JSON.stringify(short)}`;
}

const OLD_BOOLEANS: { readonly [text: string]: boolean } = {
  yes: true,
  on: true,
  y: true,
  no: false,
  off: false,
  n: false,
};

/** @param fields that a map would have here */
function typeHint(
  types: readonly string[],
  values: readonly string[],
  found: unknown,
  fields: readonly string[] = [],
): string | undefined {
  if (isList(found) && fields.includes("groups")) {
    const names = found.every((name) => typeof name === "string") ? found.join(", ") : "…";
    if (names.includes("@") && fields.includes("users")) return `people are written {users: [${names}]}`;
    return `several groups are written {groups: [${names}]}`;
  }
  if (typeof found === "number" && fields.join() === "id") return `the account with this id is written {id: ${found}}`;
  const wants = (type: string) => types.includes(type);
  if (wants("boolean") && typeof found === "string") {
    const meant = own(OLD_BOOLEANS, found.toLowerCase());
    if (meant !== undefined) return `"${found}" is a text in YAML 1.2: write ${meant}`;
    if (/^(true|false)$/i.test(found)) return `write ${found.toLowerCase()} without quotes`;
  }
  if ((wants("number") || wants("int")) && typeof found === "string")
    return /^\d+$/.test(found)
      ? `write ${found} without quotes`
      : values.length > 0
        ? undefined
        : "write it in digits: 17";
  if (wants("int") && typeof found === "number") return "write a number without a fraction";
  if (wants("string") && (typeof found === "number" || typeof found === "boolean"))
    return `put it in quotes: "${found}"`;
  if (wants("array") && (typeof found === "string" || typeof found === "number")) return `write a list: [${found}]`;
  if (wants("string") && values.length === 0 && isList(found) && found.length === 1) return "write it without brackets";
  if (found === null) return "write a value, or take the line out";
  return undefined;
}

const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;

/** `description`, `permissions.can_subscribe_group`, `entry 2 of users`. */
function labelOf(path: Path, noun: string): string {
  const last = path.at(-1);
  if (last === undefined) return withArticle(noun);
  if (typeof last === "number") return `entry ${last + 1} of ${labelOf(path.slice(0, -1), noun)}`;
  return last;
}

export function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}

const steps = (path: readonly PropertyKey[]): Path =>
  path.map((step) => (typeof step === "number" ? step : String(step)));

function isCode(value: unknown): value is Problem["code"] {
  return typeof value === "string" && value.includes("/");
}

import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { isObject } from "../../src/model/json.ts";

type Schema = { readonly [keyword: string]: unknown };
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly id: string;
  readonly parameters: readonly Parameter[];
  readonly body?: Schema;
  /** Status → schema of the answer; null if it has no body. */
  readonly answers: { readonly [status: string]: Schema | null };
}
interface Description {
  readonly from: string;
  readonly operations: { readonly [name: string]: Operation };
  readonly examples: { readonly [id: string]: unknown };
  readonly schemas: { readonly [name: string]: Schema };
}

const DESCRIPTION: Description = JSON.parse(
  readFileSync(new URL("described/github-rest.json", import.meta.url), "utf8"),
);
const EVENTS: {
  readonly events: { readonly [name: string]: Schema };
  readonly examples: { readonly [name: string]: unknown };
  readonly schemas: { readonly [name: string]: Schema };
} = JSON.parse(readFileSync(new URL("described/github-events.json", import.meta.url), "utf8"));
const SCHEMAS = { ...DESCRIPTION.schemas, ...EVENTS.schemas };
const OPERATIONS = Object.entries(DESCRIPTION.operations).map(([name, operation]) => {
  const [method = "", path = ""] = name.split(" ");
  const pattern = path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    ["ref", "basehead"].includes(parameter) ? `(?<${parameter}>.*)` : `(?<${parameter}>[^/]+)`,
  );
  return { name, method, pattern: new RegExp(`^${pattern}$`), operation };
});

let ajv: Ajv | undefined;
const compiled = new Map<Schema, ValidateFunction>();
/** Compiled at the first use: a test file needs only a few of them. */
function validator(schema: Schema): ValidateFunction {
  if (ajv === undefined) {
    const formats = { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, uri: /^[a-z]+:/i };
    ajv = new Ajv({ strict: false, allErrors: true, logger: false, formats });
    ajv.addSchema({ $id: "github", $defs: SCHEMAS });
  }
  const known = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, known);
  return known;
}

/** Checks requests and answers against what GitHub publishes about its API; each difference is recorded as a sentence. */
export class Described {
  readonly violations: string[] = [];

  request(method: string, url: URL, body: unknown): Operation | undefined {
    const path = decodeURIComponent(url.pathname);
    const found = OPERATIONS.find((one) => one.method === method && one.pattern.test(path));
    if (found === undefined) {
      this.violations.push(`${method} ${path}: GitHub describes no such request`);
      return undefined;
    }
    const { name, operation, pattern } = found;
    const groups = pattern.exec(path)?.groups ?? {};
    const say = (what: string): void => void this.violations.push(`${name}: ${what}`);
    for (const parameter of operation.parameters) {
      const given =
        parameter.in === "path" ? groups[parameter.name] : (url.searchParams.get(parameter.name) ?? undefined);
      if (given === undefined && parameter.required) say(`${parameter.name} is required`);
      if (given !== undefined && !fits(parameter.schema, given)) say(`${parameter.name} is ${JSON.stringify(given)}`);
    }
    for (const key of url.searchParams.keys())
      if (!operation.parameters.some((one) => one.in === "query" && one.name === key)) say(`has no parameter ${key}`);
    if (operation.body === undefined) {
      if (isObject(body) && Object.keys(body).length > 0) say("takes no body");
    } else this.hold(`${name}: the body`, operation.body, body);
    return operation;
  }

  answer(method: string, operation: Operation, status: number, json: unknown): void {
    const name = `${method} ${operation.id} → ${status}`;
    const schema = operation.answers[status];
    if (schema === undefined && status < 400) this.violations.push(`${name}: GitHub answers with no such status`);
    else if (schema !== null) this.hold(name, schema ?? BASIC_ERROR, json);
  }

  event(name: string, payload: unknown): void {
    const schema = EVENTS.events[name];
    if (schema === undefined) this.violations.push(`${name}: GitHub describes no such event`);
    else this.hold(`the event ${name}`, schema, payload);
  }

  private hold(name: string, schema: Schema, value: unknown): void {
    const validate = validator(schema);
    if (!validate(value)) {
      const what = (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
      this.violations.push(`${name}: ${what.slice(0, 8).join("; ")}`);
    }
    for (const path of unknownFields([schema], value)) this.violations.push(`${name}: GitHub knows no ${path}`);
  }
}

const BASIC_ERROR: Schema = { $ref: "github#/$defs/basic-error" };

/** Values of a query or a path are text; they are read as numbers where the schema requires a number. */
function fits(schema: Schema, given: string): boolean {
  const value = schema.type === "integer" ? Number(given) : schema.type === "boolean" ? given === "true" : given;
  return validator(schema)(value);
}

/** Fields that no alternative of the schema names, if it names any. */
function unknownFields(schemas: readonly Schema[], value: unknown, path = ""): readonly string[] {
  const all = schemas.flatMap(alternatives);
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => (isSchema(schema.items) ? [schema.items] : []));
    return value.flatMap((item: unknown) => unknownFields(items, item, `${path}/0`));
  }
  const listed = all.flatMap(({ properties }) => (isObject(properties) ? [properties] : []));
  if (!isObject(value) || listed.length === 0 || all.some(({ additionalProperties }) => additionalProperties))
    return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = listed.flatMap((properties) => (isSchema(properties[key]) ? [properties[key]] : []));
    return known.length === 0 ? [`${path}/${key}`] : unknownFields(known, inner, `${path}/${key}`);
  });
}

function alternatives(schema: Schema): readonly Schema[] {
  if (typeof schema.$ref === "string") {
    const named = SCHEMAS[schema.$ref.split("/").at(-1) ?? ""];
    return named === undefined ? [] : alternatives(named);
  }
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((given) => (Array.isArray(given) ? given : []));
  return [schema, ...parts.filter(isSchema).flatMap(alternatives)];
}

const isSchema = (value: unknown): value is Schema => isObject(value);

/**
 * An answer as GitHub's description shows it, with the present values: maps are merged, everything else is replaced.
 * @param id of the operation whose answer it is; of a list, one of its items
 */
export function answerOf(id: string, own: { readonly [field: string]: unknown }): { [field: string]: unknown } {
  const shown = DESCRIPTION.examples[id];
  const first: unknown = Array.isArray(shown) ? shown[0] : shown;
  return merged(isObject(first) ? first : {}, own);
}

/** An event as GitHub describes it: every required field, with the present values instead of meaningless ones. */
export function eventOf(name: string, own: { readonly [field: string]: unknown }): { [field: string]: unknown } {
  const shown = EVENTS.examples[name];
  return merged(isObject(shown) ? shown : {}, own);
}

function merged(
  base: { readonly [field: string]: unknown },
  own: { readonly [field: string]: unknown },
): { [field: string]: unknown } {
  const result: { [field: string]: unknown } = { ...base };
  for (const [key, value] of Object.entries(own)) {
    const before = base[key];
    if (value !== undefined) result[key] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}

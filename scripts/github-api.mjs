// What GitHub publishes about its own API, cut to what the Action uses: test/action/described/github-rest.json, github-events.json and github.graphql.
//   node scripts/github-api.mjs     fetches three npm packages (420 MB) into a folder that it removes afterwards
// The packages are MIT-licensed (copyright Octokit contributors and GitHub); test/action/described/README.md says so.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

const REST = "@octokit/openapi@23.0.2";
const EVENTS = "@octokit/openapi-webhooks@12.1.0";
const GRAPHQL = "@octokit/graphql-schema@15.26.1";
const into = new URL("../test/action/described/", import.meta.url);

/** Every request of src/action, as GitHub's description names it. */
const OPERATIONS = [
  "GET /repos/{owner}/{repo}/actions/artifacts",
  "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
  "POST /repos/{owner}/{repo}/check-runs",
  "GET /repos/{owner}/{repo}/check-runs/{check_run_id}",
  "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
  "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
  "GET /repos/{owner}/{repo}/compare/{basehead}",
  "GET /repos/{owner}/{repo}/git/blobs/{file_sha}",
  "POST /repos/{owner}/{repo}/git/commits",
  "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
  "GET /repos/{owner}/{repo}/git/ref/{ref}",
  "POST /repos/{owner}/{repo}/git/refs",
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}",
  "DELETE /repos/{owner}/{repo}/git/refs/{ref}",
  "POST /repos/{owner}/{repo}/git/trees",
  "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
  "GET /repos/{owner}/{repo}/issues",
  "POST /repos/{owner}/{repo}/issues",
  "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
  "PATCH /repos/{owner}/{repo}/issues/{issue_number}",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "GET /repos/{owner}/{repo}/pulls",
  "POST /repos/{owner}/{repo}/pulls",
  "PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
];

/** The events that the tests start the Action with. GitHub describes none for a schedule. */
const STARTING = [
  "merge-group-checks-requested",
  "pull-request-opened",
  "pull-request-synchronize",
  "push",
  "workflow-dispatch",
  "workflow-run-completed",
];

/** The keywords that say what a value must look like; descriptions and examples do not. */
const KEYWORDS = new Set([
  "additionalProperties",
  "allOf",
  "anyOf",
  "enum",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maximum",
  "minItems",
  "minLength",
  "minimum",
  "not",
  "oneOf",
  "pattern",
  "properties",
  "required",
  "type",
]);

/** A description of an API in OpenAPI 3.0, read part by part. */
class OpenApi {
  schemas = new Map();

  /** @param prefix of the names of its schemas: two descriptions have some of the same name */
  constructor(api, prefix = "") {
    this.api = api;
    this.prefix = prefix;
  }

  at(reference) {
    return reference
      .slice(2)
      .split("/")
      .reduce((value, key) => value[key], this.api);
  }

  resolved(value) {
    return value?.$ref === undefined ? value : this.at(value.$ref);
  }

  /** Converts a schema of OpenAPI 3.0 to JSON Schema, where `nullable` is a type. */
  schemaOf(given) {
    if (given.$ref !== undefined) {
      const name = this.prefix + given.$ref.split("/").at(-1);
      if (!this.schemas.has(name)) {
        this.schemas.set(name, undefined);
        this.schemas.set(name, this.schemaOf(this.at(given.$ref)));
      }
      return { $ref: `github#/$defs/${name}` };
    }
    const kept = {};
    for (const [keyword, value] of Object.entries(given)) {
      if (!KEYWORDS.has(keyword)) continue;
      if (keyword === "properties")
        kept[keyword] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.schemaOf(inner)]));
      else if (["allOf", "anyOf", "oneOf"].includes(keyword)) kept[keyword] = value.map((one) => this.schemaOf(one));
      else if (["items", "not"].includes(keyword)) kept[keyword] = this.schemaOf(value);
      else if (keyword === "additionalProperties" && typeof value === "object") kept[keyword] = this.schemaOf(value);
      else kept[keyword] = value;
    }
    if (given.nullable !== true) return kept;
    if (kept.enum !== undefined) kept.enum = [...new Set([...kept.enum, null])];
    if (kept.type === undefined) return { anyOf: [kept, { type: "null" }] };
    return { ...kept, type: [kept.type, "null"] };
  }

  /** What the tests know of an operation, and an example of its answer. */
  operation(name) {
    const [method, path] = name.split(" ");
    const operation = this.api.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`${name} is not described`);
    const parameters = operation.parameters
      .map((one) => this.resolved(one))
      .map(({ name, in: where, required = false, schema }) => ({
        name,
        in: where,
        required,
        schema: this.schemaOf(schema),
      }));
    const body = jsonOf(this.resolved(operation.requestBody)?.content)?.schema;
    const answers = {};
    let example;
    for (const [status, given] of Object.entries(operation.responses)) {
      const content = jsonOf(this.resolved(given).content);
      answers[status] = content === undefined ? null : this.schemaOf(content.schema);
      if (Number(status) >= 300 || content === undefined) continue;
      const shown = Object.values(content.examples ?? {}).map((one) => this.resolved(one).value);
      example = this.sample(content.schema, shown[0]);
    }
    return {
      described: {
        id: operation.operationId,
        parameters,
        ...(body === undefined ? {} : { body: this.schemaOf(body) }),
        answers,
      },
      example,
    };
  }

  /** An answer with every required field, from GitHub's own example. */
  sample(given, shown) {
    const schema = this.resolved(given);
    if (schema.nullable === true && shown === null) return null;
    const one = schema.allOf ?? schema.oneOf ?? schema.anyOf;
    if (one !== undefined && schema.properties === undefined) {
      const fitting =
        one
          .map((part) => this.resolved(part))
          .find(({ type }) => type === (Array.isArray(shown) ? "array" : "object")) ?? one[0];
      return schema.allOf === undefined
        ? this.sample(fitting, shown)
        : Object.assign({}, ...one.map((part) => this.sample(part, shown)));
    }
    if (schema.type === "array")
      return schema.items === undefined || !Array.isArray(shown)
        ? []
        : shown.slice(0, 1).map((item) => this.sample(schema.items, item));
    if (schema.type === "object" && schema.properties !== undefined) {
      const has = typeof shown === "object" && shown !== null && !Array.isArray(shown) ? shown : {};
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, this.sample(schema.properties[key] ?? {}, has[key])]),
      );
    }
    if (shown !== undefined && shown !== null) return shown;
    if (schema.nullable === true) return null;
    if (schema.enum !== undefined) return schema.enum[0];
    if (schema.format === "date-time") return "2026-11-21T12:00:00Z";
    if (schema.format === "uri") return "https://api.github.com/";
    return { string: "", integer: 0, number: 0, boolean: false, object: {} }[schema.type] ?? null;
  }
}

function writeRest(api) {
  const from = new OpenApi(api);
  const operations = {};
  const examples = {};
  for (const name of OPERATIONS) {
    const { described, example } = from.operation(name);
    operations[name] = described;
    if (example !== undefined) examples[described.id] = example;
  }
  from.schemaOf({ $ref: "#/components/schemas/basic-error" });
  const file = {
    from: REST,
    operations,
    examples,
    schemas: Object.fromEntries([...from.schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  writeFileSync(new URL("github-rest.json", into), `${JSON.stringify(file, null, 1)}\n`);
}

/** The events, and one of each with every required field, whose values mean nothing: GitHub shows no example. */
function writeEvents(api) {
  const from = new OpenApi(api, "event-");
  const events = {};
  const examples = {};
  for (const name of STARTING) {
    const { schema } = jsonOf(api.webhooks[name].post.requestBody.content);
    events[name] = from.schemaOf(schema);
    examples[name] = from.sample(schema, undefined);
  }
  const schemas = Object.fromEntries([...from.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(
    new URL("github-events.json", into),
    `${JSON.stringify({ from: EVENTS, events, examples, schemas }, null, 1)}\n`,
  );
}

const jsonOf = (content) => content?.["application/json"];

/** The types and fields that the Action's queries name, and everything that those need to be complete. */
function writeGraphql(text) {
  const schema = buildSchema(text, { assumeValid: true });
  const source = readFileSync(new URL("../src/action/github-requests.ts", import.meta.url), "utf8");
  const queries = [...source.matchAll(/`((?:query|mutation)[^`]*)`/g)].map(([, query]) => query);
  queries.push("query { viewer { login } }");
  const fields = new Map();
  const inputs = new Set();
  const input = (type) => {
    const named = getNamedType(type);
    if (inputs.has(named) || !(isInputObjectType(named) || isEnumType(named))) return;
    inputs.add(named);
    if (isInputObjectType(named)) for (const field of Object.values(named.getFields())) input(field.type);
  };
  for (const query of queries) {
    const types = new TypeInfo(schema);
    visit(
      parse(query),
      visitWithTypeInfo(types, {
        Field() {
          const parent = types.getParentType();
          const field = types.getFieldDef();
          if (!parent || !field) throw new Error(`GitHub's schema does not have what ${query} asks for`);
          fields.set(parent.name, new Map([...(fields.get(parent.name) ?? []), [field.name, field]]));
          for (const { type } of field.args) input(type);
        },
      }),
    );
  }
  const document = parse(text, { noLocation: true });
  const kept = document.definitions.flatMap((definition) => {
    const wanted = fields.get(definition.name?.value);
    if (wanted !== undefined)
      return [
        {
          ...definition,
          interfaces: [],
          directives: [],
          fields: definition.fields.filter(({ name }) => wanted.has(name.value)),
        },
      ];
    if ([...inputs].some(({ name }) => name === definition.name?.value)) return [definition];
    return [];
  });
  const named = new Set(kept.map(({ name }) => name.value));
  const bare = visit(
    { kind: "Document", definitions: kept },
    {
      enter: (node) => (node.description === undefined ? undefined : { ...node, description: undefined }),
      Directive: () => null,
    },
  );
  // Scalars that GitHub defines.
  const scalars = document.definitions.filter(
    ({ kind, name }) =>
      kind === "ScalarTypeDefinition" && !named.has(name.value) && new RegExp(`\\b${name.value}\\b`).test(print(bare)),
  );
  const names = scalars.map(({ name }) => `scalar ${name.value}`);
  writeFileSync(
    new URL("github.graphql", into),
    `# ${GRAPHQL}, cut by scripts/github-api.mjs\n\n${[...names, print(bare)].join("\n\n")}\n`,
  );
}

const scratch = mkdtempSync(join(tmpdir(), "github-api-"));
try {
  execFileSync(
    "npm",
    ["install", "--silent", "--no-save", "--ignore-scripts", "--prefix", scratch, REST, EVENTS, GRAPHQL],
    {
      stdio: "inherit",
    },
  );
  const own = join(scratch, "node_modules/@octokit");
  writeRest(JSON.parse(readFileSync(join(own, "openapi/generated/api.github.com.json"), "utf8")));
  writeEvents(JSON.parse(readFileSync(join(own, "openapi-webhooks/generated/api.github.com.json"), "utf8")));
  writeGraphql(readFileSync(join(own, "graphql-schema/schema.graphql"), "utf8"));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

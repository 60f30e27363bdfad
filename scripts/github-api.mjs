// What GitHub publishes about its own API, cut to what the Action uses: test/action/described/github-rest.json and github.graphql.
//   node scripts/github-api.mjs     fetches two npm packages (385 MB) into a folder that it removes afterwards
// Both packages are MIT-licensed (copyright Octokit contributors and GitHub); test/action/described/README.md says so.
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

const scratch = mkdtempSync(join(tmpdir(), "github-api-"));
try {
  execFileSync("npm", ["install", "--silent", "--no-save", "--ignore-scripts", "--prefix", scratch, REST, GRAPHQL], {
    stdio: "inherit",
  });
  const own = join(scratch, "node_modules/@octokit");
  writeRest(JSON.parse(readFileSync(join(own, "openapi/generated/api.github.com.json"), "utf8")));
  writeGraphql(readFileSync(join(own, "graphql-schema/schema.graphql"), "utf8"));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function writeRest(api) {
  const schemas = new Map();
  const at = (reference) =>
    reference
      .slice(2)
      .split("/")
      .reduce((value, key) => value[key], api);
  const resolved = (value) => (value?.$ref === undefined ? value : at(value.$ref));

  /** Converts a schema of OpenAPI 3.0 to JSON Schema, where `nullable` is a type. */
  function schemaOf(given) {
    if (given.$ref !== undefined) {
      const name = given.$ref.split("/").at(-1);
      if (!schemas.has(name)) {
        schemas.set(name, undefined);
        schemas.set(name, schemaOf(at(given.$ref)));
      }
      return { $ref: `github#/$defs/${name}` };
    }
    const kept = {};
    for (const [keyword, value] of Object.entries(given)) {
      if (!KEYWORDS.has(keyword)) continue;
      if (keyword === "properties")
        kept[keyword] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]));
      else if (["allOf", "anyOf", "oneOf"].includes(keyword)) kept[keyword] = value.map(schemaOf);
      else if (["items", "not"].includes(keyword)) kept[keyword] = schemaOf(value);
      else if (keyword === "additionalProperties" && typeof value === "object") kept[keyword] = schemaOf(value);
      else kept[keyword] = value;
    }
    if (given.nullable !== true) return kept;
    if (kept.enum !== undefined) kept.enum = [...new Set([...kept.enum, null])];
    if (kept.type === undefined) return { anyOf: [kept, { type: "null" }] };
    return { ...kept, type: [kept.type, "null"] };
  }

  const jsonOf = (content) => content?.["application/json"];
  const operations = {};
  const examples = {};
  for (const name of OPERATIONS) {
    const [method, path] = name.split(" ");
    const operation = api.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`${name} is not described`);
    const parameters = operation.parameters.map(resolved).map(({ name, in: where, required = false, schema }) => ({
      name,
      in: where,
      required,
      schema: schemaOf(schema),
    }));
    const body = jsonOf(resolved(operation.requestBody)?.content)?.schema;
    const answers = {};
    for (const [status, given] of Object.entries(operation.responses)) {
      const content = jsonOf(resolved(given).content);
      answers[status] = content === undefined ? null : schemaOf(content.schema);
      if (Number(status) >= 300 || content === undefined) continue;
      const shown = Object.values(content.examples ?? {}).map((one) => resolved(one).value);
      examples[operation.operationId] = sample(content.schema, shown[0]);
    }
    operations[name] = {
      id: operation.operationId,
      parameters,
      ...(body === undefined ? {} : { body: schemaOf(body) }),
      answers,
    };
  }
  schemaOf({ $ref: "#/components/schemas/basic-error" });
  const file = {
    from: REST,
    operations,
    examples,
    schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  writeFileSync(new URL("github-rest.json", into), `${JSON.stringify(file, null, 1)}\n`);

  /** An answer with every required field, from GitHub's own example. */
  function sample(given, shown) {
    const schema = resolved(given);
    if (schema.nullable === true && shown === null) return null;
    const one = schema.allOf ?? schema.oneOf ?? schema.anyOf;
    if (one !== undefined && schema.properties === undefined) {
      const fitting =
        one.map(resolved).find(({ type }) => type === (Array.isArray(shown) ? "array" : "object")) ?? one[0];
      return schema.allOf === undefined
        ? sample(fitting, shown)
        : Object.assign({}, ...one.map((part) => sample(part, shown)));
    }
    if (schema.type === "array")
      return schema.items === undefined || !Array.isArray(shown)
        ? []
        : shown.slice(0, 1).map((item) => sample(schema.items, item));
    if (schema.type === "object" && schema.properties !== undefined) {
      const has = typeof shown === "object" && shown !== null && !Array.isArray(shown) ? shown : {};
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, sample(schema.properties[key] ?? {}, has[key])]),
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

/** The types and fields that the Action's queries name, and everything that those need to be complete. */
function writeGraphql(text) {
  const schema = buildSchema(text, { assumeValid: true });
  const source = readFileSync(new URL("../src/action/github-answers.ts", import.meta.url), "utf8");
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

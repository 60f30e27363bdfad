import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { diagnosticsSarif } from "./sarif.ts";
import type { SaidDiagnostic } from "./words/diagnostics.ts";

/**
 * What SARIF 2.1.0 (OASIS, sections 3.13 to 3.30) requires of the parts that we write: required properties, their types, and no property that the
 * standard does not know.
 */
const text = {
  type: "object",
  required: ["text"],
  additionalProperties: false,
  properties: { text: { type: "string" } },
};
const position = { type: "integer", minimum: 1 };
const location = {
  type: "object",
  additionalProperties: false,
  required: ["physicalLocation"],
  properties: {
    id: { type: "integer", minimum: 0 },
    message: text,
    physicalLocation: {
      type: "object",
      additionalProperties: false,
      required: ["artifactLocation", "region"],
      properties: {
        artifactLocation: {
          type: "object",
          additionalProperties: false,
          required: ["uri"],
          properties: { uri: { type: "string", format: "uri-reference" } },
        },
        region: {
          type: "object",
          additionalProperties: false,
          required: ["startLine"],
          properties: { startLine: position, startColumn: position, endLine: position, endColumn: position },
        },
      },
    },
  },
};
const SARIF = {
  type: "object",
  additionalProperties: false,
  required: ["version", "runs"],
  properties: {
    $schema: { type: "string", format: "uri" },
    version: { const: "2.1.0" },
    runs: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["tool", "results"],
        properties: {
          tool: {
            type: "object",
            additionalProperties: false,
            required: ["driver"],
            properties: {
              driver: {
                type: "object",
                additionalProperties: false,
                required: ["name"],
                properties: {
                  name: { type: "string" },
                  semanticVersion: { type: "string" },
                  rules: {
                    type: "array",
                    uniqueItems: true,
                    items: {
                      type: "object",
                      additionalProperties: false,
                      required: ["id"],
                      properties: { id: { type: "string" }, shortDescription: text, help: text },
                    },
                  },
                },
              },
            },
          },
          columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
          results: {
            type: "array",
            items: {
              type: "object",
              additionalProperties: false,
              required: ["message"],
              properties: {
                ruleId: { type: "string" },
                ruleIndex: { type: "integer", minimum: 0 },
                level: { enum: ["none", "note", "warning", "error"] },
                message: text,
                locations: { type: "array", items: location },
                relatedLocations: { type: "array", uniqueItems: true, items: location },
              },
            },
          },
        },
      },
    },
  },
};
const isUri = (value: string): boolean => URL.canParse(value, "file:///x/") && !/[\s<>"{}|\\^`]/.test(value);
const accepts = new Ajv({ strict: true, formats: { uri: isUri, "uri-reference": isUri } }).compile(SARIF);

const at = (file: string) => ({ file, line: 3, column: 5, endLine: 3, endColumn: 9 });
const shown = (diagnostics: readonly SaidDiagnostic[]) =>
  diagnosticsSarif({ diagnostics, version: "1.2.3", ruleOf: () => undefined });

describe("is SARIF 2.1.0", () => {
  test.each<{ name: string; diagnostics: readonly SaidDiagnostic[] }>([
    { name: "no diagnostics", diagnostics: [] },
    {
      name: "no place",
      diagnostics: [{ code: "field/value", severity: "error", message: "m", hint: "h", footnotes: ["f"] }],
    },
    {
      name: "a place and notes",
      diagnostics: [
        {
          code: "field/value",
          severity: "warning",
          message: "m",
          at: at("realm.yaml"),
          notes: [{ at: at("x.yaml"), message: "n" }],
        },
        { code: "channels/was", severity: "error", message: "m", at: at("realm.yaml") },
      ],
    },
    {
      name: "odd names of files",
      diagnostics: [{ code: "field/value", severity: "error", message: "m", at: at("./a b/ü{#?%.yaml") }],
    },
    {
      name: "an absolute path",
      diagnostics: [{ code: "field/value", severity: "error", message: "m", at: at("/srv/realm.yaml") }],
    },
  ])("$name", ({ diagnostics }) => {
    accepts(JSON.parse(JSON.stringify(shown(diagnostics))));
    expect(accepts.errors).toBeNull();
  });

  test("the check itself can fail", () => {
    expect(accepts({ version: "2.1.0", runs: [{ tool: { driver: {} }, results: [] }] })).toBe(false);
  });
});

test("every result names its rule and its place", () => {
  const diagnostics: SaidDiagnostic[] = [
    { code: "field/value", severity: "error", message: "first", at: at("./dir/realm.yaml") },
    { code: "channels/was", severity: "warning", message: "second", hint: "do" },
    { code: "field/value", severity: "error", message: "third", notes: [{ at: at("x.yaml"), message: "here" }] },
  ];
  expect(shown(diagnostics)).toMatchObject({
    runs: [
      {
        tool: { driver: { rules: [{ id: "channels/was" }, { id: "field/value" }] } },
        results: [
          {
            ruleId: "field/value",
            ruleIndex: 1,
            level: "error",
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: "dir/realm.yaml" },
                  region: { startLine: 3, startColumn: 5, endLine: 3, endColumn: 9 },
                },
              },
            ],
          },
          { ruleId: "channels/was", ruleIndex: 0, level: "warning", message: { text: "second\ndo" } },
          { ruleId: "field/value", relatedLocations: [{ id: 0, message: { text: "here" } }] },
        ],
      },
    ],
  });
});

test("a result has the hint and the footnotes below the message, and an absolute path as a file address", () => {
  const diagnostics: SaidDiagnostic[] = [
    {
      code: "field/value",
      severity: "error",
      message: "m",
      hint: "h",
      footnotes: ["f"],
      at: at("/srv/a/./realm.yaml"),
    },
    { code: "field/value", severity: "error", message: "alone", at: at("a/./realm.yaml") },
    { code: "rules/undecided", severity: "warning", message: "skipped" },
  ];
  const uri = (path: string) => [{ physicalLocation: { artifactLocation: { uri: path } } }];
  const found = diagnosticsSarif({ diagnostics, version: "1", ruleOf: () => ({ title: "title", help: "help" }) });
  expect(found).toMatchObject({
    runs: [
      {
        tool: { driver: { rules: [{ shortDescription: { text: "title" }, help: { text: "help" } }, {}] } },
        results: [
          { message: { text: "m\nh\nf" }, locations: uri("file:///srv/a/./realm.yaml") },
          { message: { text: "alone" }, locations: uri("a/./realm.yaml") },
          { level: "note" },
        ],
      },
    ],
  });
  expect(JSON.stringify(found)).not.toContain("relatedLocations");
});

test("validate --format sarif, with the meaning of each code", async () => {
  const ran = await runCommandLine(["validate", "--format", "sarif"], {
    files: { "realm.yaml": "version: 1\nchannels:\n  general: {privacy: open}\n" },
  });
  expect(ran).toMatchObject({ exitCode: 1, err: "" });
  const log: unknown = JSON.parse(ran.out);
  accepts(log);
  expect(accepts.errors).toBeNull();
  expect(log).toMatchObject({
    runs: [
      {
        tool: {
          driver: {
            name: "realmctl",
            rules: [{ id: "field/value", help: { text: expect.stringContaining("Choose") } }],
          },
        },
        results: [{ ruleId: "field/value", level: "error" }],
      },
    ],
  });
});

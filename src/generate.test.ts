import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { smallRealm } from "../test/invalid/small-realm.ts";
import { EMPTY_PLAN, HOSTILE_PLAN, LARGE_PLAN, MIXED_PLAN } from "../test/support/example-plans.ts";
import { invalidCases } from "../test/support/invalid.ts";
import { planSchema, realmSchema, snapshotSchema } from "./config/json-schema.ts";
import { generatedFiles, LONGEST_HOVER, withExamples, withShortTexts } from "./generate.ts";
import { kinds } from "./kinds/registry.ts";
import { isObject } from "./model/json.ts";
import { SourceText } from "./source/text.ts";
import { PlaceTable } from "./source/tree.ts";
import { parseFully } from "./source/yaml.ts";

const root = join(import.meta.dirname, "..");

test.each([...generatedFiles()])("%s is as `npm run generate` writes it", (path, text) =>
  expect(readFileSync(join(root, path), "utf8")).toBe(text),
);

const ajv = new Ajv({ strict: true, allowUnionTypes: true, formats: { uri: true } });
const schema = withExamples(realmSchema(kinds), kinds);
const accepts = ajv.compile(schema);
const valuesIn = (file: string): unknown =>
  parseFully(new SourceText(file, readFileSync(file, "utf8")), new PlaceTable()).value;

const written = ["examples", "fixtures"].flatMap((directory) =>
  readdirSync(join(root, directory), { recursive: true, encoding: "utf8" })
    // The other one is Docker's.
    .filter((name) => name.endsWith(".yaml") && basename(name) !== "compose.yaml")
    .map((name) => join(directory, name)),
);
test.each(written)("the schema accepts %s", (file) => {
  accepts(valuesIn(join(root, file)));
  expect(accepts.errors).toBeNull();
});
test("there are examples", () => expect(written.length).toBeGreaterThanOrEqual(2));

describe("the schema refuses what realmctl refuses", () => {
  // The schema does not contain lengths in characters beyond 16 bits, nor rules that only the reference describes.
  const beyond = new Set([
    "value-text-too-long.yaml",
    "folder-description-too-long.yaml",
    "field-invisible-character.yaml",
  ]);
  const files = invalidCases().filter(
    ({ file: name, text }) =>
      !name.includes("/") &&
      !beyond.has(name) &&
      // The schema does not know the value of a variable.
      !name.startsWith("vars-") &&
      /^# expect: (field\/|config\/(unknown-section|policy|section))/m.test(text),
  );
  test.each(files)("$name", ({ directory, file }) => expect(accepts(valuesIn(join(directory, file)))).toBe(false));
  test("there are many", () => expect(files.length).toBeGreaterThan(40));
});

describe("every key of the file", () => {
  const { properties } = schema;
  const keys = isObject(properties) ? Object.entries(properties) : [];
  test.each(keys)("%s has a description", (_, value) =>
    expect(value).toMatchObject({ description: expect.any(String) }),
  );

  test.each(kinds.map(({ section }) => section))("%s has an example that the schema accepts", (section) => {
    const value = keys.find(([key]) => key === section)?.[1];
    const examples: unknown = isObject(value) ? value.examples : undefined;
    expect(examples).toHaveLength(1);
    for (const example of Array.isArray(examples) ? examples : []) {
      accepts({ [section]: example });
      expect(accepts.errors).toBeNull();
    }
  });

  test("every field inside has a description too", () => {
    const bare: string[] = [];
    const definitions = isObject(schema.definitions) ? schema.definitions : {};
    const resolved = (value: unknown): unknown =>
      isObject(value) && typeof value.$ref === "string" ? definitions[value.$ref.replace("#/definitions/", "")] : value;
    const walk = (found: unknown, path: string): void => {
      const value = resolved(found);
      if (!isObject(value)) return;
      for (const [name, inner] of Object.entries(isObject(value.properties) ? value.properties : {})) {
        const field = resolved(inner);
        if (isObject(field) && field.description === undefined) bare.push(`${path}.${name}`);
        walk(inner, `${path}.${name}`);
      }
      for (const inner of [value.items, value.additionalProperties, ...(Array.isArray(value.anyOf) ? value.anyOf : [])])
        walk(inner, path);
    };
    walk(schema, "");
    expect(bare.filter((path) => !/^\.(policy|manage)\./.test(path) && !path.endsWith(".id"))).toEqual([]);
  });
});

test("an editor shows one sentence of at most 220 characters for each field", () => {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "description" && typeof inner === "string") texts.push(inner);
      else if (key !== "examples") walk(inner);
    }
  };
  walk(withShortTexts(schema));
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter((text) => text.length > LONGEST_HOVER || /[.!?]\)? +[A-Z`[(]/.test(text))).toEqual([]);
});

test("repeated parts of the schema are shared", () => {
  const text = JSON.stringify(withShortTexts(schema));
  // The schema has fifteen sections; without shared parts it would be several times as long.
  expect(text.length).toBeLessThan(78_000);
  const names = Object.keys(isObject(schema.definitions) ? schema.definitions : {});
  const unused = names.filter((name) => text.split(`{"$ref":"#/definitions/${name}"}`).length < 3);
  expect(unused).toEqual([]);
});

test("a snapshot's schema accepts a snapshot and refuses a damaged one", () => {
  const acceptsSnapshot = ajv.compile(snapshotSchema());
  const { snapshot } = smallRealm();
  expect(acceptsSnapshot(snapshot)).toBe(true);
  expect(acceptsSnapshot({ ...snapshot, users: [{ user_id: 1 }] })).toBe(false);
});

test("a plan's schema accepts plans and refuses damaged ones", () => {
  const acceptsPlan = ajv.compile(planSchema());
  for (const plan of [EMPTY_PLAN, MIXED_PLAN, HOSTILE_PLAN, LARGE_PLAN]) {
    acceptsPlan(JSON.parse(JSON.stringify(plan)));
    expect(acceptsPlan.errors).toBeNull();
  }
  expect(acceptsPlan({ ...EMPTY_PLAN, calls: [{ n: 1 }] })).toBe(false);
  expect(acceptsPlan({ ...EMPTY_PLAN, version: 1 })).toBe(false);
});

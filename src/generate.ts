import { outputSchemas, planSchema, policyFileSchema, realmSchema, snapshotSchema } from "./config/json-schema.ts";
import { SCHEMA_STORE } from "./config/schema-store.ts";
import { kinds } from "./kinds/registry.ts";
import { asMap, isList, isObject, type Json, type JsonObject } from "./model/json.ts";
import type { ResourceKind } from "./model/kind.ts";
import { rulesSchema } from "./rules/schema.ts";
import { SourceText } from "./source/text.ts";
import { PlaceTable } from "./source/tree.ts";
import { parseFully } from "./source/yaml.ts";

/** Every file that is made from the code: path in the repository → text. A test keeps them up to date. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return new Map([
    ["schemas/realm.schema.json", json(withShortTexts(withExamples(realmSchema(kinds), kinds)))],
    ["schemas/plan.schema.json", json(planSchema())],
    ["schemas/policy.schema.json", json(policyFileSchema(kinds))],
    ["schemas/rules.schema.json", json(rulesSchema(kinds))],
    ["schemas/snapshot.schema.json", json(snapshotSchema())],
    ["schemas/schema-store.json", json(Object.values(SCHEMA_STORE))],
    ["src/kinds/known-words.ts", knownWords(kinds)],
    ...[...outputSchemas()].map(([name, schema]) => [`schemas/${name}.schema.json`, json(schema)] as const),
  ]);
}

/** The longest text that an editor shows beside a field. */
export const LONGEST_HOVER = 220;

/** The schema as editors show it: one sentence for each field. The reference has the others. */
export function withShortTexts(value: Json): Json {
  if (isList(value)) return value.map(withShortTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(asMap(value)).map(([key, inner]) => [
      key,
      key === "description" && typeof inner === "string"
        ? sentenceOf(inner)
        : key === "examples"
          ? inner
          : withShortTexts(inner),
    ]),
  );
}

/** What the type and the name of a section say already. */
const SAYS_LITTLE: ReadonlySet<string> = new Set(
  kinds.flatMap(({ noun: [, many] }) => [`A list of ${many}.`, `${many.charAt(0).toUpperCase()}${many.slice(1)}.`]),
);

/** The first sentence that says something: "A list of linkifiers." is what the type says already. */
function sentenceOf(text: string): string {
  const sentences = text.split(/(?<=[.!?]\)?) +(?=[A-Z`[(])/);
  const [first = text, second] = sentences;
  return second !== undefined && SAYS_LITTLE.has(first) ? second : first;
}

/** What the command line needs to know about all kinds before they are loaded. */
function knownWords(known: readonly ResourceKind[]): string {
  const asking = known.filter(({ live }) => live.request !== undefined);
  const silent = asking.find(({ live }) => live.requestWords === undefined);
  if (silent !== undefined)
    throw new RangeError(`${silent.name}: the words that ask for more than a reading holds are missing`);
  const words = [...new Set(asking.flatMap(({ live }) => live.requestWords ?? []))];
  const lines = known.map(
    ({ name, section }) => `  { name: ${JSON.stringify(name)}, section: ${JSON.stringify(section)} },`,
  );
  return [
    "// Written by `npm run generate` from the registry. A plan asks the server before the kinds themselves are loaded.",
    'import type { ResourceKind } from "../model/kind.ts";',
    "",
    "/** Kinds as command lines name them, in the order of the registry. */",
    'export const KNOWN: readonly Pick<ResourceKind, "name" | "section">[] = [',
    ...lines,
    "];",
    "",
    "/** A configuration with one of these words may need more than what is always read of an organization (`live.requestWords`). */",
    `export const REQUEST_WORDS: readonly string[] = [${words.map((word) => JSON.stringify(word)).join(", ")}];`,
    "",
  ].join("\n");
}

/** The schema of the file with an example for each section, as the reference shows it. */
export function withExamples(schema: JsonObject, known: readonly ResourceKind[]): JsonObject {
  const properties = asMap(schema.properties);
  const withExample = Object.entries(properties).map(([section, value]): readonly [string, Json] => {
    const notes = known.find((kind) => kind.section === section)?.docs;
    if (notes === undefined) return [section, value];
    const { value: parsed } = parseFully(new SourceText(section, notes.example), new PlaceTable());
    const example: Json = JSON.parse(JSON.stringify(isObject(parsed) ? parsed[section] : null));
    return [section, { ...asMap(value), examples: [example] }];
  });
  return { ...schema, properties: Object.fromEntries(withExample) };
}

import * as z from "zod";
import { isChannelAddress, isGroupAddress } from "../access/scope.ts";
import { RIGHTS } from "../access/words.ts";
import { shareDefinitions } from "../config/schema-sharing.ts";
import { asMap, isList, isMap, type Json, type JsonObject } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { ROLE_WORDS } from "../model/roles.ts";

/** The version of the format of rules. */
const RULES_VERSION = 1;

const name = z.string().min(1);
const OneOrMore = z.union([name, z.array(name).min(1)]);

/** Channels (`lobby`, `#customer-*`, `channel:lobby`), groups (`user_group:staff`) or `organization`; `*` is every channel. */
const Objects = OneOrMore.describe(
  "Channels by name (`*` any text, `?` one character), `user_group:NAME` for groups, `organization` for the whole.",
);
const Names = OneOrMore.describe("Groups by name, roles as `role:moderators`, people by address.");
export type OneOrMore = z.infer<typeof OneOrMore>;

const Who = z
  .union([
    name,
    z.strictObject({
      role: z.enum(ROLE_WORDS).describe("Everybody of exactly this role."),
      groups: z.array(name).optional().describe("… who is in all of these groups."),
    }),
    z.array(name).min(1),
  ])
  .describe("Whom the rule is about: a role, a group, people by address.");
export type Who = z.infer<typeof Who>;

const RightsOnObjects = z
  .record(z.string(), Objects)
  .describe("Right in plain words (`read`, `post`, `administer`, …) or the API's → objects.");

export const Expectation = z
  .strictObject({
    exactly: Names.optional().describe("These have the right, and nobody else."),
    allow: Names.optional().describe("Each of these has the right."),
    deny: Names.optional().describe("None of these has the right."),
    only: Names.optional().describe("Nobody but these has the right; not all of them need to."),
    at_least: z.int().min(0).optional().describe("So many people have the right."),
    at_most: z.int().min(0).optional().describe("No more people than this have the right."),
  })
  .describe("Who has a right; several must all hold.");
export type Expectation = z.infer<typeof Expectation>;

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const FieldExpectation = z
  .strictObject({
    is: z
      .union([Value, z.array(Value).min(1)])
      .optional()
      .describe("One of these; in texts `*` is any text."),
    not: z
      .union([Value, z.array(Value).min(1)])
      .optional()
      .describe("None of these."),
    has: z
      .enum(["group", "person"])
      .optional()
      .describe("A setting that names a group (not role:nobody), or a person."),
  })
  .describe("What a field of realm.yaml has to be.");
export type FieldExpectation = z.infer<typeof FieldExpectation>;

export const Rule = z
  .strictObject({
    name: name.describe("What the rule says, as a sentence."),
    who: Who.optional(),
    can: RightsOnObjects.optional().describe("What they can do, on which objects."),
    cannot: RightsOnObjects.optional().describe("What they cannot do, on which objects."),
    except: Objects.optional().describe("Objects that can: or cannot: does not mean."),
    objects: Objects.optional(),
    privacy: OneOrMore.optional().describe("Only channels of this privacy, such as `private_*`."),
    rights: z.record(z.string(), Expectation).optional().describe("Right → who has it."),
    fields: z.record(z.string(), FieldExpectation).optional().describe("Field → what it has to be."),
    bots: z.boolean().optional().describe("`true`: bots count as people."),
  })
  .describe("One rule: of people (who, can, cannot) or of objects (objects, rights, fields).");
export type Rule = z.infer<typeof Rule>;

export const RulesFile = z.strictObject({
  version: z.literal(RULES_VERSION).describe("The version of this format."),
  tests: z.array(Rule).min(1).describe("The rules."),
});

export const listOf = (value: OneOrMore | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

/** Whether a name is an address or `user:17`, which are the names of single people. */
export const isAddress = (name: string): boolean => /.@/.test(name) || /^user:\d+$/.test(name);

/** Whether the file alone shows that the exceptions cover all patterns. */
export const isAllExcepted = (patterns: readonly string[], except: readonly string[]): boolean =>
  except.includes("*") || (except.length > 0 && patterns.every((pattern) => except.includes(pattern)));

/**
 * JSON Schema of files of rules, for editors. Rights and fields are proposed by name, and none is refused: realmctl accepts other spellings of rights
 * too, and reports unknown ones itself.
 */
export function rulesSchema(kinds: readonly ResourceKind[]): JsonObject {
  const schema: Json = JSON.parse(JSON.stringify(z.toJSONSchema(RulesFile, { io: "input", target: "draft-7" })));
  const rights = new Map(RIGHTS.map(({ word }) => [word, rightText(word)]));
  const proposed = new Map([
    ["can", rights],
    ["cannot", rights],
    ["rights", rights],
    ["fields", fieldTexts(kinds)],
  ]);
  return shareDefinitions({
    ...asMap(withNames(schema, proposed)),
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "realm.test.yaml",
    description: "Rules about access that realmctl test holds against an organization (docs/access.md).",
  });
}

const SCOPE_WORDS = { channel: "a channel", user_group: "a group", organization: "the organization" } as const;

/** The settings that a word means: "Of a channel: can_subscribe_group. Of a group: can_join_group." */
function rightText(word: string): string {
  const own = RIGHTS.filter((right) => right.word === word);
  return own.map(({ scope, right }) => `Of ${SCOPE_WORDS[scope]}: ${right}.`).join(" ");
}

/** Descriptions of the fields of channels and groups. */
function fieldTexts(kinds: readonly ResourceKind[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, file } of kinds)
    if (isChannelAddress(`${name}:x`) || isGroupAddress(`${name}:x`))
      for (const [field, { about }] of Object.entries(file.fields))
        if (about !== undefined && !found.has(field)) found.set(field, about);
  return found;
}

type Proposed = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The same schema in which each of the named maps proposes its keys; other keys stay allowed. */
function withNames(schema: Json, proposed: Proposed): Json {
  if (isList(schema)) return schema.map((inner) => withNames(inner, proposed));
  if (!isMap(schema)) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, withNames(inner, proposed)]));
  if (!isMap(copy.properties)) return copy;
  const properties = Object.entries(copy.properties).map(([name, inner]): readonly [string, Json] => {
    const names = proposed.get(name);
    if (names === undefined || !isMap(inner) || inner.additionalProperties === undefined) return [name, inner];
    // Editors show the deepest description, so it must be that of the name.
    const { description: _, ...value } = asMap(inner.additionalProperties);
    const known = [...names].map(([key, description]) => [key, { description, allOf: [value] }] as const);
    return [name, { ...inner, properties: Object.fromEntries(known) }];
  });
  return { ...copy, properties: Object.fromEntries(properties) };
}

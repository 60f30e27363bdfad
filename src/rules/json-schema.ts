import * as z from "zod";
import { isChannelAddress, isGroupAddress } from "../access/scope.ts";
import { RIGHTS } from "../access/words.ts";
import { shareDefinitions } from "../config/schema-sharing.ts";
import { asMap, isList, isMap, type Json, type JsonObject } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { RulesFile } from "./schema.ts";

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

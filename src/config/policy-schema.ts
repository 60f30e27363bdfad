import { LIMITS, SECTION_LIMITS } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { syncable } from "./sync-parts.ts";

/** JSON Schema of `policy:`, here and in a policy file. */
export function policySchema(kinds: readonly ResourceKind[]): JsonObject {
  const number = (name: string): Json => ({
    type: "integer",
    minimum: 0,
    ...defined({ maximum: name.endsWith("_percent") ? 100 : undefined }),
  });
  const own = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, number(name)]));
  return {
    description: "Guard rails that every plan is checked against, or the file with them (docs/policy.md).",
    anyOf: [
      { type: "string", examples: ["realm.policy.yaml"] },
      {
        type: "object",
        additionalProperties: false,
        properties: {
          limits: {
            description: "The most that one plan may hold: of everything, and of each section.",
            type: "object",
            additionalProperties: false,
            properties: {
              ...own(LIMITS),
              ...Object.fromEntries(
                kinds.map(({ section }) => [
                  section,
                  { type: "object", additionalProperties: false, properties: own(SECTION_LIMITS) },
                ]),
              ),
            },
          },
          protect: {
            description: "Objects of the organization that no plan may change, even if the file says so.",
            type: "array",
            items: { type: "string", pattern: "^[a-z_]+:.+$" },
            examples: [["channel:general", "channel:security-*"]],
          },
          sync: {
            description: "The lists that `realmctl sync` keeps as the file has them.",
            type: "array",
            items: { type: "string", pattern: "^[a-z_]+\\..+\\.[a-z_]+$" },
            examples: [syncable(kinds).slice(0, 2)],
          },
          lockout: {
            description: "What happens to a plan after which nobody, or not this account, can reach a channel.",
            enum: ["refuse", "allow"],
          },
          min_owners: {
            description: "How many owners a plan that removes owners must leave (default: 1).",
            type: "integer",
            minimum: 1,
          },
        },
      },
    ],
  };
}

/** JSON Schema of a policy file. */
export function policyFileSchema(kinds: readonly ResourceKind[]): JsonObject {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "realmctl policy",
    type: "object",
    additionalProperties: false,
    required: ["policy"],
    properties: { version: { const: 1 }, policy: policySchema(kinds) },
  };
}

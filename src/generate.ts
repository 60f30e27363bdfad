import { outputSchemas, planSchema, realmSchema, snapshotSchema } from "./config/json-schema.ts";
import { policyFileSchema } from "./config/policy-schema.ts";
import { kinds } from "./kinds/registry.ts";

/** Every file that is made from the code: path below the repository → text. A test keeps them fresh. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return new Map([
    ["schemas/realm.schema.json", json(realmSchema(kinds))],
    ["schemas/plan.schema.json", json(planSchema())],
    ["schemas/policy.schema.json", json(policyFileSchema(kinds))],
    ["schemas/snapshot.schema.json", json(snapshotSchema())],
    ...[...outputSchemas()].map(([name, schema]) => [`schemas/${name}.schema.json`, json(schema)] as const),
  ]);
}

import * as z from "zod";
import type { JsonObject } from "../model/json.ts";
import { RulesFile } from "./schema.ts";

/** JSON Schema of files of rules, for editors. */
export function rulesSchema(): JsonObject {
  const schema: JsonObject = JSON.parse(JSON.stringify(z.toJSONSchema(RulesFile, { io: "input", target: "draft-7" })));
  return {
    ...schema,
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "realm.test.yaml",
    description: "Rules about access that realmctl test holds against an organization (docs/rules.md).",
  };
}

import { dirname, relative, resolve } from "node:path";
import { SCHEMA_STORE } from "../config/schema-store.ts";
import type { Io } from "./io.ts";
import { textOf } from "./write-files.ts";

/** The places of the schema: in a project that has realmctl installed, and in a clone of realmctl. */
const PLACES = ["node_modules/realmctl/schemas/realm.schema.json", "schemas/realm.schema.json"] as const;

/**
 * What the first line of a file names: the schema's path relative to that file's directory if the project has the schema (of the same version, and without
 * a network), otherwise its published address, which does not depend on where the file lies.
 * @param file path of the file that will have the line; undefined: not known yet, so relative to the current directory
 */
export async function schemaPath(io: Io, file?: string): Promise<string> {
  const from = file === undefined ? io.cwd : dirname(resolve(io.cwd, file));
  for (const place of PLACES)
    if ((await textOf(io, place)) !== undefined) return relative(from, resolve(io.cwd, place)).replaceAll("\\", "/");
  return SCHEMA_STORE.realm.url;
}

import { dirname, relative, resolve } from "node:path";
import type { Io } from "./io.ts";
import { textOf } from "./write-files.ts";

/** The places of the schema: in a project that has realmctl installed, and in a clone of realmctl. */
const PLACES = ["node_modules/realmctl/schemas/realm.schema.json", "schemas/realm.schema.json"] as const;

/**
 * The schema's path for the first line of a file, relative to that file's directory. Undefined if there is no such path: editors would report an
 * error in a correct file.
 * @param file path of the file that will have the line; undefined: not known yet, so relative to the current directory
 */
export async function schemaPath(io: Io, file?: string): Promise<string | undefined> {
  const from = file === undefined ? io.cwd : dirname(resolve(io.cwd, file));
  for (const place of PLACES)
    if ((await textOf(io, place)) !== undefined) return relative(from, resolve(io.cwd, place)).replaceAll("\\", "/");
  return undefined;
}

import { indexed } from "../../model/indexed.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Realm } from "../../model/realm.ts";
import { keysBeyond, rowsIn } from "../rows.ts";
import { playgroundName } from "./schema.ts";

/** The server's rows. Their ids change with every change of a playground, so they identify nothing here. */
export function playgroundRows(realm: Realm): readonly JsonObject[] | undefined {
  return rowsIn(realm.setting("playgrounds"), ["name", "pygments_language"]);
}

const KNOWN_KEYS: ReadonlySet<string> = new Set(["id", "name", "pygments_language", "url_template"]);
/** The settings of playgrounds that this version does not know. */
export const newerOfPlaygrounds = (realm: Realm): readonly string[] =>
  keysBeyond(playgroundRows(realm) ?? [], KNOWN_KEYS);

export const rowName = ({ pygments_language, name }: JsonObject): string =>
  playgroundName(String(pygments_language), String(name));

const byName = indexed<JsonObject>((row) => [rowName(row)]);

/** The first row with this name, which is that of the file. */
export function playgroundRow(name: string, realm: Realm): JsonObject | undefined {
  const rows = playgroundRows(realm);
  return rows === undefined ? undefined : byName(rows, name)[0];
}

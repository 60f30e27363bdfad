import type { JsonObject } from "../../model/json.ts";
import type { Realm } from "../../model/realm.ts";
import { rowsIn } from "../rows.ts";
import { playgroundName } from "./name.ts";

/** Rows of the server, which have ids: they change with every change of a playground, so that they name nothing here. */
export function playgroundRows(realm: Realm): readonly JsonObject[] | undefined {
  return rowsIn(realm.setting("playgrounds"));
}

export const rowName = ({ pygments_language, name }: JsonObject): string =>
  playgroundName(String(pygments_language), String(name));

import type { JsonObject } from "../../model/json.ts";
import type { Realm } from "../../model/realm.ts";
import { rowsIn } from "../rows.ts";
import { playgroundName } from "./name.ts";

/** The server's rows. Their ids change with every change of a playground, so they identify nothing here. */
export function playgroundRows(realm: Realm): readonly JsonObject[] | undefined {
  return rowsIn(realm.setting("playgrounds"));
}

export const rowName = ({ pygments_language, name }: JsonObject): string =>
  playgroundName(String(pygments_language), String(name));

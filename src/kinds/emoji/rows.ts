import type { JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { strip } from "../names.ts";
import { rowsIn } from "../rows.ts";

/** The name as the server stores it. */
export const emojiName = (name: string): string => strip(name).replaceAll(" ", "_");

/** Those in use; the server also keeps those that were removed, for messages that have them. */
function rowsInUse(realm: Realm): readonly JsonObject[] | undefined {
  return rowsIn(realm.setting("emoji"))?.filter(({ deactivated }) => deactivated !== true);
}

/**
 * Custom emoji in use. Their ids change with every new picture, so the name is all that they are known by, and the id a field: the only
 * sign of another picture that there is.
 */
export function liveEmoji(realm: Realm): readonly LiveObject[] | undefined {
  return rowsInUse(realm)?.flatMap(({ id, name, author_id }) => {
    if (typeof name !== "string") return [];
    const author = typeof author_id === "number" ? realm.userName(author_id) : null;
    return [{ key: name, name, id: null, fields: { emoji_id: Number(id), author }, inactive: false }];
  });
}

/** Ids of every emoji that there is and was. */
export function emojiIds(realm: Realm): ReadonlySet<number> {
  return new Set((rowsIn(realm.setting("emoji")) ?? []).map(({ id }) => Number(id)));
}

/** Where its picture is. */
export function addressOf(name: string, realm: Realm): string | undefined {
  const address = rowsInUse(realm)?.find((row) => row.name === name)?.source_url;
  return typeof address === "string" ? address : undefined;
}

/** Who added it. */
export function authorOf(name: string, realm: Realm): number | undefined {
  const author = rowsInUse(realm)?.find((row) => row.name === name)?.author_id;
  return typeof author === "number" ? author : undefined;
}

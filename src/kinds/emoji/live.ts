import { defined } from "../../model/defined.ts";
import { isDeviceName } from "../../model/device-names.ts";
import { isBuiltIn } from "../../model/emoji-names.ts";
import { indexed } from "../../model/indexed.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import type { ShownPicture } from "../../model/shown-picture.ts";
import { strip } from "../names.ts";
import { keysBeyond, rowsIn } from "../rows.ts";

/** The name as the server stores it. */
export const emojiName = (name: string): string => strip(name).replaceAll(" ", "_");

/** Active ones; the server also keeps removed emoji, for messages that use them. */
function rowsInUse(realm: Realm): readonly JsonObject[] | undefined {
  return rowsIn(realm.setting("emoji"), ["id", "name"])?.filter(({ deactivated }) => deactivated !== true);
}

/**
 * Active custom emoji. Their ids change with every new picture, so the name is the identity, and the id is a field: it is the only sign of another
 * picture.
 */
export function liveEmoji(realm: Realm): readonly LiveObject[] | undefined {
  return rowsInUse(realm)?.flatMap(({ id, name, author_id }) => {
    if (typeof name !== "string") return [];
    const author = typeof author_id === "number" ? realm.userName(author_id) : null;
    return [{ key: name, name, id: null, fields: { emoji_id: Number(id), author }, inactive: false }];
  });
}

const KNOWN_KEYS: ReadonlySet<string> = new Set(["id", "name", "source_url", "still_url", "deactivated", "author_id"]);
/** The settings of emoji that this version does not know. */
export const newerOfEmoji = (realm: Realm): readonly string[] => keysBeyond(rowsInUse(realm) ?? [], KNOWN_KEYS);

/** Ids of every emoji that exists or existed. */
export function emojiIds(realm: Realm): ReadonlySet<number> {
  return new Set((rowsIn(realm.setting("emoji"), ["id", "name"]) ?? []).map(({ id }) => Number(id)));
}

const inUseByName = indexed<JsonObject>(({ name, deactivated }) =>
  typeof name === "string" && deactivated !== true ? [name] : [],
);
const rowNamed = (name: string, realm: Realm): JsonObject | undefined =>
  inUseByName(rowsIn(realm.setting("emoji"), ["id", "name"]) ?? NO_ROWS, name)[0];
const NO_ROWS: readonly JsonObject[] = [];

/** The address of its picture. */
function addressOf(name: string, realm: Realm): string | undefined {
  const address = rowNamed(name, realm)?.source_url;
  return typeof address === "string" ? address : undefined;
}

/** The account that added it. */
export function authorOf(name: string, realm: Realm): number | undefined {
  const author = rowNamed(name, realm)?.author_id;
  return typeof author === "number" ? author : undefined;
}

/** An emoji as a person would write it, without its picture: a reading does not have the file. */
export function emojiToYaml({ name }: LiveObject): Json {
  return defined({ overrides_builtin: isBuiltIn(name) || undefined });
}

/** The address of its picture, and the name for its file. */
export function emojiPictures({ name, fields }: LiveObject, realm: Realm): readonly ShownPicture[] {
  const url = addressOf(name, realm);
  if (url === undefined) return [];
  const isFit = /^[0-9a-z_-]{1,100}$/.test(name) && !isDeviceName(name);
  return [{ field: "image", url, file: `emoji/${isFit ? name : `id-${String(fields.emoji_id)}`}` }];
}

/** Only the path, if there is no other value. */
export function withPicture(item: Json, field: string, path: string): Json {
  return isObject(item) && Object.keys(item).length > 0 ? { [field]: path, ...item } : path;
}

import { defined } from "../../model/defined.ts";
import { isDeviceName } from "../../model/device-names.ts";
import { isBuiltIn } from "../../model/emoji-names.ts";
import { isObject, type Json } from "../../model/json.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import type { ShownPicture } from "../../model/shown-picture.ts";
import { addressOf } from "./rows.ts";

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

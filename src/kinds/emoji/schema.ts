import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { finding, type Path } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { isBuiltIn } from "../../model/emoji-names.ts";
import { isObject, type Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { DeclaredObject, LiveObject } from "../../model/objects.ts";
import { fileParam } from "../../model/repository-file.ts";
import { imageAt } from "../images.ts";
import { optional } from "../optional.ts";

const path = once(() =>
  z.string().describe("A PNG, JPEG, GIF or WebP file of at most 5 MiB, relative to the file that names it."),
);

/** One custom emoji as the file writes it: the path of its picture, or a map. */
export const emojiForm = once(() =>
  z.union([
    path(),
    z.strictObject({
      image: path().optional(),
      replaces: optional(
        z.int().positive(),
        "The id of the emoji whose picture `image` replaces. As long as the emoji has that id, it is removed and added again. realmctl cannot compare pictures with those of the server.",
      ),
      overrides_builtin: optional(
        z.literal(true),
        "`true` confirms that the name is that of a built-in emoji. Nobody sees the built-in emoji while this one exists.",
      ),
      absent: optional(z.boolean(), "`true` removes the emoji under any policy. Messages with the emoji keep it."),
    }),
  ]),
);
export type Emoji = z.infer<ReturnType<typeof emojiForm>>;

/** What a server takes unless its administrators chose otherwise; it does not say what they chose. */
const MOST_MEBIBYTES = 5;

/** Where an item names the file of its picture. */
export function emojiFiles(raw: unknown): readonly Path[] {
  if (typeof raw === "string") return [[]];
  return isObject(raw) && typeof raw.image === "string" && raw.absent !== true ? [["image"]] : [];
}

/** @param name as the server stores it */
export function decodeEmoji(item: Emoji, name: string, context: DecodeContext): Decoded {
  const { image, replaces, overrides_builtin, absent = false } = typeof item === "string" ? { image: item } : item;
  if (absent) return { absent, fields: {} };
  checkName(name, context);
  if (isBuiltIn(name) && overrides_builtin !== true)
    context.report([], finding("emoji/overrides", { name: quote(name, "emoji") }));
  if (replaces !== undefined && image === undefined)
    context.report(["replaces"], finding("emoji/replaces", { cause: "without-image" }));
  const path = typeof item === "string" ? [] : ["image"];
  const file = image === undefined ? undefined : imageAt(context, path, MOST_MEBIBYTES);
  const creation: { [field: string]: Json } = {};
  if (file !== undefined) creation.image = fileParam(file);
  if (replaces !== undefined) creation.replaces = replaces;
  return { absent, fields: {}, creation, paths: { image: path } };
}

function checkName(name: string, context: DecodeContext): void {
  const said = quote(name, "emoji");
  if (name === "") context.report([], finding("emoji/name", { cause: "empty", name: said }));
  else if (!/^[0-9a-z_-]+$/.test(name)) context.report([], finding("emoji/name", { cause: "characters", name: said }));
  else if (/[_-]$/.test(name)) context.report([], finding("emoji/name", { cause: "end", name: said }));
}

/** The picture is a field only of an emoji that must be replaced: nobody can tell which picture an existing emoji has. */
export function withReplacement(declared: DeclaredObject, live: LiveObject | undefined): DeclaredObject {
  const { image, replaces } = declared.creation ?? {};
  if (live === undefined || replaces === undefined || image === undefined || live.fields.emoji_id !== replaces)
    return declared;
  return { ...declared, fields: { ...declared.fields, image } };
}

import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { wrongForm } from "../../model/value-form.ts";
import { codePoints, foldCase, forbiddenCharacter, isAtMost, MAX_DESCRIPTION_LENGTH, strip } from "../names.ts";
import { optional, orNull } from "../optional.ts";
import { keysBeyond } from "../rows.ts";

/** One channel folder as the file writes it. */
export const channelFolderForm = once(() =>
  z.strictObject({
    was: optional(z.string(), "The name to rename from. Delete it after the rename was applied."),
    id: optional(z.int().positive(), "Identifies the folder by its id instead of its name."),
    absent: optional(z.boolean(), "`true` archives the folder, if it exists, under any policy."),
    archived: optional(
      z.boolean(),
      "`true` archives the folder, once no channel is in it. An archived folder without this field is unarchived.",
    ),
    description: orNull(
      z
        .string()
        .refine(isAtMost(MAX_DESCRIPTION_LENGTH), wrongForm({ form: "text", most_characters: MAX_DESCRIPTION_LENGTH })),
      "What is in the folder. `null` empties it.",
    ),
  }),
);
export type ChannelFolder = z.infer<ReturnType<typeof channelFolderForm>>;

const MAX_NAME_LENGTH = 60;

/** Every folder, also archived ones, in the server's order; undefined if the server has none (below level 389). */
export function liveFolders(realm: Realm): readonly LiveObject[] | undefined {
  return realm.snapshot.channel_folders?.map((folder) => ({
    key: foldCase(folder.name),
    name: folder.name,
    id: folder.id,
    fields: { description: folder.description, archived: folder.is_archived },
    inactive: folder.is_archived,
  }));
}

/** What a folder of a reading has (zulip-api.md §11). */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  "id",
  "name",
  "description",
  "is_archived",
  "creator_id",
  "date_created",
  "order",
]);
/** The settings of folders that this version does not know. */
export const newerOfFolders = ({ snapshot }: Realm): readonly string[] =>
  keysBeyond(snapshot.channel_folders ?? [], KNOWN_KEYS);

export function decodeFolder(item: ChannelFolder, name: string, context: DecodeContext): Decoded {
  checkName(strip(name), context);
  const fields: { [field: string]: Json } = {};
  if (item.description !== undefined) fields.description = item.description ?? "";
  const absent = item.absent === true || item.archived === true;
  // A declared folder is in use: an archived one with the name is reactivated, and no second one is created.
  if (item.archived === true) fields.archived = true;
  else if (!absent) fields.archived = false;
  return {
    ...defined({ was: item.was === undefined ? undefined : strip(item.was), id: item.id }),
    absent,
    fields,
  };
}

function checkName(name: string, context: DecodeContext): void {
  const length = codePoints(name);
  const position = forbiddenCharacter(name);
  if (name === "") context.report([], finding("channel_folders/name", { cause: "empty" }));
  else if (length > MAX_NAME_LENGTH)
    context.report([], finding("channel_folders/name", { cause: "too-long", length, limit: MAX_NAME_LENGTH }));
  else if (position !== undefined)
    context.report([], finding("channel_folders/name", { cause: "character", position }));
}

/** A folder as a person would write it. */
export function folderToYaml(live: LiveObject): Json {
  if (live.inactive) return { archived: true };
  const { description } = live.fields;
  return defined({ description: description || undefined });
}

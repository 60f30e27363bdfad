import type { Json } from "../../model/json.ts";
import type { DecodeContext, Decoded, LiveObject } from "../../model/kind.ts";
import type { Realm } from "../../model/realm.ts";
import { codePoints, foldCase, forbiddenCharacter, strip } from "../names.ts";
import type { ChannelFolder } from "./schema.ts";

const MAX_NAME_LENGTH = 60;

/** Every folder, archived ones included, in the server's order; undefined where the server has none (below level 389). */
export function liveFolders(realm: Realm): readonly LiveObject[] | undefined {
  return realm.snapshot.channel_folders?.map((folder) => ({
    key: foldCase(folder.name),
    name: folder.name,
    id: folder.id,
    fields: { description: folder.description, archived: folder.is_archived },
    inactive: folder.is_archived,
  }));
}

export function decodeFolder(item: ChannelFolder, name: string, context: DecodeContext): Decoded {
  checkName(strip(name), context);
  const fields: { [field: string]: Json } = {};
  if (item.description !== undefined) fields.description = item.description ?? "";
  const absent = item.absent === true || item.archived === true;
  // A folder that is declared is in use: an archived one of the name is brought back instead of made a second time.
  if (item.archived === true) fields.archived = true;
  else if (!absent) fields.archived = false;
  return {
    ...(item.was === undefined ? {} : { was: strip(item.was) }),
    ...(item.id === undefined ? {} : { id: item.id }),
    absent,
    fields,
  };
}

function checkName(name: string, context: DecodeContext): void {
  const problem = (message: string, hint: string) =>
    context.problem([], { code: "channel_folders/name", message, hint });
  const position = forbiddenCharacter(name);
  if (name === "") problem("a folder needs a name that is not empty", "write a name before the colon");
  else if (codePoints(name) > MAX_NAME_LENGTH)
    problem(
      `the name of a folder has at most ${MAX_NAME_LENGTH} characters; this one has ${codePoints(name)}`,
      "shorten it",
    );
  else if (position !== undefined)
    problem(
      `the name of a folder cannot hold the character at position ${position}`,
      "take out control characters and characters that Unicode does not allow in text",
    );
}

/** A folder as a person would write it. */
export function folderToYaml(live: LiveObject): Json {
  if (live.inactive) return { archived: true };
  const { description } = live.fields;
  return description === "" || description === undefined ? {} : { description };
}

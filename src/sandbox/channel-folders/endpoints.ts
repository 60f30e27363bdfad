import type { Json, JsonObject } from "../../model/json.ts";
import { type Call, everybody } from "../call.ts";
import { firstInvalidCharacter, foldName } from "../channels/names.ts";
import { folderById, rendered } from "../channels/params.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, internalError } from "../errors.ts";
import { bool, int, json, list, optional, required, text, withDefault } from "../params.ts";
import { stripped } from "../python.ts";
import type { Folder } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

const name = text({ maxLength: 60 });
const description = text({ maxLength: 1024 });
const REORDER_LEVEL = 414;

/** Channel folders (zulip-api.md §11). */
export const folderEndpoints = [
  defineEndpoint("GET /channel_folders", {
    level: 389,
    params: { include_archived: withDefault(json(bool), false) },
    handler: (call, { include_archived }) => ({ channel_folders: shownFolders(call, include_archived) }),
  }),
  defineEndpoint("PATCH /channel_folders", {
    level: REORDER_LEVEL,
    who: ["administrator"],
    params: { order: required(json(list(int()))) },
    handler(call, { order }) {
      const { state, ledger } = call;
      const folders = rows(state.channel_folders);
      if (!folders.every((folder) => order.includes(folder.id))) throw new ApiError("Invalid order mapping.");
      for (const folder of folders) ledger.set(folder, "order", order.lastIndexOf(folder.id));
      if (call.level >= 418) call.emit(everybody, { type: "channel_folder", op: "reorder", order: [...order] });
    },
  }),
  defineEndpoint("POST /channel_folders/create", {
    level: 389,
    who: ["administrator"],
    params: { description: required(description), name: required(name) },
    handler(call, sent) {
      const { state, ledger } = call;
      checkFolderName(state, sent.name);
      const id = ledger.nextId("folder");
      const folder: Folder = {
        id,
        name: sent.name,
        description: sent.description,
        rendered_description: rendered(sent.description),
        order: id,
        creator_id: call.user.user_id,
        date_created: call.now,
        is_archived: false,
      };
      ledger.put(state.channel_folders, id, folder);
      call.emit(everybody, { type: "channel_folder", op: "add", channel_folder: shownFolder(call.level, folder) });
      return { channel_folder_id: id };
    },
  }),
  defineEndpoint("PATCH /channel_folders/{folder_id}", {
    level: 389,
    who: ["administrator"],
    params: { description: optional(description), is_archived: optional(json(bool)), name: optional(name) },
    handler(call, { folder_id, ...sent }) {
      const { state, ledger } = call;
      const folder = folderById(state, folder_id);
      if (sent.name !== undefined && sent.name !== folder.name) {
        checkFolderName(state, sent.name);
        ledger.set(folder, "name", sent.name);
        emitUpdate(call, folder, { name: sent.name });
        call.commit();
      }
      if (sent.description !== undefined && sent.description !== folder.description) {
        const rendered_description = rendered(sent.description);
        ledger.assign(folder, { description: sent.description, rendered_description });
        emitUpdate(call, folder, { description: sent.description, rendered_description });
        call.commit();
      }
      if (sent.is_archived !== undefined && sent.is_archived !== folder.is_archived) {
        if (sent.is_archived) checkEmpty(state, folder);
        else checkMayReturn(state, folder);
        ledger.set(folder, "is_archived", sent.is_archived);
        emitUpdate(call, folder, { is_archived: sent.is_archived });
      }
    },
  }),
];

/** Names are not stripped. They are compared, ignoring case, with the names of active folders, including the folder itself. */
function checkFolderName(state: RealmState, wanted: string): void {
  if (stripped(wanted) === "") throw new ApiError("Channel folder name can't be empty.");
  const bad = firstInvalidCharacter(wanted);
  if (bad !== undefined) throw new ApiError(`Invalid character in channel folder name, at position ${bad}.`);
  if (isTaken(state, wanted)) throw new ApiError("Channel folder name already in use");
}
const isTaken = (state: RealmState, wanted: string): boolean =>
  rows(state.channel_folders).some((folder) => !folder.is_archived && sameName(folder.name, wanted));
const sameName = (a: string, b: string): boolean => foldName(a) === foldName(b);

/** Checks that the folder contains no channels, also no archived ones. */
function checkEmpty(state: RealmState, { id }: Folder): void {
  if (rows(state.channels).some((channel) => channel.folder_id === id))
    throw new ApiError("You need to remove all the channels from this folder to archive it.");
}
/** If another active folder has taken the name in the meantime, the server fails at its own constraint. */
function checkMayReturn(state: RealmState, folder: Folder): void {
  if (isTaken(state, folder.name)) throw internalError();
}

function emitUpdate(call: Call, folder: Folder, data: { readonly [key: string]: Json }): void {
  call.emit(everybody, { type: "channel_folder", op: "update", channel_folder_id: folder.id, data });
}

function shownFolder(level: number, { order, ...folder }: Folder): JsonObject {
  return level >= REORDER_LEVEL ? { ...folder, order } : { ...folder };
}
/** The folders in their order; before they have one, by id. */
export function shownFolders(
  { state, level }: { readonly state: RealmState; readonly level: number },
  archivedToo: boolean,
): JsonObject[] {
  const place = (folder: Folder): number => (level >= REORDER_LEVEL ? folder.order : folder.id);
  return rows(state.channel_folders)
    .filter((folder) => archivedToo || !folder.is_archived)
    .sort((a, b) => place(a) - place(b) || a.id - b.id)
    .map((folder) => shownFolder(level, folder));
}

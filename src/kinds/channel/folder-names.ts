import type { Snapshot } from "../../model/snapshot.ts";
import { foldCase } from "../names.ts";

type Folders = NonNullable<Snapshot["channel_folders"]>;

/**
 * What folders are called where a channel is in them, by id. Archived folders give their name free (zulip-api.md §11): one whose name
 * another folder has too is told by its id, since a file that names the folder means the other.
 */
export function folderNames(folders: Folders): ReadonlyMap<number, string> {
  const count = new Map<string, number>();
  for (const { name } of folders) count.set(foldCase(name), (count.get(foldCase(name)) ?? 0) + 1);
  return new Map(
    folders.map(({ id, name, is_archived }) => [
      id,
      is_archived && (count.get(foldCase(name)) ?? 0) > 1 ? `${name} (archived, id ${id})` : name,
    ]),
  );
}

/** The id in such a name: what an undo goes back to. */
export function idInFolderName(name: string): number | undefined {
  const id = / \(archived, id (\d+)\)$/.exec(name)?.[1];
  return id === undefined ? undefined : Number(id);
}

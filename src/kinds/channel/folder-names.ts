import type { Snapshot } from "../../model/snapshot.ts";
import { foldCase } from "../names.ts";

type Folders = NonNullable<Snapshot["channel_folders"]>;

/**
 * Names of folders as values of channels, by id. Archived folders do not occupy their names (zulip-api.md §11): an archived folder that shares its
 * name with another one is shown with its id, since a file that uses the name means the other.
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

/** The id in such a name, for an undo. */
export function idInFolderName(name: string): number | undefined {
  const id = / \(archived, id (\d+)\)$/.exec(name)?.[1];
  return id === undefined ? undefined : Number(id);
}

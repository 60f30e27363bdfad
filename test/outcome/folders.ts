import { rows } from "../../src/sandbox/rows/values.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import type { File } from "./file.ts";
import { stripped, withoutCase } from "./names.ts";
import { type After, objectsAfter, refOf } from "./objects.ts";
import type { Ref, Seen } from "./seen.ts";

/** Folders (docs/reference/channel_folders.md). An archived folder may have the same name as one in use. */
export function foldersAfter(file: File, now: Seen): After {
  return objectsAfter(
    {
      section: "channel_folders",
      key: withoutCase,
      spelled: stripped,
      fresh: { description: "" },
      says: ({ fields }) => (fields.description === undefined ? {} : { description: fields.description ?? "" }),
    },
    file,
    now.folders,
  );
}

/** Decision 3: their order counts if the section is `exact`, leaves none out, and the server has an order. Otherwise the existing folders keep theirs. */
export function folderOrderAfter(file: File, state: RealmState, after: After, level: number): readonly Ref[] {
  const isUsed = (ref: Ref): boolean => after.rows[ref]?.inactive === false;
  const items = file.items("channel_folders") ?? [];
  const declared = items.flatMap((item) => after.refs.get(item) ?? []).filter(isUsed);
  const isWhole = Object.keys(after.rows).every((key) => !isUsed(refOf(key)) || declared.includes(refOf(key)));
  if (file.isExact("channel_folders") && level >= 414 && isWhole) return declared;
  // Reactivated folders have kept their places.
  const places = rows(state.channel_folders).sort((a, b) => a.order - b.order || a.id - b.id);
  return places.map(({ id }) => id).filter(isUsed);
}

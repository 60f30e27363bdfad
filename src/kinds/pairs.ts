import { indexed } from "../model/indexed.ts";
import type { Pair } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { SnapshotChannel } from "../model/snapshot.ts";
import { foldCase } from "./names.ts";

const keysOf = (key: string | undefined): readonly string[] => (key === undefined ? [] : [key]);

/** Whether the entry of a new object pins an id that nothing has: that is the error, and not that its name is taken. */
export const pinsNothing = ({ action, address }: Change, context: PlanContext): boolean =>
  action === "create" && context.pair(address)?.declared?.id !== undefined;

/** Objects of a section by their name on the server before the plan. */
export const pairsByLiveName = indexed<Pair>(({ live }) => keysOf(live?.name));
/** Objects of a section by their key on the server before the plan. */
export const pairsByLiveKey = indexed<Pair>(({ live }) => keysOf(live?.key));
/** Objects of a section that the file names by this key. */
export const pairsByDeclaredKey = indexed<Pair>(({ declared }) => keysOf(declared?.key));
/** Objects of a section by their key in the file, or otherwise on the server. */
export const pairsByKey = indexed<Pair>(({ declared, live }) => keysOf(declared?.key ?? live?.key));
/** Objects of a section by the name that they have after the plan. */
export const pairsByNewName = indexed<Pair>(({ change, live }) => keysOf(change?.name ?? live?.name));

/** Changes of channels by the key of their new name. */
export const channelChangesByKey = indexed<Change>(({ kind, name }) => (kind === "channel" ? [foldCase(name)] : []));
export const channelsByKey = indexed<SnapshotChannel>(({ name }) => [foldCase(name)]);
/** Folders, archived ones too, by the key of their name. */
export const foldersByKey = indexed<{ readonly name: string; readonly id: number; readonly is_archived: boolean }>(
  ({ name }) => [foldCase(name)],
);

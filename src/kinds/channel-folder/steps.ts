import type { Dependency } from "../../model/dependency.ts";
import type { Move } from "../../model/facets.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase } from "../names.ts";
import { leavingFolder } from "./channels.ts";

/** How one folder is written: in one request, or in two if its name is in the way. */
export interface FolderStep {
  readonly change: Change;
  /** The temporary name: for one folder of each cycle, and for a name that changes only in case (zulip-api.md §11). */
  readonly temporary: string | undefined;
  /** The key that the folder frees by its rename, and the one that it takes from another folder of this plan. */
  readonly frees: string | undefined;
  readonly takes: string | undefined;
  readonly archives: boolean;
  /** Channels that leave the folder in this plan. */
  readonly leaving: readonly Dependency[];
}

/** Everything but creations and the order. */
export function folderSteps(changes: readonly Change[], context: PlanContext): readonly FolderStep[] {
  const written = changes.filter(({ action }) => action === "update" || action === "remove");
  // Archiving frees a name, too.
  const freed = new Set(folderMoves(changes, context).flatMap(({ from, to }) => (from === to ? [] : [from])));
  for (const change of written)
    if (archivesFolder(change) && foldCase(change.was ?? change.name) === foldCase(change.name))
      freed.add(foldCase(change.name));
  return written.map((change): FolderStep => {
    const { was, name } = change;
    const from = was === undefined ? undefined : foldCase(was);
    const to = foldCase(name);
    // The name of an inactive folder is free already.
    const isInactive = isArchived(change, context);
    const frees = from === undefined || from === to || isInactive ? undefined : from;
    return {
      change,
      temporary: context.move(change.address)?.aside,
      frees,
      // An inactive folder may share its name with the active one.
      takes:
        (isReactivated(change) || from !== undefined) && (from !== to || isInactive) && freed.has(to) ? to : undefined,
      archives: archivesFolder(change),
      leaving: leavingFolder(change, context).flatMap(({ address }) => context.whole(address)),
    };
  });
}

/** Renames of folders that occupy their names. If only the case changes, the folder is in its own way: a cycle of one (zulip-api.md §11). */
export function folderMoves(changes: readonly Change[], context: PlanContext): readonly Move[] {
  return changes.flatMap((change) =>
    change.was === undefined || isArchived(change, context)
      ? []
      : [{ change, from: foldCase(change.was), to: foldCase(change.name) }],
  );
}

const archivesFolder = ({ fields }: Change): boolean =>
  fields.some(({ field, after }) => field === "archived" && after === true);

const isReactivated = ({ fields }: Change): boolean =>
  fields.some(({ field, after }) => field === "archived" && after === false);

/** Names of archived folders are free: its rename frees nothing. */
function isArchived({ address }: Change, context: PlanContext): boolean {
  return context.pair(address)?.live?.inactive === true;
}

import type { Dependency } from "../../model/dependency.ts";
import { type Change, serverId } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { foldCase } from "../names.ts";
import { steppingAside } from "../stepping-aside.ts";
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
  const moves = written.flatMap((item) => {
    const { was, name } = item;
    return was === undefined || foldCase(was) === foldCase(name) || isArchived(item, context)
      ? []
      : [{ from: foldCase(was), to: foldCase(name), item }];
  });
  const aside = new Set<Change>(steppingAside(moves));
  // Archiving frees a name, too.
  const freed = new Set(moves.map(({ from }) => from));
  for (const change of written)
    if (archivesFolder(change) && foldCase(change.was ?? change.name) === foldCase(change.name))
      freed.add(foldCase(change.name));
  return written.map((change): FolderStep => {
    const { was, name } = change;
    const from = was === undefined ? undefined : foldCase(was);
    const to = foldCase(name);
    // The name of an inactive folder is free already.
    const isInactive = isArchived(change, context);
    const onlyCase = from !== undefined && from === to && !isInactive;
    const steps = onlyCase || aside.has(change);
    const frees = from === undefined || from === to || isInactive ? undefined : from;
    return {
      change,
      temporary: steps ? nameBetween(change) : undefined,
      frees,
      // An inactive folder may share its name with the active one.
      takes:
        (isReactivated(change) || from !== undefined) && (from !== to || isInactive) && freed.has(to) ? to : undefined,
      archives: archivesFolder(change),
      leaving: leavingFolder(change, context).flatMap(({ address }) => context.whole(address)),
    };
  });
}

/** The name of a folder while another takes its name, or while the server compares its new name with its own. */
export const nameBetween = (change: Change): string => temporaryName(change.name, serverId(change));

const archivesFolder = ({ fields }: Change): boolean =>
  fields.some(({ field, after }) => field === "archived" && after === true);

const isReactivated = ({ fields }: Change): boolean =>
  fields.some(({ field, after }) => field === "archived" && after === false);

/** Names of archived folders are free: its rename frees nothing. */
function isArchived({ address }: Change, context: PlanContext): boolean {
  return context.pair(address)?.live?.inactive === true;
}

import type { PlanContext } from "../../model/kind.ts";
import type { Address, Change } from "../../model/plan.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { foldCase } from "../names.ts";
import { ringsOf } from "../rings.ts";

const NAME_LIMIT = 60;

/** How one folder is written: in one request, or in two where its name or its channels stand in the way. */
export interface FolderStep {
  readonly change: Change;
  /** The name in between: for one folder of each ring, and for a name that changes in nothing but case (zulip-api.md §11). */
  readonly temporary: string | undefined;
  /** The key that the folder gives up, and the one it takes from another folder of this plan. */
  readonly frees: string | undefined;
  readonly takes: string | undefined;
  readonly archives: boolean;
  /** The archiving goes out alone: its channels leave for a folder that waits for this one's name. */
  readonly archivesAlone: boolean;
  /** Channels that leave the folder in this plan. */
  readonly leaving: readonly Address[];
}

/** Everything but creations and the order. */
export function folderSteps(changes: readonly Change[], context: PlanContext): readonly FolderStep[] {
  const written = changes.filter(({ action }) => action === "update" || action === "remove");
  const moves = new Map(
    written
      .filter(
        ({ was, name }) => was !== undefined && foldCase(was) !== foldCase(name) && !sleepsBefore(name, was, context),
      )
      .map(({ was = "", name }) => [foldCase(was), foldCase(name)]),
  );
  const aside = new Set(ringsOf(moves).map(([first]) => first));
  const wanted = new Set(changes.filter(({ action }) => action === "create").map(({ name }) => foldCase(name)));
  for (const change of written) if (change.was !== undefined || wakes(change)) wanted.add(foldCase(change.name));
  return written.map((change): FolderStep => {
    const { was, name } = change;
    const from = was === undefined ? undefined : foldCase(was);
    const to = foldCase(name);
    const archives = change.fields.some(({ field, after }) => field === "archived" && after === true);
    const leaving = leavingChannels(change, context);
    const onlyCase = from !== undefined && from === to && !isArchived(change, context);
    const steps = onlyCase || (from !== undefined && aside.has(from));
    const frees = from === undefined || from === to ? undefined : from;
    return {
      change,
      temporary: steps ? temporaryName(name, change.id ?? 0, NAME_LIMIT) : undefined,
      frees,
      takes: (wakes(change) || (from !== undefined && from !== to)) && moves.has(to) && from !== to ? to : undefined,
      archives,
      archivesAlone:
        archives && change.fields.length > 1 && frees !== undefined && wanted.has(frees) && leaving.length > 0,
      leaving,
    };
  });
}

const wakes = ({ fields }: Change): boolean =>
  fields.some(({ field, after }) => field === "archived" && after === false);

/** Names of archived folders are free: such a rename frees nothing. */
function sleepsBefore(name: string, was: string, context: PlanContext): boolean {
  const pair = context.pairs("channel_folders").find(({ live, change }) => live?.name === was && change?.name === name);
  return pair?.live?.dormant === true;
}

function isArchived({ address }: Change, context: PlanContext): boolean {
  return context.pair(address)?.live?.dormant === true;
}

export function leavingChannels({ id, name }: Change, context: PlanContext): readonly Address[] {
  if (id === undefined) return [];
  const inside = new Set(
    context.snapshot.channels.flatMap((channel) => (channel.folder_id === id ? [channel.stream_id] : [])),
  );
  return context.changes
    .filter((change) => change.kind === "channel" && change.id !== undefined && inside.has(change.id))
    .filter(({ fields }) => fields.some(({ field, after }) => field === "folder" && after !== name))
    .map(({ address }) => address);
}

import { defined } from "../../model/defined.ts";
import { type Dependency, type DraftCall, nameFree, nameSetAside, written } from "../../model/draft-call.ts";
import type { Move } from "../../model/facets.ts";
import { isList } from "../../model/json.ts";
import { addTo, indexed, oncePer } from "../../model/lazy.ts";
import { type Change, fieldIn, type Param, serverId, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase, pairsByNewName } from "../names.ts";
import { before, expectation, requestFor } from "../requests.ts";

const ORDER_RANK = 10;
const ARCHIVE_RANK = 80;
const freeName = (key: string): Dependency => nameFree("channel_folder", key);

/** One request for each new folder, one for each changed one, one for the order. */
export function folderCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const steps = folderSteps(changes, context);
  const freed = new Set(steps.flatMap(({ frees, archives, change }) => [frees, ...(archives ? [keyOf(change)] : [])]));
  return [
    ...steps.flatMap((step) => stepCalls(step, context)),
    ...changes.flatMap((change): readonly DraftCall[] => {
      if (change.action === "create") return [createCall(change, freed)];
      return change.action === "reorder" ? [orderCall(change, context)] : [];
    }),
  ];
}

/** The folder's current key on the server. */
const keyOf = ({ was, name }: Change): string => foldCase(was ?? name);

function createCall(change: Change, freed: ReadonlySet<string | undefined>): DraftCall {
  const key = foldCase(change.name);
  return requestFor(change, {
    operation: "create-channel-folder",
    params: {
      name: change.name,
      description: String(fieldIn(change.fields, "description")?.after ?? ""),
    },
    needs: freed.has(key) ? [freeName(key)] : [],
  });
}

function stepCalls(step: FolderStep, context: PlanContext): readonly DraftCall[] {
  const requests = requestsOf(step);
  const { change, temporary, frees, archives } = step;
  if (temporary !== undefined) return requests;
  const alternatives = [
    // Its channels may leave for a folder that waits for this one's name.
    ...(archives && change.fields.length > 1 ? [requestsOf(step, true)] : []),
    ...(frees === undefined ? [] : [requestsOf({ ...step, temporary: context.move(change.address)?.temporary })]),
  ];
  return alternatives.length === 0 ? requests : requests.map((request) => ({ ...request, alternatives }));
}

/** @param archivesAlone archiving is sent in a separate request, after the others */
function requestsOf(step: FolderStep, archivesAlone = false): readonly DraftCall[] {
  const { change, temporary, frees, takes, archives, leaving: left } = step;
  const fields = change.fields.map(({ field }) => field).filter((field) => !(archivesAlone && field === "archived"));
  const calls: DraftCall[] = [];
  if (temporary !== undefined) {
    calls.push({
      ...updateCall(change, ["name"]),
      params: { name: temporary },
      provides: [nameSetAside(change.address), ...(frees === undefined ? [] : [freeName(frees)])],
    });
  }
  // A renamed folder has freed its name by then.
  const freedByArchiving = frees === undefined ? [freeName(keyOf(change))] : [];
  const goes = archives && !archivesAlone;
  calls.push({
    ...updateCall(change, fields),
    expects: [
      ...fields.filter((field) => field !== "name").map((field) => expectation(change, field, before(change, field))),
      ...(change.was === undefined ? [] : [expectation(change, "name", temporary ?? change.was)]),
    ],
    needs: [
      ...(temporary === undefined ? [] : [nameSetAside(change.address)]),
      ...(takes === undefined ? [] : [freeName(takes)]),
      ...(goes ? left : []),
    ],
    provides: [
      written(change.address),
      ...(frees === undefined || temporary !== undefined ? [] : [freeName(frees)]),
      ...(goes ? freedByArchiving : []),
    ],
    // The last among equal ones: until then its channels may still be leaving.
    ...defined({ rank: goes && change.was === undefined ? ARCHIVE_RANK : undefined }),
  });
  if (archivesAlone) {
    calls.push({
      ...updateCall(change, ["archived"]),
      needs: [written(change.address), ...left],
      provides: freedByArchiving,
      rank: ARCHIVE_RANK,
    });
  }
  return calls;
}

function updateCall(change: Change, fields: readonly string[]): DraftCall {
  const params: { [name: string]: Param } = {};
  for (const field of fields) {
    const after = fieldIn(change.fields, field)?.after;
    if (field === "name") params.name = change.name;
    else if (field === "description") params.description = String(after);
    else if (field === "archived") params.is_archived = after === true;
  }
  const path = { channel_folder_id: serverId(change) };
  return requestFor(change, { operation: "update-channel-folder", path, params }, fields);
}

/** The list must have every folder of the realm, also archived ones (zulip-api.md §11): these are put at the end. */
function orderCall(change: Change, context: PlanContext): DraftCall {
  const order = change.fields[0]?.after;
  const names = order !== undefined && isList(order) ? order.map(String) : [];
  const pairs = context.pairs("channel_folders");
  const ids = names.map((name) => {
    const pair =
      pairsByNewName(pairs, name).find((candidate) => !isInactive(candidate)) ??
      pairsByNewName(pairs, name).find(({ declared, change: own }) => declared !== undefined && own?.name === name);
    if (pair === undefined) throw new RangeError(`no folder "${name}" to be reordered`);
    return pair.live?.id ?? context.idOf(pair.address);
  });
  const isListed = new Set<unknown>(ids);
  const rest = (context.snapshot.channel_folders ?? []).map(({ id }) => id).filter((id) => !isListed.has(id));
  return requestFor(change, {
    operation: "patch-channel-folders",
    params: { order: [...ids, ...rest] },
    rank: ORDER_RANK,
  });
}

/** Archived now, and not reactivated. */
function isInactive({ live, change }: ReturnType<PlanContext["pairs"]>[number]): boolean {
  return live?.inactive === true && change === undefined;
}

/** How one folder is written: in one request, or in two if its name is in the way. */
interface FolderStep {
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
function folderSteps(changes: readonly Change[], context: PlanContext): readonly FolderStep[] {
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

const archivesFolder = ({ fields }: Change): boolean => sets(fields, "archived", true);

const isReactivated = ({ fields }: Change): boolean => sets(fields, "archived", false);

/** Names of archived folders are free: its rename frees nothing. */
function isArchived({ address }: Change, context: PlanContext): boolean {
  return context.pair(address)?.live?.inactive === true;
}

/** A channel after the plan. */
interface Placed {
  readonly name: string;
  readonly is_archived: boolean;
  /** What identifies its folder; undefined: it is in none. */
  readonly folder: string | undefined;
  readonly position: number;
}

const idKey = (id: number | undefined): string => `id ${id}`;
const nameKey = (name: string): string => `name ${name}`;

const byFolder = indexed<Placed>(({ folder }) => (folder === undefined ? [] : [folder]));

/** The channels that a folder has after the plan; new ones last. */
export function channelsAfter({ id, name }: Change, context: PlanContext): readonly Placed[] {
  const all = placedIn(context.changes, context);
  const found = [...byFolder(all, idKey(id)), ...byFolder(all, nameKey(name))];
  return found.sort((one, other) => one.position - other.position);
}

const placedIn = oncePer((changes: readonly Change[], { snapshot }: PlanContext): readonly Placed[] => {
  const ofChannels = changes.filter(({ kind }) => kind === "channel");
  const byId = new Map(ofChannels.map((change) => [change.id, change]));
  const folderOf = (change: Change | undefined) => fieldIn(change?.fields, "folder")?.after;
  const keyOf = (after: ReturnType<typeof folderOf>) => (typeof after === "string" ? nameKey(after) : undefined);
  const staying = snapshot.channels.map(({ stream_id, folder_id, name, is_archived }) => {
    const after = folderOf(byId.get(stream_id));
    const before = typeof folder_id === "number" ? idKey(folder_id) : undefined;
    return { name, is_archived, folder: after === undefined ? before : keyOf(after) };
  });
  const made = ofChannels
    .filter(({ action }) => action === "create")
    .map((change) => ({ name: change.name, is_archived: false, folder: keyOf(folderOf(change)) }));
  return [...staying, ...made].map((each, position) => ({ ...each, position }));
});

/** Changes of channels that are in a folder now and get another one, or none. */
function leavingFolder({ id, name }: Change, context: PlanContext): readonly Change[] {
  if (id === undefined) return [];
  return (movesIn(context.changes, context).get(id) ?? []).filter(({ fields }) =>
    fields.some(({ field, after }) => field === "folder" && after !== name),
  );
}

const movesIn = oncePer(
  (changes: readonly Change[], { realm }: PlanContext): ReadonlyMap<number, readonly Change[]> => {
    const found = new Map<number, Change[]>();
    for (const change of changes) {
      if (change.kind !== "channel" || change.id === undefined) continue;
      const folder = realm.channel(change.id)?.folder_id;
      if (typeof folder !== "number" || fieldIn(change.fields, "folder") === undefined) continue;
      addTo(found, folder, change);
    }
    return found;
  },
);

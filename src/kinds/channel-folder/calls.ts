import { defined } from "../../model/defined.ts";
import { type Dependency, nameFree, nameSetAside, written } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { isList } from "../../model/json.ts";
import { type Change, type Expectation, type Param, serverId } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase } from "../names.ts";
import { pairsByNewName } from "../pairs.ts";
import { type FolderStep, folderSteps } from "./steps.ts";

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
  return {
    operation: "create-channel-folder",
    path: {},
    params: {
      name: change.name,
      description: String(change.fields.find(({ field }) => field === "description")?.after ?? ""),
    },
    for: [{ address: change.address, fields: change.fields.map(({ field }) => field) }],
    expects: [{ address: change.address, field: "exists", value: false }],
    needs: freed.has(key) ? [freeName(key)] : [],
    creates: [change.address],
  };
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
      ...updateCall(change, []),
      params: { name: temporary },
      for: [{ address: change.address, fields: ["name"] }],
      expects: [expectation(change, "name", change.was ?? change.name)],
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
      expects: [expectation(change, "archived", false)],
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
    const after = change.fields.find((candidate) => candidate.field === field)?.after;
    if (field === "name") params.name = change.name;
    else if (field === "description") params.description = String(after);
    else if (field === "archived") params.is_archived = after === true;
  }
  return {
    operation: "update-channel-folder",
    path: { channel_folder_id: serverId(change) },
    params,
    for: [{ address: change.address, fields }],
  };
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
  return {
    operation: "patch-channel-folders",
    path: {},
    params: { order: [...ids, ...rest] },
    for: [{ address: change.address, fields: ["order"] }],
    // Somebody may have changed their order in the meantime.
    expects: change.fields.map(({ field, before }) => ({ address: change.address, field, value: before })),
    rank: ORDER_RANK,
  };
}

/** Archived now, and not reactivated. */
function isInactive({ live, change }: ReturnType<PlanContext["pairs"]>[number]): boolean {
  return live?.inactive === true && change === undefined;
}

function before(change: Change, field: string): Expectation["value"] {
  return change.fields.find((candidate) => candidate.field === field)?.before ?? null;
}
function expectation(change: Change, field: string, value: Expectation["value"]): Expectation {
  return { address: change.address, ...defined({ id: change.id }), field, value };
}

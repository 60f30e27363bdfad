import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, warning } from "../../model/diagnostic.ts";
import { type Quoted, quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { namedOf } from "../../model/facts.ts";
import { type Change, fieldIn, sets, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { nameTakenBy } from "../name-taken.ts";
import { foldCase } from "../names.ts";
import { pairsByDeclaredKey, pairsByLiveKey, pinsNothing } from "../pairs.ts";
import { channelsAfter } from "./calls.ts";

/** From this level on, folders have their own order (zulip-api.md §11). */
export const ORDER_LEVEL = 414;

/** Errors that the server would refuse, or at which it would fail, found before anything is sent. */
export function checkFolders(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first !== undefined && !context.realm.isAdmin)
    return [error("channel_folders/not-allowed", { account: runningAccount(context.snapshot) }, first.at)];
  return [
    ...changes.flatMap((change) => [...nameDiagnostics(change, context), ...channelDiagnostics(change, context)]),
    ...orderDiagnostics(context),
  ];
}

/** Names of archived folders are free, but the server crashes if one is reactivated whose name is in use (zulip-api.md §11). */
function nameDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const isReactivated = sets(change.fields, "archived", false);
  if (change.action === "reorder" || (change.was === undefined && change.action !== "create" && !isReactivated))
    return [];
  const key = foldCase(change.name);
  const holder = pairsByLiveKey(context.pairs("channel_folders"), key).find(
    ({ live }) => live !== undefined && !live.inactive && live.id !== change.id,
  );
  if (holder?.live === undefined || pinsNothing(change, context)) return [];
  const goes = holder.change?.was !== undefined && foldCase(holder.change.name) !== key;
  const isInactive = sets(holder.change?.fields, "archived", true);
  if (goes || isInactive) return [];
  const fact = nameTakenBy({ ...holder.live, inactive: false }, change, context);
  return [
    error("channel_folders/name-taken", fact, spanOfField(change, change.was === undefined ? "archived" : "name")),
  ];
}

/** A folder that still has channels cannot be archived; archived channels count too. */
function channelDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  if (!sets(change.fields, "archived", true)) return [];
  if (context.isNamedInFile(change.address)) return [];
  const inside = channelsAfter(change, context).map(({ name, is_archived }) => ({
    name: quote(name, "channel"),
    is_archived,
  }));
  if (inside.length === 0) return [];
  const heir = pairsByDeclaredKey(context.pairs("channel_folders"), foldCase(change.name))[0];
  const handedOn = defined({ handed_on: change.undeclared === true && heir !== undefined ? change.id : undefined });
  const fact = { name: folderName(change.name), channels: inside, ...handedOn };
  return [error("channel_folders/in-use", fact, spanOfField(change, "archived"))];
}

/** Before level 414 the order is that of creation, and nothing changes it. */
function orderDiagnostics(context: PlanContext): readonly Diagnostic[] {
  if (context.policy("channel_folders") !== "exact" || context.realm.level >= ORDER_LEVEL) return [];
  const pairs = context.pairs("channel_folders").filter(({ declared }) => declared !== undefined && !declared.absent);
  const ids = pairs.map(({ live }) => live?.id ?? Number.POSITIVE_INFINITY);
  const [first] = pairs;
  if (first?.declared === undefined || ids.every((id, index) => index === 0 || (ids[index - 1] ?? 0) <= id)) return [];
  const fact = { needs: ORDER_LEVEL, level: context.realm.level };
  return [warning("channel_folders/order-too-old", fact, first.declared.at)];
}

const folderName = (name: string): Quoted => quote(name, "channel_folder");

export function folderRisks(change: Change): readonly FoundRisk[] {
  const archived = fieldIn(change.fields, "archived", true);
  if (archived === undefined) return [];
  const { field } = archived;
  return [{ kind: "removes", fact: { kind: "archived", object: namedOf(change), cleared: [] }, field }];
}

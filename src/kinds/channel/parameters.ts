import { type Dependency, settingWritten, written } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { indexed } from "../../model/indexed.ts";
import type { Pair } from "../../model/objects.ts";
import { isRightName } from "../../model/permission-settings.ts";
import type { IdOf, Param } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { groupChangeParam, groupParam } from "../group-params.ts";
import { foldCase } from "../names.ts";
import { foldersByKey } from "../pairs.ts";
import { liveGroupSetting } from "../permissions.ts";
import { groupExists, groupsIn } from "../tokens.ts";
import { idInFolderName } from "./live.ts";
import type { Outcome } from "./outcome.ts";
import { isPrivacy, privacyFlags } from "./schema.ts";

interface Params {
  readonly [name: string]: Param;
}

/** A changed field as a parameter of PATCH /streams (zulip-api.md §3.5). */
export function parameterOf(field: string, outcome: Outcome, context: PlanContext): Params {
  if (isRightName(field)) {
    const old = outcome.channel === undefined ? undefined : liveGroupSetting(outcome.channel, field);
    return { [field]: groupChangeParam(outcome.after(field), old, context) };
  }
  switch (field) {
    case "name":
      return { new_name: outcome.change.name };
    case "archived":
      // Only `false` has an effect; archiving is a separate request.
      return { is_archived: false };
    case "privacy":
      return privacyParams(outcome, "is_private");
    case "folder":
      return { folder_id: folderId(outcome.after("folder"), context) };
    default:
      return plain(field, outcome);
  }
}

/** A field as a parameter of the calls that create channels (zulip-api.md §3.4). */
export function creationParameterOf(field: string, outcome: Outcome, context: PlanContext): Params {
  if (isRightName(field)) return { [field]: groupParam(outcome.after(field), context) };
  switch (field) {
    case "privacy":
      return privacyParams(outcome, "invite_only");
    case "folder":
      return { folder_id: folderId(outcome.after("folder"), context) };
    default:
      return plain(field, outcome);
  }
}

/** Always all three: `is_private` alone resets the history (zulip-api.md §3.8). */
function privacyParams(outcome: Outcome, isPrivate: "is_private" | "invite_only"): Params {
  const privacy = outcome.after("privacy");
  if (!isPrivacy(privacy)) throw new RangeError(`no privacy: ${String(privacy)}`);
  const { invite_only, is_web_public, history_public_to_subscribers } = privacyFlags(privacy);
  return { [isPrivate]: invite_only, is_web_public, history_public_to_subscribers };
}

function plain(field: string, outcome: Outcome): Params {
  const value = outcome.after(field);
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    throw new RangeError(`${field} has no plain value`);
  return { [field]: value };
}

/**
 * What must exist before these fields can be written: groups and folders that this plan creates or reactivates. An existing folder, inactive or with
 * another name, accepts channels as it is (zulip-api.md §11); it is only better if its own request comes first.
 */
export function references(
  outcome: Outcome,
  fields: readonly string[],
  context: PlanContext,
): Required<Pick<DraftCall, "needs" | "softNeeds">> {
  const needs = fields.flatMap((field) => (isRightName(field) ? groupsIn(outcome.after(field)).map(groupExists) : []));
  const name = fields.includes("folder") ? outcome.after("folder") : undefined;
  const folder = typeof name === "string" ? declaredFolder(name, context) : undefined;
  // The id of a group or folder that this plan creates is needed in any case.
  return {
    needs: [...needs, ...(fields.includes("privacy") ? neededSettings(outcome, context) : [])],
    softNeeds: folder === undefined ? [] : [written(folder.address)],
  };
}

/** Settings of the organization that must allow this first, if the plan changes them. */
function neededSettings(outcome: Outcome, { realm, settingAfter }: PlanContext): readonly Dependency[] {
  const isChanged = (setting: string): boolean => realm.setting(setting) !== settingAfter(setting);
  if (outcome.after("privacy") === "web_public" && isChanged("enable_spectator_access"))
    return [settingWritten("enable_spectator_access")];
  const moderation = "moderation_request_channel_id";
  const isModerated =
    outcome.channel !== undefined && realm.setting(moderation) === outcome.channel.stream_id && isChanged(moderation);
  return isModerated ? [settingWritten("moderation_request_channel")] : [];
}

const foldersDeclared = indexed<Pair>(({ declared }) => (declared === undefined ? [] : [foldCase(declared.name)]));
const NO_FOLDERS: readonly NonNullable<PlanContext["snapshot"]["channel_folders"]>[number][] = [];

function declaredFolder(name: string, context: PlanContext): Pair | undefined {
  const key = foldCase(name);
  return foldersDeclared(context.pairs("channel_folders"), key)[0];
}

function folderId(name: unknown, context: PlanContext): number | IdOf | null {
  if (typeof name !== "string") return null;
  const key = foldCase(name);
  const declared = declaredFolder(name, context);
  if (declared !== undefined) return context.idOf(declared.address);
  const folders = foldersByKey(context.snapshot.channel_folders ?? NO_FOLDERS, key);
  const folder =
    folders.find((candidate) => !candidate.is_archived) ??
    folders[0] ??
    context.snapshot.channel_folders?.find(({ id }) => id === idInFolderName(name));
  if (folder === undefined) throw new RangeError(`no folder "${name}" in the snapshot or the plan`);
  return folder.id;
}

import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { type Diagnostic, error, finding, warning } from "../../model/diagnostic.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import { once } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import { type Change, fieldIn, sets, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { withName } from "../../model/renames.ts";
import { wrongForm } from "../../model/value-form.ts";
import { roleDiagnostics } from "../checks.ts";
import { nameTakenBy } from "../name-taken.ts";
import {
  foldCase,
  isAtMost,
  MAX_DESCRIPTION_LENGTH,
  nameCause,
  pairsByDeclaredKey,
  pairsByLiveKey,
  pinsNothing,
  strip,
} from "../names.ts";
import { flag, optional, orNull, string } from "../optional.ts";
import { keysBeyond, liveObject, unusual, withShownTexts } from "../readings.ts";
import { channelsAfter, folderCalls, folderMoves } from "./calls.ts";

/** One channel folder as the file writes it. */
const channelFolderForm = once(() =>
  z.strictObject({
    was: string("The name to rename from. Delete it after the rename was applied."),
    id: optional(z.int().positive(), "Identifies the folder by its id instead of its name."),
    absent: flag("`true` archives the folder, if it exists, under any policy."),
    archived: flag(
      "`true` archives the folder, once no channel is in it. An archived folder without this field is unarchived.",
    ),
    description: orNull(
      z
        .string()
        .refine(isAtMost(MAX_DESCRIPTION_LENGTH), wrongForm({ form: "text", most_characters: MAX_DESCRIPTION_LENGTH })),
      "What is in the folder. `null` empties it.",
    ),
  }),
);
type ChannelFolder = z.infer<ReturnType<typeof channelFolderForm>>;

const MAX_NAME_LENGTH = 60;

/** What a new folder has that nobody said more about. */
const USUAL = { description: "", archived: false };

/** Every folder, also archived ones, in the server's order; undefined if the server has none (below level 389). */
function liveFolders(realm: Realm): readonly LiveObject[] | undefined {
  return realm.snapshot.channel_folders?.map(({ id, name, description, is_archived }) =>
    liveObject(name, { description, archived: is_archived }, { key: foldCase(name), id, inactive: is_archived }),
  );
}

/** The settings of folders that this version does not know (zulip-api.md §11). */
const newerOfFolders = keysBeyond(
  ({ snapshot }) => snapshot.channel_folders,
  ["id", "name", "description", "is_archived", "creator_id", "date_created", "order"],
);

function decodeFolder(item: ChannelFolder, name: string, context: DecodeContext): Decoded {
  const cause = nameCause(strip(name), MAX_NAME_LENGTH);
  if (cause !== undefined) context.report([], finding("channel_folders/name", cause));
  const fields: { [field: string]: Json } = {};
  if (item.description !== undefined) fields.description = item.description ?? "";
  const absent = item.absent === true || item.archived === true;
  // A declared folder is in use: an archived one with the name is reactivated, and no second one is created.
  if (item.archived === true) fields.archived = true;
  else if (!absent) fields.archived = false;
  return defined({ was: whenDefined(item.was, strip), id: item.id, absent, fields });
}

/** From this level on, folders have their own order (zulip-api.md §11). */
export const ORDER_LEVEL = 414;

/** Errors that the server would refuse, or at which it would fail, found before anything is sent. */
function checkFolders(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const refused = roleDiagnostics("channel_folders/not-allowed", context.realm.isAdmin, changes, context);
  if (refused.length > 0) return refused;
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

function folderRisks(change: Change): readonly FoundRisk[] {
  const archived = fieldIn(change.fields, "archived", true);
  if (archived === undefined) return [];
  const { field } = archived;
  return [{ kind: "removes", fact: { kind: "archived", object: namedOf(change), cleared: [] }, field }];
}

const docs: DocsFacet = {
  who: "Administrators.",
  defaults: { name: "–", description: "empty", archived: "`false`" },
  example: `channel_folders:
  Company: {description: What concerns everybody}`,
};

/**
 * A folder of channels. Its name is its identity among the active folders, compared without regard to case; archived folders do not occupy their
 * names. The channel says which folder it is in.
 * @see zulip-api.md §11 https://zulip.com/api/update-channel-folder
 */
export const channelFolder: MapKind<ChannelFolder> = {
  name: "channel_folder",
  section: "channel_folders",
  shape: "map",
  noun: ["folder", "folders"],
  identity: { keyOf: (name) => foldCase(strip(name)), canonicalName: strip },
  inactivity: { field: "archived", freesName: true },
  file: {
    schema: channelFolderForm,
    fields: { description: {}, archived: {} },
    decode: decodeFolder,
  },
  live: {
    level: 389,
    read: liveFolders,
    newer: newerOfFolders,
    renamed: ({ channel_folders: folders }, names) => ({
      channel_folders: folders?.map((folder) => withName(folder, names.get(folder.id))) ?? null,
    }),
  },
  // Only a file that has every folder can define their order.
  diff: {
    ordered: (policy, level) => policy === "exact" && level >= ORDER_LEVEL,
    defaults: () => ({ description: USUAL.description }),
    traits: { description: "words" },
  },
  review: { check: checkFolders, risks: folderRisks },
  calls: { draft: folderCalls, moves: folderMoves },
  yaml: { item: ({ inactive, fields }) => (inactive ? { archived: true } : unusual(fields, USUAL)) },
  secrecy: {
    name: "public",
    fields: { description: "about" },
    snapshot: ({ channel_folders }, { text }) => ({
      channel_folders: channel_folders?.map((folder) => withShownTexts(folder, text, ["name"])) ?? null,
    }),
  },
  reach: { role: "administrator" },
  docs,
};

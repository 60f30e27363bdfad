import * as z from "zod";
import { PRIVACIES, type Privacy } from "../../access/state.ts";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { finding, type Path } from "../../model/diagnostic.ts";
import { type Quoted, quote, quoteAll } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { Realm } from "../../model/realm.ts";
import { didYouMean } from "../../model/suggest.ts";
import { wrongForm } from "../../model/value-form.ts";
import { channelsIn } from "../channels-by-name.ts";
import { foldCase, foldersByKey, isAtMost, MAX_DESCRIPTION_LENGTH, nameCause, strip } from "../names.ts";
import { optional, orNull } from "../optional.ts";
import { permissionsForm } from "../permissions.ts";
import { retentionDays } from "../property.ts";
import { GroupNames, listFields, resolveList, resolvePermissions, warnOfSlip } from "../references.ts";
import { subscribersWish } from "./subscriptions.ts";

export const TOPICS_POLICY = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] as const;

const subscribers = once(() =>
  z
    .strictObject({
      ...listFields(GroupNames.describe("Groups whose members are subscribed.")),
      exact: optional(
        z.boolean(),
        "`true` unsubscribes everybody else, `false` lets everybody who is subscribed stay. Left out: true for a private channel, false for others.",
      ),
    })
    .describe(
      "Who is subscribed. For a private channel this is the whole list: whoever is not in it is unsubscribed, and if it is left out, `plan` and `drift` name the subscribers. For groups, their members at the time of the plan are subscribed. Left out at creation: the account that creates it; empty lists: nobody.",
    ),
);

/** One channel as the file writes it, after its profile was merged in. */
export const channelForm = once(() =>
  z.strictObject({
    was: optional(z.string(), "The name to rename from. Delete it after the rename was applied."),
    id: optional(z.int().positive(), "Identifies the channel by its id instead of its name."),
    description: orNull(
      z
        .string()
        .refine(isAtMost(MAX_DESCRIPTION_LENGTH), wrongForm({ form: "text", most_characters: MAX_DESCRIPTION_LENGTH })),
      "Markdown on one line: the server turns line ends into spaces. `null` empties it.",
    ),
    privacy: optional(
      z.enum(PRIVACIES),
      "Who can find and read the channel: everybody on the web, every member (and invited guests), or only subscribers. These see the whole history, or only what was sent after they subscribed.",
    ),
    folder: orNull(z.string().min(1), "Name of a channel folder. `null` removes it from its folder."),
    topics_policy: orNull(
      z.enum(TOPICS_POLICY),
      "Whether messages need a topic. `empty_topic_only` works at creation only. `null` is inherit.",
    ),
    default_push_notifications: orNull(
      z.boolean(),
      "Whether people who subscribe for the first time get notifications on their phones, whatever their own default is. Those who are subscribed already keep theirs. `null` is false.",
    ),
    message_retention_days: orNull(
      z.union([retentionDays(["realm_default", "unlimited"]), z.enum(["realm_default", "unlimited"])]),
      "Days after which messages are deleted, `realm_default` or `unlimited`. `null` is realm_default.",
    ),
    absent: optional(z.boolean(), "`true` archives the channel, if it exists, under any policy."),
    archived: optional(
      z.boolean(),
      "`true` archives the channel. An archived channel without this field is unarchived.",
    ),
    permissions: permissionsForm("stream").optional(),
    subscribers: subscribers().optional(),
  }),
);
export type Channel = z.infer<ReturnType<typeof channelForm>>;

/** The server's three booleans, by their names in a read. */
interface PrivacyFlags {
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
}

/** The valid combinations of the server's three booleans (zulip-api.md §3.8). */
const FLAGS = {
  web_public: { invite_only: false, is_web_public: true, history_public_to_subscribers: true },
  public: { invite_only: false, is_web_public: false, history_public_to_subscribers: true },
  private_shared_history: { invite_only: true, is_web_public: false, history_public_to_subscribers: true },
  private_protected_history: { invite_only: true, is_web_public: false, history_public_to_subscribers: false },
} as const satisfies { readonly [privacy in Privacy]: PrivacyFlags };

export function privacyFlags(privacy: Privacy): PrivacyFlags {
  return FLAGS[privacy];
}

/**
 * The word for the flags. Two combinations have none, because PATCH refuses them, but creation accepts them (zulip-api.md §3.3 quirk 5, §3.8): they
 * get words that no file can write, so a declared privacy always differs from them.
 */
export function privacyWord(flags: PrivacyFlags): string {
  if (flags.is_web_public) return flags.invite_only ? "private_and_web_public" : "web_public";
  if (flags.invite_only) {
    return flags.history_public_to_subscribers ? "private_shared_history" : "private_protected_history";
  }
  return flags.history_public_to_subscribers ? "public" : "public_protected_history";
}

/** Resolves names and converts every value to the form in which the server would return it (zulip-api.md §3.7, §3.10, §3.11). */
export function decodeChannel(item: Channel, name: string, context: DecodeContext): Decoded {
  checkName(name, [], context);
  if (item.archived !== true && item.absent !== true) checkSign(strip(name), item, context);
  if (item.was !== undefined) checkWas(item.was, name, context);

  const fields: { [field: string]: Json } = {};
  if (item.description !== undefined) fields.description = (item.description ?? "").replaceAll("\n", " ");
  if (item.privacy !== undefined) fields.privacy = item.privacy;
  if (item.folder !== undefined) {
    const folder = item.folder === null ? null : resolveFolder(item.folder, context);
    if (folder !== undefined) fields.folder = folder;
  }
  if (item.topics_policy !== undefined) fields.topics_policy = item.topics_policy ?? "inherit";
  if (item.default_push_notifications !== undefined)
    fields.default_push_notifications = item.default_push_notifications ?? false;
  if (item.message_retention_days !== undefined)
    fields.message_retention_days = item.message_retention_days ?? "realm_default";
  // A declared channel is in use: an archived one with the name is reactivated (docs/internals/decisions/0003-what-a-file-leaves-out-stays.md).
  if (item.archived !== undefined) fields.archived = item.archived;
  else if (item.absent !== true) fields.archived = false;
  const { fields: rights, ...more } = resolvePermissions("stream", item.permissions, context);
  const subscribers = item.subscribers && resolveList(item.subscribers, ["subscribers"], context);
  return defined({
    was: whenDefined(item.was, strip),
    id: item.id,
    absent: item.archived === true || item.absent === true,
    fields: { ...fields, ...rights },
    creation: subscribers && { subscribers: subscribersWish(subscribers, item.subscribers?.exact) },
    ...more,
  });
}

function checkName(written: string, path: Path, context: DecodeContext): void {
  const cause = nameCause(strip(written), maxNameLength(context.realm));
  if (cause !== undefined) context.report(path, finding("channels/name", cause));
}

/** People write `#general` for the channel general; a channel with that name would be shown as ##general. */
function checkSign(name: string, item: Channel, context: DecodeContext): void {
  if (!name.startsWith("#") || item.id !== undefined) return;
  const channels = context.realm === undefined ? undefined : channelsIn(context.realm).byKey;
  if (channels?.has(foldCase(name)) === true) return;
  const bare = strip(name.replace(/^#+/, ""));
  const found = channels?.get(foldCase(bare))?.name ?? context.declaredName?.("channel", foldCase(bare));
  const other = defined({ other: whenDefined(found, channelName) });
  context.report(
    [],
    finding("channels/sign", { name: channelName(name), bare: channelName(bare), ...other }, { severity: "warning" }),
  );
}

function checkWas(was: string, name: string, context: DecodeContext): void {
  if (strip(was) !== strip(name)) return;
  context.report(["was"], finding("channels/was", { name: channelName(was) }, { severity: "warning" }));
}

function maxNameLength(realm: Realm | undefined): number {
  const limit = realm?.setting("max_stream_name_length");
  return typeof limit === "number" ? limit : 60;
}

/** The folder's name in its final spelling; undefined if no folder has that name. */
function resolveFolder(name: string, context: DecodeContext): string | undefined {
  const { realm } = context;
  const folders = realm?.snapshot.channel_folders;
  const key = foldCase(name);
  if (context.declares("channel_folder", key)) {
    return context.declaredName?.("channel_folder", key) ?? name;
  }
  const leaves = context.removedAt?.("channel_folder", key);
  if (leaves !== undefined) {
    const notes = [{ at: leaves, note: "archived-here" }] as const;
    context.report(
      ["folder"],
      finding("channels/archived-folder", { name: folderName(name), by_file: true }, { notes }),
    );
    return undefined;
  }
  // Offline, or a server without folders: there is nothing to compare the name with; the planner checks the level.
  if (folders === undefined || folders === null) {
    if (realm === undefined) warnOfSlip("channel_folder", name, ["folder"], context);
    return name;
  }
  const sameName = foldersByKey(folders, key);
  const active = sameName.find((folder) => !folder.is_archived);
  const renamed = active === undefined ? undefined : context.renamedTo?.("channel_folder", key, active.id);
  if (renamed !== undefined) {
    const names = { name: folderName(name), renamed_to: folderName(renamed) };
    context.report(["folder"], finding("reference/renamed", { noun: "folder", ...names }));
    return undefined;
  }
  if (active !== undefined) return active.name;
  if (sameName.length > 0) {
    context.report(["folder"], finding("channels/archived-folder", { name: folderName(name), by_file: false }, GONE));
    return undefined;
  }
  const names = folders.filter((folder) => !folder.is_archived).map((folder) => folder.name);
  const meant = didYouMean(name, [...(context.declaredNames?.("channel_folder") ?? []), ...names], context.patience);
  const suggested = defined({ meant: whenDefined(meant, folderName) });
  const known = quoteAll(names, "channel_folder");
  context.report(
    ["folder"],
    finding("channels/unknown-folder", { name: folderName(name), ...suggested, known }, UNRESOLVED),
  );
  return undefined;
}

const UNRESOLVED = { unresolved: { kind: "channel_folder" } } as const;
const GONE = { unresolved: { kind: "channel_folder", isGone: true } } as const;
const channelName = (name: string): Quoted => quote(name, "channel");
const folderName = (name: string): Quoted => quote(name, "channel_folder");

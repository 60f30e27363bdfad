import * as z from "zod";
import type { Privacy } from "../../access/state.ts";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { finding, type Path } from "../../model/diagnostic.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { Realm } from "../../model/realm.ts";
import { channelsIn } from "../channels-by-name.ts";
import { foldCase, nameCause, strip } from "../names.ts";
import { flag, optional, string } from "../optional.ts";
import { permissionsForm } from "../permissions.ts";
import { GroupNames, listFields, resolveList, resolvePermissions } from "../references.ts";
import { CHANNEL_FIELDS } from "./properties.ts";
import { subscribersWish } from "./subscriptions.ts";

const subscribers = once(() =>
  z
    .strictObject({
      ...listFields(GroupNames.describe("Groups whose members are subscribed.")),
      exact: flag(
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
    was: string("The name to rename from. Delete it after the rename was applied."),
    id: optional(z.int().positive(), "Identifies the channel by its id instead of its name."),
    ...CHANNEL_FIELDS.forms(),
    absent: flag("`true` archives the channel, if it exists, under any policy."),
    archived: flag("`true` archives the channel. An archived channel without this field is unarchived."),
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

  const { permissions, subscribers: list, ...written } = item;
  const fields: { [field: string]: Json } = { ...CHANNEL_FIELDS.decode(written, context).fields };
  // A declared channel is in use: an archived one with the name is reactivated (docs/internals/decisions/0003-what-a-file-leaves-out-stays.md).
  if (item.archived !== undefined) fields.archived = item.archived;
  else if (item.absent !== true) fields.archived = false;
  const { fields: rights, ...more } = resolvePermissions("stream", permissions, context);
  const subscribers = list && resolveList(list, ["subscribers"], context);
  return defined({
    was: whenDefined(item.was, strip),
    id: item.id,
    absent: item.archived === true || item.absent === true,
    fields: { ...fields, ...rights },
    creation: subscribers && { subscribers: subscribersWish(subscribers, list?.exact) },
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

const channelName = (name: string): Quoted => quote(name, "channel");

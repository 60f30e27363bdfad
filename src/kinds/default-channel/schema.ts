import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { finding, type Path } from "../../model/diagnostic.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import { once } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { channelMeant, channelsIn } from "../channels-by-name.ts";
import { foldCase, strip } from "../names.ts";
import { optional } from "../optional.ts";
import { warnOfSlip } from "../references.ts";

/** One default channel as the file writes it: the channel's name, or the name with `absent`. */
export const defaultChannelForm = once(() =>
  z
    .union([
      z.string(),
      z.strictObject({
        channel: z.string().describe("Name of the channel."),
        absent: optional(z.boolean(), "`true` removes it from the default channels under any policy."),
      }),
    ])
    .describe("A channel to which new accounts are subscribed."),
);
export type DefaultChannel = z.infer<ReturnType<typeof defaultChannelForm>>;

export const channelOf = (item: DefaultChannel): string => (typeof item === "string" ? item : item.channel);

/** The active default channels. An archived channel that somebody made a default channel is left alone (zulip-api.md §4). */
export function liveDefaults(realm: Realm): readonly LiveObject[] | undefined {
  return realm.snapshot.default_channels?.flatMap((id) => {
    const channel = realm.channel(id);
    if (channel === undefined || channel.is_archived) return [];
    return [{ key: foldCase(channel.name), name: channel.name, id: null, fields: {}, inactive: false }];
  });
}

export function decodeDefault(item: DefaultChannel, name: string, context: DecodeContext): Decoded {
  const absent = typeof item !== "string" && item.absent === true;
  if (!absent) checkChannel(strip(name), typeof item === "string" ? [] : ["channel"], context);
  return { absent, fields: {} };
}

/** What the file itself says about the channel is checked with the whole file; this is about channels that are only on the server. */
function checkChannel(name: string, path: Path, context: DecodeContext): void {
  const key = foldCase(name);
  const { realm } = context;
  // If the file archives the channel, the check of the whole file reports that with both places.
  if (context.declares("channel", key) || context.removedAt?.("channel", key) !== undefined) return;
  if (realm === undefined) {
    warnOfSlip("channel", name, path, context);
    return;
  }
  const { byKey } = channelsIn(realm);
  const channel = byKey.get(key);
  if (channel === undefined) {
    const fact = { name: channelName(name), ...channelMeant(name, realm, context) };
    context.report(path, finding("default_channels/unknown-channel", fact, UNRESOLVED));
    return;
  }
  const renamed = context.renamedTo?.("channel", key, channel.stream_id);
  const found = channelName(channel.name);
  if (renamed !== undefined)
    context.report(
      path,
      finding("reference/renamed", { noun: "channel", name: found, renamed_to: channelName(renamed) }),
    );
  else if (channel.is_archived)
    context.report(path, finding("default_channels/archived", { name: found, by_file: false }, GONE));
  else if (channel.invite_only)
    context.report(path, finding("default_channels/private", { name: found, by_file: false }, GONE));
}

const UNRESOLVED = { unresolved: { kind: "channel" } } as const;
const GONE = { unresolved: { kind: "channel", isGone: true } } as const;
const channelName = (name: string): Quoted => quote(name, "channel");

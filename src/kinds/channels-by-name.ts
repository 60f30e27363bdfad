import type { DecodeContext } from "../model/decoding.ts";
import { defined, whenDefined } from "../model/defined.ts";
import type { UnknownChannel } from "../model/diagnostics/unknown-channel.ts";
import { quote, quoteAll } from "../model/diagnostics/values.ts";
import { oncePer } from "../model/lazy.ts";
import type { Realm } from "../model/realm.ts";
import type { SnapshotChannel } from "../model/snapshot.ts";
import { didYouMean } from "../model/suggest.ts";
import { foldCase } from "./names.ts";

interface Channels {
  readonly byKey: ReadonlyMap<string, SnapshotChannel>;
  readonly active: readonly string[];
}

/** A realm's channels by the names that the server compares: an index for thousands of names. */
export const channelsIn = oncePer((realm: Realm): Channels => {
  const byKey = new Map<string, SnapshotChannel>();
  for (const channel of realm.snapshot.channels) {
    const key = foldCase(channel.name);
    if (!byKey.has(key)) byKey.set(key, channel);
  }
  const active = realm.snapshot.channels.flatMap(({ name, is_archived }) => (is_archived ? [] : [name]));
  return { byKey, active };
});

/** Each of thousands of unknown names has this list. */
const MOST_KNOWN = 7;

/** What may be meant by a name that no channel has: one that looks like it, or, if it was renamed, one that the file does not declare. */
export function channelMeant(name: string, realm: Realm, context: DecodeContext): UnknownChannel {
  const { active } = channelsIn(realm);
  const bare = name.replace(/^#/, "");
  const candidates = [...(context.declaredNames?.("channel") ?? []), ...active];
  const meant = candidates.includes(bare) ? bare : didYouMean(name, candidates, context.patience);
  const others = active.filter((one) => !context.declares("channel", foldCase(one)));
  return {
    ...defined({ meant: whenDefined(meant, (one) => quote(one, "channel")) }),
    known: quoteAll(others.slice(0, MOST_KNOWN), "channel"),
    more: Math.max(0, others.length - MOST_KNOWN),
  };
}

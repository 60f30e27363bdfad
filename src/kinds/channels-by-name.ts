import type { DecodeContext } from "../model/decoding.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { type Finding, finding, type Path } from "../model/diagnostic.ts";
import type { UnknownChannel } from "../model/diagnostics/names.ts";
import { type Quoted, quote, quoteAll } from "../model/diagnostics/values.ts";
import { oncePer } from "../model/lazy.ts";
import type { IdOf } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { Realm } from "../model/realm.ts";
import type { SnapshotChannel } from "../model/snapshot.ts";
import { didYouMean } from "../model/suggest.ts";
import { channelsByKey, foldCase } from "./names.ts";
import { warnOfSlip } from "./references.ts";

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
function channelMeant(name: string, realm: Realm, context: DecodeContext): UnknownChannel {
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

/**
 * The channel that a field of the file names, as the server has it; the name itself if the file says more about it, or no server was read. Undefined: an
 * error was reported. What else the file says about a channel is checked with the whole file.
 * @param written without white space around it
 * @param archived the error about a channel that nobody uses any more
 */
export function resolveChannel(
  written: string,
  path: Path,
  context: DecodeContext,
  unknown: "settings/unknown-channel" | "invites/unknown-channel" | "default_channels/unknown-channel",
  archived: (name: Quoted) => Finding,
): SnapshotChannel | string | undefined {
  const { realm } = context;
  const key = foldCase(written);
  if (context.declares("channel", key)) return context.declaredName?.("channel", key) ?? written;
  if (context.removedAt?.("channel", key) !== undefined) return written;
  if (realm === undefined) {
    warnOfSlip("channel", written, path, context);
    return written;
  }
  const channel = channelsIn(realm).byKey.get(key);
  const renamed = channel && context.renamedTo?.("channel", key, channel.stream_id);
  if (channel === undefined) {
    const fact = { name: channelName(written), ...channelMeant(written, realm, context) };
    context.report(path, finding(unknown, fact, { unresolved: { kind: "channel" } }));
  } else if (renamed !== undefined) {
    const names = { name: channelName(channel.name), renamed_to: channelName(renamed) };
    context.report(path, finding("reference/renamed", { noun: "channel", ...names }));
  } else if (channel.is_archived) context.report(path, { ...archived(channelName(channel.name)), ...GONE });
  else return channel;
  return undefined;
}

/** The id of a channel for a request, by the name that the plan gives it. */
export function channelId(name: string, context: PlanContext): number | IdOf {
  if (context.pair(`channel:${name}`) !== undefined) return context.idOf(`channel:${name}`);
  const key = foldCase(name);
  const [channel] = channelsByKey(context.snapshot.channels, key);
  // What the reading has of a channel that this account does not see (`settings`).
  const hidden = /^channel:(\d+)$/.exec(name);
  if (channel === undefined && hidden !== null) return Number(hidden[1]);
  if (channel === undefined) throw new RangeError(`no channel "${name}" in the snapshot`);
  return channel.stream_id;
}

/** Of an error about a channel that is there, but cannot be used. */
export const GONE = { unresolved: { kind: "channel", isGone: true } } as const;
export const channelName = (name: string): Quoted => quote(name, "channel");

import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, finding, type Path } from "../../model/diagnostic.ts";
import type { Quoted } from "../../model/diagnostics/values.ts";
import { type DraftCall, written } from "../../model/draft-call.ts";
import type { DocsFacet, FileCheck } from "../../model/facets.ts";
import type { ListKind } from "../../model/kind.ts";
import { once } from "../../model/lazy.ts";
import type { DeclaredObject, LiveObject } from "../../model/objects.ts";
import { type Address, type Change, fieldIn, objectChanges } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { channelId, channelName, GONE, resolveChannel } from "../channels-by-name.ts";
import { roleDiagnostics } from "../checks.ts";
import { channelChangesByKey, channelsByKey, foldCase, pairsByKey, strip } from "../names.ts";
import { flag } from "../optional.ts";
import { liveObject } from "../readings.ts";

/** One default channel as the file writes it: the channel's name, or the name with `absent`. */
const defaultChannelForm = once(() =>
  z
    .union([
      z.string(),
      z.strictObject({
        channel: z.string().describe("Name of the channel."),
        absent: flag("`true` removes it from the default channels under any policy."),
      }),
    ])
    .describe("A channel to which new accounts are subscribed."),
);
type DefaultChannel = z.infer<ReturnType<typeof defaultChannelForm>>;

const channelOf = (item: DefaultChannel): string => (typeof item === "string" ? item : item.channel);

/** The active default channels. An archived channel that somebody made a default channel is left alone (zulip-api.md §4). */
function liveDefaults(realm: Realm): readonly LiveObject[] | undefined {
  return realm.snapshot.default_channels?.flatMap((id) => {
    const channel = realm.channel(id);
    if (channel === undefined || channel.is_archived) return [];
    return [liveObject(channel.name, {}, { key: foldCase(channel.name) })];
  });
}

function decodeDefault(item: DefaultChannel, name: string, context: DecodeContext): Decoded {
  const absent = typeof item !== "string" && item.absent === true;
  if (!absent) checkChannel(strip(name), typeof item === "string" ? [] : ["channel"], context);
  return { absent, fields: {} };
}

/** Of a channel that is only on the server. */
function checkChannel(name: string, path: Path, context: DecodeContext): void {
  const archived = (channel: Quoted) => finding("default_channels/archived", { name: channel, by_file: false });
  const found = resolveChannel(name, path, context, "default_channels/unknown-channel", archived);
  if (typeof found !== "object" || !found.invite_only) return;
  context.report(path, finding("default_channels/private", { name: channelName(found.name), by_file: false }, GONE));
}

const isPrivate = (privacy: unknown): boolean => typeof privacy === "string" && privacy.startsWith("private");

/** A default channel that the same file makes private or archives: both places are reported. */
const checkDefaultsInFile: FileCheck = (declared, section) => {
  const channels = new Map(section("channels").map((channel) => [channel.key, channel]));
  return declared.flatMap((item) => {
    const channel = item.absent ? undefined : channels.get(item.key);
    return channel === undefined ? [] : conflicts(item, channel);
  });
};

function conflicts(item: DeclaredObject, channel: DeclaredObject): readonly Diagnostic[] {
  const notes = [{ at: item.at, note: "default-here" }] as const;
  const fact = { name: channelName(channel.name), by_file: true };
  if (channel.absent)
    return [error("default_channels/archived", fact, channel.spans.of("archived") ?? channel.at, notes)];
  if (!isPrivate(channel.fields.privacy)) return [];
  return [error("default_channels/private", fact, channel.spans.of("privacy") ?? channel.at, notes)];
}

function checkDefaults(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const diagnostics = [...roleDiagnostics("default_channels/not-allowed", context.realm.isAdmin, changes, context)];
  for (const change of changes.filter(({ action }) => action === "create")) {
    const key = foldCase(change.name);
    const [pair] = pairsByKey(context.pairs("channels"), key);
    const after = (field: string): unknown => fieldIn(pair?.change?.fields, field)?.after ?? pair?.live?.fields[field];
    // A file is told of the state of other channels where it names them; an undo may name one that somebody archived or closed since the run.
    const [other] = pair === undefined ? channelsByKey(context.snapshot.channels, key) : [];
    // What the plan itself archives is told where the file names it.
    const isArchivedHere = fieldIn(pair?.change?.fields, "archived")?.after === true;
    const isArchived = other?.is_archived ?? (after("archived") === true && !isArchivedHere);
    if (!isArchived && !(other?.invite_only ?? isPrivate(after("privacy")))) continue;
    const { address, at } = change;
    const fact = { name: channelName(change.name), by_file: false };
    const unresolved = { kind: "channel", isGone: true, in: { address, name: change.name } } as const;
    const code = isArchived ? "default_channels/archived" : "default_channels/private";
    diagnostics.push({ ...error(code, fact, at), unresolved });
  }
  return diagnostics;
}

/** One request for each, unless the channel itself is written anyway: then the flag is part of that request (zulip-api.md §15.5). */
function defaultCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).map((change): DraftCall => {
    if (change.action === "update") throw new RangeError(`${change.address} has nothing but its name`);
    const adds = change.action === "create";
    const channel = channelChange(change, context);
    const address: Address = channel?.address ?? `channel:${change.name}`;
    // Archiving removes the flag by itself.
    const params = defined({ is_default_stream: goesByItself(channel) ? undefined : adds });
    return {
      operation: adds ? "add-default-stream" : "remove-default-stream",
      path: {},
      params: {
        stream_id: channel === undefined ? channelId(change.name, context) : (channel.id ?? context.idOf(address)),
      },
      for: [{ address: change.address, fields: [] }],
      mergeInto: { address, params },
      needs: adds ? [written(address)] : [],
    };
  });
}

/** The fewest requests: none for flags that are sent with their channel. */
function leastDefaultCalls(changes: readonly Change[], context: PlanContext): number {
  return changes.filter((change) => !goesAlong(change, context)).length;
}

/** Whether this plan creates, changes or archives the channel. */
function goesAlong(change: Change, context: PlanContext): boolean {
  const channel = channelChange(change, context);
  if (channel === undefined) return false;
  const written = channel.fields.some(
    ({ field, after }) => field !== "subscribers" && !(field === "archived" && after === true),
  );
  return channel.action === "create" || written || goesByItself(channel);
}

function channelChange({ name }: Change, context: PlanContext): Change | undefined {
  const change = context.pair(`channel:${name}`)?.change;
  if (change !== undefined) return change;
  const key = foldCase(name);
  return channelChangesByKey(context.changes, key)[0];
}

/** Nothing but archived. */
function goesByItself(channel: Change | undefined): boolean {
  const written = channel?.fields.filter(({ field }) => field !== "subscribers") ?? [];
  return written.length === 1 && written[0]?.field === "archived" && written[0]?.after === true;
}

const docs: DocsFacet = {
  who: "Administrators.",
  defaults: {},
  example: `default_channels: [announce, general]
channels: {announce: {}, general: {}}`,
};

/**
 * A channel to which new accounts are subscribed, but not existing ones (zulip-api.md §4). A set: the server keeps no order.
 * @see zulip-api.md §4 https://zulip.com/help/set-default-channels-for-new-users
 */
export const defaultChannel: ListKind<DefaultChannel> = {
  name: "default_channel",
  section: "default_channels",
  shape: "list",
  noun: ["default channel", "default channels"],
  identity: { keyOf: (name) => foldCase(strip(name)), canonicalName: strip, nameOf: channelOf },
  file: {
    schema: defaultChannelForm,
    fields: {},
    decode: decodeDefault,
    names: ({ absent, name }) => (absent ? [] : [{ kind: "channel", name: strip(name), field: "" }]),
    withNames: (object, nameOf) => {
      const name = nameOf("channel", object.name);
      return { ...object, name, key: foldCase(strip(name)) };
    },
    check: checkDefaultsInFile,
  },
  live: { read: liveDefaults },
  review: { check: checkDefaults },
  calls: { draft: defaultCalls, least: leastDefaultCalls },
  yaml: { item: ({ name }) => name },
  secrecy: { name: { of: "channel" }, snapshot: ({ default_channels }) => ({ default_channels }) },
  reach: { role: "administrator" },
  docs,
};

import type { DecodeContext } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import { channelMeant, channelsIn } from "../channels-by-name.ts";
import { foldCase, strip } from "../names.ts";
import { warnOfSlip } from "../references.ts";

/**
 * The channel's name after the plan. A channel that the file itself creates, renames or reactivates is checked with the whole file; one that it
 * archives is reported with both places (`names`).
 */
export function resolveChannel(written: string, field: string, context: DecodeContext): string | undefined {
  const name = strip(written);
  const key = foldCase(name);
  const declared = context.declaredName?.("channel", key);
  if (declared !== undefined) return declared;
  const { realm } = context;
  if (context.removedAt?.("channel", key) !== undefined) return name;
  if (realm === undefined) {
    warnOfSlip("channel", name, [field], context);
    return name;
  }
  const { byKey } = channelsIn(realm);
  const channel = byKey.get(key);
  if (channel === undefined) {
    const fact = { name: called(name), ...channelMeant(name, realm, context) };
    context.report([field], finding("settings/unknown-channel", fact, UNRESOLVED));
    return undefined;
  }
  const renamed = context.renamedTo?.("channel", key, channel.stream_id);
  if (renamed !== undefined) {
    const fact = { noun: "channel", name: called(channel.name), renamed_to: called(renamed) };
    context.report([field], finding("reference/renamed", fact));
    return undefined;
  }
  if (channel.is_archived) {
    context.report([field], finding("settings/archived-channel", { channel: called(channel.name) }, GONE));
    return undefined;
  }
  return channel.name;
}

const UNRESOLVED = { unresolved: { kind: "channel" } } as const;
const GONE = { unresolved: { kind: "channel", isGone: true } } as const;
const called = (name: string): Quoted => quote(name, "channel");

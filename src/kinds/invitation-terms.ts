import type { IdOf } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { FieldSecrecy } from "../model/secrecy.ts";
import { foldCase } from "./names.ts";
import { channelsByKey } from "./pairs.ts";

/** Feature levels of fields that are sent with an invitation or a link and cannot be read back (zulip-api.md §14.2). */
export const TERM_LEVELS: { readonly [field: string]: number } = { groups: 322, welcome_message_custom_text: 416 };

/** A channel that people are invited to, by the name that the plan gives it. */
export function channelId(name: string, context: PlanContext): number | IdOf {
  if (context.pair(`channel:${name}`) !== undefined) return context.idOf(`channel:${name}`);
  const key = foldCase(name);
  const [channel] = channelsByKey(context.snapshot.channels, key);
  if (channel === undefined) throw new RangeError(`no channel "${name}" in the snapshot`);
  return channel.stream_id;
}

/** What the terms of an invitation, or of an invitation link, reveal. */
export const termsSecrecy: { readonly [term: string]: FieldSecrecy } = {
  invite_as: "word",
  expires: "word",
  expires_in: "word",
  expires_on: "word",
  channels: { of: "channel" },
  groups: "groups",
};

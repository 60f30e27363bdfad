import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { finding, type Path } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { type Json, sameJson } from "../../model/json.ts";
import { asRecord, resolveChannels, resolveGroups } from "../invited-to.ts";
import { unseenOf } from "../sight.ts";
import { isAddress } from "./address.ts";
import { dayAfter, endOfDay, isAskedFor } from "./asked.ts";
import { parseDuration } from "./duration.ts";
import { fieldsOf } from "./live.ts";
import { knownIn } from "./pending.ts";
import type { Invite } from "./schema.ts";

/** Whether it is a name with its address in angle brackets. */
function hasName(address: string): boolean {
  const opened = address.indexOf("<");
  return opened !== -1 && address.includes(">", opened);
}

/**
 * One address of an entry. Somebody with an account needs no invitation. For somebody who is invited, only the values that the server shows are
 * compared, and they are differences only with `replace: true`.
 */
export function decodeInvite(item: Invite, address: string, context: DecodeContext): Decoded {
  const absent = item.absent === true;
  if (!isAddress(address))
    context.report([], finding("invites/address", { address: quote(address), has_name: hasName(address) }));
  const known = context.realm === undefined ? undefined : knownIn(context.realm);
  const account = known?.accounts.get(address);
  const isAsked = !absent && isAskedFor(item, context);
  const isSent = isAsked && account === undefined && (item.replace === true || known?.pending.has(address) !== true);
  const terms = termsOf(item, isSent ? context : leniently(context));
  if (absent) return { absent, fields: {} };

  if (account !== undefined) {
    if (!account.is_active)
      context.report([], finding("invites/deactivated-account", { address: quote(address) }, { severity: "warning" }));
    return settled(terms);
  }
  if (!isAsked && known !== undefined && !known.pending.has(address)) {
    notAskedFor(item, address, context);
    return settled(terms);
  }
  return { absent, ...compared({ ...item, replace: item.replace === true && isAsked }, address, terms, context) };
}

/** The entry of a person who is new, or who never joined: only a person can tell which. */
function notAskedFor({ send_until }: Invite, address: string, { report, realm }: DecodeContext): void {
  // Somebody else may have sent one.
  if (realm !== undefined && unseenOf(realm, "invitations", "others-invitations") !== undefined) return;
  // What is no day is an error already.
  if (send_until !== undefined && endOfDay(send_until) === undefined) return;
  const tomorrow = realm === undefined ? undefined : dayAfter(realm.snapshot.taken_at);
  const over = whenDefined(send_until, quote);
  const about = { address: quote(address), ...defined({ tomorrow, over }) };
  report(over === undefined ? [] : ["send_until"], finding("invites/not-asked-for", about, { severity: "warning" }));
}

/** No e-mail has to be sent, but the file still names the entry's channels and groups. */
function settled({ creation: { channels, groups } }: Terms): Decoded {
  const named = { ...defined({ channels, groups }) };
  return {
    absent: true,
    settled: true,
    fields: {},
    ...defined({ creation: Object.keys(named).length === 0 ? undefined : named }),
  };
}

/** If somebody needs no invitation any more, its channels and groups may no longer exist: the entry only says what was asked for. */
function leniently(context: DecodeContext): DecodeContext {
  return asRecord({
    ...context,
    report: (path, { unresolved, ...finding }) =>
      context.report(path, unresolved === undefined ? finding : { ...finding, severity: "warning" }),
  });
}

interface Terms {
  readonly fields: { readonly [field: string]: Json };
  readonly creation: { readonly [field: string]: Json };
  readonly expires: "never" | "limited" | undefined;
}

function termsOf(item: Invite, context: DecodeContext): Terms {
  const fields: { [field: string]: Json } = {};
  const creation: { [field: string]: Json } = {};
  if (item.invite_as !== undefined) fields.invite_as = item.invite_as;
  if (item.notify_referrer_on_join !== undefined) fields.notify_referrer_on_join = item.notify_referrer_on_join;
  const { expires_in: duration } = item;
  const minutes = duration === undefined ? undefined : parseDuration(duration);
  if (duration !== undefined && minutes === undefined)
    context.report(["expires_in"], finding("invites/expires-in", { duration: quote(duration) }));
  else if (duration !== undefined) creation.expires_in = duration;
  if (item.channels !== undefined) creation.channels = resolveChannels(item.channels, context);
  if (item.groups !== undefined) creation.groups = resolveGroups(item.groups, context);
  if (item.include_realm_default_subscriptions !== undefined)
    creation.include_realm_default_subscriptions = item.include_realm_default_subscriptions;
  if (item.welcome_message_custom_text !== undefined && item.welcome_message_custom_text !== null)
    creation.welcome_message_custom_text = item.welcome_message_custom_text;
  return { fields, creation, expires: minutes === undefined ? undefined : minutes === null ? "never" : "limited" };
}

function compared(
  item: Invite,
  address: string,
  { fields, creation, expires }: Terms,
  context: DecodeContext,
): Omit<Decoded, "absent"> {
  const latest = context.realm === undefined ? undefined : knownIn(context.realm).pending.get(address)?.at(-1);
  if (latest === undefined) return { fields, creation };
  const live = fieldsOf(latest);
  const wanted: { readonly [field: string]: Json } = expires === undefined ? fields : { ...fields, expires };
  const paths = { expires: ["expires_in"] };
  if (item.replace === true) return { fields: wanted, creation, paths };
  for (const [field, value] of Object.entries(wanted)) {
    const found = live[field];
    if (found === undefined || sameJson(found, value)) continue;
    const path: Path = field === "expires" ? ["expires_in"] : [field];
    const fact = { address: quote(address), field, found: String(found), wanted: String(value) };
    context.report(path, finding("invites/differs", fact, { severity: "warning" }));
  }
  return { fields: {}, creation };
}

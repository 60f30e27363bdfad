import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { finding, type Path } from "../../model/diagnostic.ts";
import type { RestrictionCause } from "../../model/diagnostics/invites.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { asMap, canonicalJson, isList, type Json, sameJson } from "../../model/json.ts";
import type { ExportCaveat } from "../../model/kind-facts.ts";
import { addTo, once, oncePer } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { ROLE_WORDS } from "../../model/roles.ts";
import type { SnapshotInvite, SnapshotUser } from "../../model/snapshot.ts";
import { invitedRole } from "../accounts.ts";
import { asRecord, resolveTerms, startOfDay } from "../invitation-terms.ts";
import { strip } from "../names.ts";
import { flag, optional, orNull, string } from "../optional.ts";
import { parseTimeSpan } from "../property.ts";
import { liveObject, unseenOf } from "../readings.ts";

export const inviteForm = once(() =>
  z.strictObject({
    emails: z
      .array(z.string())
      .min(1)
      .describe("Addresses that get the same invitation. Each address is a separate object."),
    invite_as: optional(z.enum(ROLE_WORDS), "The role that they join with (default: member)."),
    channels: optional(z.array(z.string()), "Channels that they are subscribed to when they join."),
    groups: optional(z.array(z.string()), "Groups that they become members of. Feature level 322."),
    include_realm_default_subscriptions: flag("Whether they get the default channels too."),
    expires_in: string("How long the invitation is valid: `10d`, `36h`, `90m`, `2w` or `never` (default: 10 days)."),
    send_until: string(
      "Until the end of this day (UTC), `2026-11-28`, everybody without an account and without an open invitation is invited. After that, nobody is mailed again. Left out: nobody is mailed.",
    ),
    notify_referrer_on_join: flag("Whether the inviter is told when they join; default true."),
    welcome_message_custom_text: orNull(
      z.string().max(8000),
      "The text that welcomes them. An empty text means none, `null` the organization's own text. Feature level 416.",
    ),
    replace: flag("`true` revokes an open invitation that differs, and sends it again with another e-mail."),
    absent: flag("`true` revokes the invitations of these addresses under any policy."),
  }),
);
export type Invite = z.infer<ReturnType<typeof inviteForm>>;

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
  // What is revoked is sent to nobody: its channels and groups may be gone.
  if (absent) return { absent, fields: {} };
  const isAsked = isAskedFor(item, context);
  const isSent = isAsked && account === undefined && (item.replace === true || known?.pending.has(address) !== true);
  const terms = termsOf(item, isSent ? context : leniently(context));
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
  Object.assign(creation, resolveTerms(item, context));
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

const DAY_MINUTES = 1440;
/** The server's default for an invitation without this value (zulip-api.md §9.2). */
const SERVER_DEFAULT = "10d";

/** The end of that day in milliseconds; undefined if it is not a day. */
const endOfDay = (text: string): number | undefined =>
  whenDefined(startOfDay(text), (start) => start + DAY_MINUTES * 60_000);

/** The day after a moment, both of UTC: 2026-11-23T23:50:00Z → 2026-11-24. */
function dayAfter(moment: string): string {
  return new Date(Date.parse(moment) + DAY_MINUTES * 60_000).toISOString().slice(0, 10);
}

/**
 * Whether the file asks for a mail that may be sent now. An expired invitation looks the same on the server as one that was never sent, so the file
 * says until when the mail is requested (docs/internals/decisions/0024-an-invitation-is-an-act.md). Without a realm there is no "now", and nothing is sent.
 */
function isAskedFor({ send_until: written, expires_in: expires }: Invite, context: DecodeContext): boolean {
  if (written === undefined) return false;
  const until = endOfDay(written);
  if (until === undefined) {
    context.report(["send_until"], finding("invites/send-until", { cause: "no-day", text: quote(written) }));
    return false;
  }
  if (context.realm === undefined) return true;
  const now = Date.parse(context.realm.snapshot.taken_at);
  if (now >= until) return false;
  const holds = parseDuration(expires ?? SERVER_DEFAULT);
  if (typeof holds === "number" && until - now > Math.max(holds, DAY_MINUTES) * 60_000)
    context.report(
      ["send_until"],
      finding(
        "invites/send-until",
        { cause: "later-than-invitation", holds: quote(expires ?? SERVER_DEFAULT) },
        { severity: "warning" },
      ),
    );
  return true;
}

/** Ten years, in seconds. For more, a file says "never". */
const LONGEST = 3650 * 86_400;

/** Minutes of `10d`, `36h`, `90m`, `2w`; null for `never`; undefined for anything else, and for no time at all. */
export function parseDuration(text: string): number | null | undefined {
  if (text === "never") return null;
  const seconds = text.endsWith("s") ? undefined : parseTimeSpan(text);
  return seconds === undefined || seconds > LONGEST ? undefined : seconds / 60;
}

/**
 * Addresses with an open invitation by e-mail. Links have no address, and are another kind. An address with an account needs no invitation.
 */
export function liveInvites(realm: Realm): readonly LiveObject[] | undefined {
  const { invites } = realm.snapshot;
  if (invites === null) return undefined;
  const { pending, accounts } = knownIn(realm);
  return [...pending].flatMap(([address, list]) => {
    const latest = list.at(-1);
    if (latest === undefined || accounts.has(address)) return [];
    return [liveObject(address, fieldsOf(latest))];
  });
}

/** The values of an invitation that the server shows; it does not show channels, groups and the welcome text (zulip-api.md §14.3). */
function fieldsOf(invite: SnapshotInvite): { readonly [field: string]: Json } {
  return {
    invite_as: invitedRole(invite),
    expires: expiryClass(invite),
    ...defined({
      notify_referrer_on_join: invite.notify_referrer_on_join === null ? undefined : invite.notify_referrer_on_join,
    }),
  };
}

/** Who is invited and who has an account, by address in canonical form. */
interface Known {
  /** Open invitations by mail, the latest last; there are several if somebody was invited more than once. */
  readonly pending: ReadonlyMap<string, readonly SnapshotInvite[]>;
  /** Accounts whose address this account may see, deactivated ones too. */
  readonly accounts: ReadonlyMap<string, SnapshotUser>;
}

export const knownIn = oncePer((realm: Realm): Known => {
  const { invites, users } = realm.snapshot;
  const accounts = new Map<string, SnapshotUser>();
  // The address that the API shows for somebody who hides theirs does not belong to an account (zulip-api.md §9.3).
  for (const user of users) if (user.delivery_email !== null) accounts.set(canonicalAddress(user.delivery_email), user);
  const pending = new Map<string, SnapshotInvite[]>();
  const byAge = (invites ?? []).toSorted((a, b) => a.invited - b.invited || a.id - b.id);
  for (const invite of byAge) {
    if (invite.is_multiuse || invite.email === null) continue;
    const address = canonicalAddress(invite.email);
    addTo(pending, address, invite);
  }
  return { pending, accounts };
});

/** What can be compared of an expiry: the moment is known, the requested duration is not. */
function expiryClass(invite: SnapshotInvite): "never" | "limited" {
  return invite.expiry_date === null ? "never" : "limited";
}

/** The server compares addresses without regard to case (zulip-api.md §9.3). */
export function canonicalAddress(email: string): string {
  return strip(email).toLowerCase();
}

const LOCAL = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const ADDRESS = new RegExp(`^${LOCAL}@(?:${LABEL}(?:\\.${LABEL})+|localhost)$`);

/** @param address in canonical form; commas, brackets and quotes would be read as more than one address */
export function isAddress(address: string): boolean {
  return ADDRESS.test(address) && !/^\.|\.@|\.\./.test(address);
}

export interface AllowedDomain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

/**
 * Why an address cannot join an organization that is restricted to these domains; undefined when it can (zulip-api.md §7.3, §9.3).
 * @param address in canonical form
 */
export function restrictionCause(address: string, domains: readonly AllowedDomain[]): RestrictionCause | undefined {
  const at = address.lastIndexOf("@");
  if (address.slice(0, at).includes("+")) return { cause: "plus" };
  const own = address.slice(at + 1);
  const isIn = ({ domain, allow_subdomains }: AllowedDomain): boolean =>
    own === domain || (allow_subdomains && own.endsWith(`.${domain}`));
  return domains.some(isIn) ? undefined : { cause: "unlisted", domain: quote(own, "domain") };
}

/** An open invitation as a separate entry, with the values that the server shows and that differ from its defaults. */
export function inviteToYaml({ name, fields }: LiveObject): Json {
  return {
    emails: [name],
    ...defined({
      invite_as: fields.invite_as === "member" || fields.invite_as === undefined ? undefined : fields.invite_as,
      expires_in: fields.expires === "never" ? "never" : undefined,
      notify_referrer_on_join: fields.notify_referrer_on_join === false ? false : undefined,
    }),
  };
}

/** Addresses with the same values, as one entry. */
export function inviteEntries(items: readonly Json[]): readonly Json[] {
  const byTerms = new Map<string, { readonly terms: { readonly [field: string]: Json }; readonly emails: Json[] }>();
  for (const item of items) {
    const { emails, ...terms } = asMap(item);
    const key = canonicalJson(terms);
    const known = byTerms.get(key);
    const own = emails !== undefined && isList(emails) ? emails : [];
    if (known === undefined) byTerms.set(key, { terms, emails: [...own] });
    else known.emails.push(...own);
  }
  return [...byTerms.values()].map(({ emails, terms }) => ({ emails, ...terms }));
}

/** Values that the server does not show, and links, which have no address (docs/internals/decisions/0024-an-invitation-is-an-act.md). */
export function caveatsOfInvites(realm: Realm): readonly ExportCaveat[] {
  const open = realm.snapshot.invites ?? [];
  const links = open.filter(({ is_multiuse }) => is_multiuse).length;
  const hidden = open.filter(({ is_multiuse, email }) => !is_multiuse && email === null).length;
  const caveats: ExportCaveat[] = [];
  if ((liveInvites(realm) ?? []).length > 0) caveats.push({ caveat: "terms-of-invitations" });
  if (links > 0) caveats.push({ caveat: "links-elsewhere", section: "invite_links", number: links });
  if (hidden > 0) caveats.push({ caveat: "invitations-without-address", number: hidden });
  return caveats;
}

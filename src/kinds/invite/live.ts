import { defined } from "../../model/defined.ts";
import type { RestrictionCause } from "../../model/diagnostics/invites.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { addTo } from "../../model/indexed.ts";
import { canonicalJson, isList, isObject, type Json } from "../../model/json.ts";
import type { ExportCaveat } from "../../model/kind-facts.ts";
import { oncePer } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import type { SnapshotInvite, SnapshotUser } from "../../model/snapshot.ts";
import { invitedRole } from "../accounts.ts";
import { strip } from "../names.ts";

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
    return [{ key: address, name: address, id: null, fields: fieldsOf(latest), inactive: false }];
  });
}

/** The values of an invitation that the server shows; it does not show channels, groups and the welcome text (zulip-api.md §14.3). */
export function fieldsOf(invite: SnapshotInvite): { readonly [field: string]: Json } {
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

function asMap(value: Json): { readonly [field: string]: Json } {
  return typeof value === "object" && value !== null && isObject(value) && !isList(value) ? value : {};
}

import { canonicalJson, isList, isObject, type Json } from "../../model/json.ts";
import type { LiveObject } from "../../model/kind.ts";
import type { Realm } from "../../model/realm.ts";
import { liveInvites } from "./live.ts";

/** An open invitation as an entry of its own: what the server shows of it and would not do anyway. */
export function inviteToYaml({ name, fields }: LiveObject): Json {
  return {
    emails: [name],
    ...(fields.invite_as === "member" || fields.invite_as === undefined ? {} : { invite_as: fields.invite_as }),
    ...(fields.expires === "never" ? { expires_in: "never" } : {}),
    ...(fields.notify_referrer_on_join === false ? { notify_referrer_on_join: false } : {}),
  };
}

/** Addresses that are invited alike, as one entry. */
export function inviteEntries(items: readonly Json[]): readonly Json[] {
  const alike = new Map<string, { readonly terms: { readonly [field: string]: Json }; readonly emails: Json[] }>();
  for (const item of items) {
    const { emails, ...terms } = asMap(item);
    const key = canonicalJson(terms);
    const known = alike.get(key);
    const own = emails !== undefined && isList(emails) ? emails : [];
    if (known === undefined) alike.set(key, { terms, emails: [...own] });
    else known.emails.push(...own);
  }
  return [...alike.values()].map(({ emails, terms }) => ({ emails, ...terms }));
}

/** What the server does not show, and what has no address to be known by (docs/decisions/0017-invitations.md). */
export function caveatsOfInvites(realm: Realm): readonly string[] {
  const open = realm.snapshot.invites ?? [];
  const links = open.filter(({ is_multiuse }) => is_multiuse).length;
  const hidden = open.filter(({ is_multiuse, email }) => !is_multiuse && email === null).length;
  return [
    ...((liveInvites(realm) ?? []).length > 0
      ? ["the server does not show channels, groups and welcome texts of invitations, nor how long they were to hold"]
      : []),
    ...(links === 0
      ? []
      : [`${counted(links, "invitation link")} not listed: they are a section of their own, invite_links`]),
    ...(hidden === 0 ? [] : [`${counted(hidden, "invitation")} without an address not listed`]),
  ];
}

function asMap(value: Json): { readonly [field: string]: Json } {
  return typeof value === "object" && value !== null && isObject(value) && !isList(value) ? value : {};
}

const counted = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`;

import { defined } from "../../model/defined.ts";
import { canonicalJson, isList, isObject, type Json } from "../../model/json.ts";
import type { ExportCaveat } from "../../model/kind-facts.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { liveInvites } from "./live.ts";

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

import { isList, isObject } from "../../model/json.ts";
import type { ListKind } from "../../model/kind.ts";
import { listed } from "../../model/texts.ts";
import { hasUnknownRole } from "../account-roles.ts";
import { termsSecrecy } from "../invitation-terms.ts";
import { INVITED_TO } from "../invited-to.ts";
import { unseenOf } from "../sight.ts";
import { canonicalAddress } from "./address.ts";
import { inviteCalls, leastInviteCalls, sent } from "./calls.ts";
import { checkInvites } from "./check.ts";
import { decodeInvite } from "./decode.ts";
import { docs } from "./docs.ts";
import { liveInvites } from "./live.ts";
import { inviteRisks } from "./risks.ts";
import { type Invite, inviteForm } from "./schema.ts";
import { inviteWords } from "./synonyms.ts";
import { caveatsOfInvites, inviteEntries, inviteToYaml } from "./to-yaml.ts";

/**
 * An invitation by mail, identified by its address. An entry of the file holds several addresses with the same values; each is an object, and all
 * with the same values are sent in one request (docs/internals/decisions/0024-an-invitation-is-an-act.md).
 * @see zulip-api.md §9 https://zulip.com/api/send-invites
 */
export const invite: ListKind<Invite> = {
  name: "invite",
  section: "invites",
  shape: "list",
  noun: ["invitation", "invitations"],
  identity: {
    keyOf: canonicalAddress,
    canonicalName: canonicalAddress,
    parts: ({ emails }) => emails.map((name, index) => ({ name, path: ["emails", index] })),
  },
  file: {
    get schema() {
      return inviteForm();
    },
    get synonyms() {
      return inviteWords();
    },
    fields: {
      invite_as: { about: "The role that somebody joins with." },
      expires: { about: "Whether the invitation ends at some time." },
      notify_referrer_on_join: { about: "Whether the inviter is told when somebody joins." },
    },
    decode: decodeInvite,
    records: INVITED_TO,
    names: ({ creation }) => [
      ...listed(creation?.channels).map((name) => ({ kind: "channel", name, field: "channels" })),
      ...listed(creation?.groups).map((name) => ({
        kind: "user_group",
        name,
        field: "groups",
        isUse: false as const,
      })),
    ],
  },
  live: {
    read: liveInvites,
    unseen: (realm) => unseenOf(realm, "invitations", "others-invitations"),
    // What the file asks for today is sent; a drift cannot tell whether somebody else did.
    mayBeUnseen: ({ absent }, comparesOnly) => comparesOnly && !absent,
    // Whether this account may invite to a private channel depends on its subscribers.
    request: (declared) => ({
      invites: true,
      subscribers: declared.some(
        ({ absent, creation }) => !absent && Array.isArray(creation?.channels) && creation.channels.length > 0,
      ),
    }),
    requestWords: ["invites"],
  },
  review: { check: checkInvites, risks: inviteRisks },
  calls: {
    draft: inviteCalls,
    least: leastInviteCalls,
    // Including those that replace another one.
    mails: true,
    sideEffects: (changes) => ({ emails: sent(changes).length }),
  },
  undo: { lostOnRecreate: "invitation" },
  yaml: {
    item: inviteToYaml,
    cannotDeclare: hasUnknownRole,
    join: inviteEntries,
    exportCaveats: caveatsOfInvites,
    onRequest: true,
    offeredAs: "open ones by mail, with their addresses",
  },
  secrecy: {
    name: "invited",
    fields: termsSecrecy,
    namesIn: ({ invites }) =>
      (invites ?? []).flatMap(({ email }) => (email === null ? [] : [{ name: email, isHidden: true }])),
    namesToHide: addressesIn,
    snapshot: ({ invites }, { isKnown }) => ({
      invites: invites?.filter(({ email, is_multiuse }) => is_multiuse || isKnown(email)) ?? null,
    }),
  },
  reach: { role: "member", bots: "never" },
  docs,
};

/** Every text with an @, wherever it is. */
function addressesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes("@") ? [value] : [];
  if (isList(value)) return value.flatMap(addressesIn);
  return isObject(value) ? Object.values(value).flatMap(addressesIn) : [];
}

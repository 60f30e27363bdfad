import { defined } from "../../model/defined.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { ListKind } from "../../model/kind.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRole } from "../../model/roles.ts";
import { hasUnknownRole } from "../accounts.ts";
import { madeBy, termsSecrecy } from "../invitation-terms.ts";
import { invitedInto } from "../invited-into.ts";
import { INVITED_FILE, invitedLive } from "../invited-to.ts";
import { leastLinkCalls, linkCalls, linkWith } from "./calls.ts";
import { checkLinks } from "./check.ts";
import { linkName, liveLinks, NEVER } from "./live.ts";
import { decodeLink, type InviteLink, inviteLinkForm } from "./schema.ts";
import { inviteLinkWords } from "./synonyms.ts";

const NOTHING: DocsFacet["who"] =
  "Nothing: a link with the same role and the same last day is taken for this one, whatever channels, groups and texts it has. Another day creates another link.";

const docs: DocsFacet = {
  about:
    "Links with which everybody who has one can join, any number of times. The server gives a link no name, and shows only its role and its end. These two identify it: two entries cannot have the same role and the same day, and a link with other channels needs another day. No plan, journal or snapshot has the link itself. `apply --show-links` shows once those that it creates; otherwise Zulip shows them in its settings.",
  who: "To create one: everybody whom the organization's `create_multiuse_invite_group` names (administrators, if nobody changed it); no role is exempt. To revoke one: the account that created it, and administrators. Bots and guests may do neither.",
  whoMay: { invite_as: "owner: owners; administrator and moderator: administrators" },
  defaults: { invite_as: "`member`", expires_on: "–" },
  unseen: {
    channels: NOTHING,
    groups: NOTHING,
    include_realm_default_subscriptions: NOTHING,
    welcome_message_custom_text: NOTHING,
  },
  example: `invite_links:
  - {expires_on: 2026-12-31, invite_as: guest, channels: [lobby]}`,
};

/**
 * A link with which everybody who has it can join, identified by its role and its last day
 * (docs/internals/decisions/0024-an-invitation-is-an-act.md). The link itself
 * is in no plan, journal or snapshot.
 * @see zulip-api.md §9.4 https://zulip.com/api/create-invite-link
 */
export const inviteLink: ListKind<InviteLink> = {
  name: "invite_link",
  section: "invite_links",
  shape: "list",
  noun: ["invitation link", "invitation links"],
  identity: {
    keyOf: (name) => name,
    nameOf: ({ invite_as, expires_on }) => linkName(invite_as ?? "member", expires_on),
    knownBy: ["invite_as", "expires_on"],
    commonName: (name) => name.replace(/ \(id \d+\)$/, ""),
  },
  file: {
    schema: inviteLinkForm,
    synonyms: inviteLinkWords,
    fields: {
      invite_as: { about: "The role that people join with." },
      expires_on: { about: "The day on which the link ends." },
    },
    decode: decodeLink,
    ...INVITED_FILE,
  },
  live: { read: liveLinks, ...invitedLive("invite_links") },
  review: { check: checkLinks, risks: linkRisks },
  calls: { draft: linkCalls, least: leastLinkCalls },
  undo: { lostOnRecreate: "link" },
  yaml: {
    item: ({ fields }) => ({
      expires_on: fields.expires_on ?? NEVER,
      ...defined({
        invite_as: fields.invite_as === "member" || fields.invite_as === undefined ? undefined : fields.invite_as,
      }),
    }),
    cannotDeclare: hasUnknownRole,
    exportCaveats: (realm) => ((liveLinks(realm) ?? []).length === 0 ? [] : [{ caveat: "terms-of-links" }]),
    onRequest: true,
    offeredAs: "without the links themselves",
  },
  // A snapshot has only ids and dates of links, and nothing with which anybody can join; `invites` provides them.
  secrecy: { name: "public", fields: termsSecrecy, snapshot: () => ({}) },
  reach: { role: "member", bots: "never" },
  docs,
};

function linkRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const { fields, id } = change;
  const object = namedOf(change);
  const value = (wanted: string) => fieldIn(fields, wanted)?.after;
  if (change.action === "create") {
    const role = value("invite_as");
    const ends = value("expires_on");
    const fact: RiskFact = {
      kind: "link-made",
      object,
      role: isRole(role) ? role : "member",
      ends: typeof ends === "string" && ends !== NEVER ? ends : null,
    };
    const terms = Object.fromEntries(fields.map(({ field, after }) => [field, after]));
    const into = invitedInto(change, terms, context);
    return [fact, ...(into === undefined ? [] : [into])].map((each) => ({ kind: "widens", fact: each }));
  }
  const link = linkWith(id, context.snapshot);
  return [{ kind: "removes", fact: { kind: "link-revoked", object, ...madeBy(link, context) } }];
}

import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { type Diagnostic, finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { ListKind } from "../../model/kind.ts";
import { indexed, once } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import {
  type Change,
  fieldIn,
  type MinutesUntil,
  type ObjectChange,
  objectChanges,
  type Param,
  serverId,
} from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { isRole, ROLE, ROLE_WORDS } from "../../model/roles.ts";
import type { Snapshot, SnapshotInvite } from "../../model/snapshot.ts";
import { listed } from "../../model/texts.ts";
import { accountTurning, hasUnknownRole, invitedRole } from "../accounts.ts";
import { channelId } from "../channels-by-name.ts";
import {
  asRecord,
  INVITED_FILE,
  invitedLive,
  madeBy,
  namedAsWanted,
  resolveTerms,
  startOfDay,
  termParams,
  termsSecrecy,
} from "../invitation-terms.ts";
import { invitedInto } from "../invited-into.ts";
import { checkInvitations, invitingUses } from "../inviting-rights.ts";
import { flag, optional } from "../optional.ts";
import { liveObject } from "../readings.ts";
import { requestFor } from "../requests.ts";

const inviteLinkForm = once(() =>
  z.strictObject({
    expires_on: z
      .string()
      .describe(
        "The day on which the link ends, at noon (UTC): `2026-12-31`; or `never`. After that day, realmctl does nothing for the entry.",
      ),
    invite_as: optional(z.enum(ROLE_WORDS), "The role that people join with (default: member)."),
    channels: optional(z.array(z.string()), "Channels that they are subscribed to when they join."),
    groups: optional(z.array(z.string()), "Groups that they become members of. Feature level 322."),
    include_realm_default_subscriptions: flag("Whether they get the default channels too."),
    welcome_message_custom_text: optional(
      z.string().max(8000),
      "The text that welcomes them. An empty text means none. Feature level 416.",
    ),
    absent: flag("`true` revokes the link under any policy."),
  }),
);
type InviteLink = z.infer<ReturnType<typeof inviteLinkForm>>;

/** For an existing link, only what the server shows is known, and that is its name; the other values matter only at creation. */
function decodeLink(item: InviteLink, own: string, context: DecodeContext): Decoded {
  const { expires_on } = item;
  if (expires_on !== NEVER && noonOf(expires_on) === undefined)
    context.report(["expires_on"], finding("invite_links/expires-on", { text: quote(expires_on) }));
  if (item.absent === true) return { absent: true, fields: {} };
  const minutes = context.realm === undefined ? null : minutesUntil(expires_on, context.realm);
  const isOver = minutes !== null && minutes < 1;
  // Channels and groups of a link that is already there may no longer exist: that is not an error.
  if (isOver) return { absent: true, settled: true, fields: {} };
  const isThere = context.realm !== undefined && liveLinks(context.realm)?.some(({ name }) => name === own) === true;
  const named = isThere ? asRecord(context) : context;
  return {
    absent: false,
    fields: { invite_as: item.invite_as ?? "member", expires_on },
    creation: resolveTerms(item, named),
  };
}

const MINUTE_MS = 60_000;
const HALF_DAY_MS = 12 * 60 * MINUTE_MS;

const NEVER = "never";

/**
 * The identity of a link: the role that it gives and the day on which it ends, the only values that the server shows and keeps
 * (docs/internals/decisions/0024-an-invitation-is-an-act.md).
 */
function linkName(role: string, expiresOn: string): string {
  return expiresOn === NEVER ? `${role} for ever` : `${role} until ${expiresOn}`;
}

/** Open links; of several with the same role and day, the oldest has the name, and the others have their ids. */
function liveLinks(realm: Realm): readonly LiveObject[] | undefined {
  const { invites } = realm.snapshot;
  if (invites === null) return undefined;
  const taken = new Set<string>();
  return invites
    .filter(({ is_multiuse }) => is_multiuse)
    .toSorted((a, b) => a.invited - b.invited || a.id - b.id)
    .map((link) => {
      const { id, expiry_date } = link;
      const invite_as = invitedRole(link);
      const expires_on = expiry_date === null ? NEVER : new Date(expiry_date * 1000).toISOString().slice(0, 10);
      const shared = linkName(typeof invite_as === "number" ? `role ${invite_as}` : invite_as, expires_on);
      const name = taken.has(shared) ? `${shared} (id ${id})` : shared;
      taken.add(shared);
      return liveObject(name, { invite_as, expires_on }, { id });
    });
}

/** Noon of the day in milliseconds; undefined if it is not a day. */
const noonOf = (text: string): number | undefined => whenDefined(startOfDay(text), (start) => start + HALF_DAY_MS);

/** The end of the link as the request sends it: minutes from the time of sending, so that a saved plan still means the same day. */
function endOf(expiresOn: string): MinutesUntil | null {
  const noon = noonOf(expiresOn);
  return noon === undefined ? null : { minutesUntil: new Date(noon).toISOString() };
}

/** Whole minutes from the reading to the end of a link; null: it never ends. */
function minutesUntil(expiresOn: string, realm: Realm): number | null {
  const noon = noonOf(expiresOn);
  return noon === undefined ? null : Math.floor((noon - Date.parse(realm.snapshot.taken_at)) / MINUTE_MS);
}

function checkLinks(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const made = changes.filter(({ action }) => action === "create");
  const declared = made.flatMap(({ address }) => context.pair(address)?.declared ?? []);
  const rows = ({ id }: LiveObject) => linksWith(id, context.snapshot);
  const kind = { section: "invite_links", noun: "invitation link", right: MAKING_RIGHT, rows } as const;
  return checkInvitations(kind, changes, made, declared, context);
}

/** Made last, with invitations: a link names channels and groups, and everybody who has it can join at once. So one that ends is revoked first. */
const RANK = { revoke: -20, make: 201 } as const;

/** Setting of the organization that says who may make links. */
const MAKING_RIGHT = "create_multiuse_invite_group";

/** The answer to the creation has the link, which does not leave the connection. */
function linkCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).map((change) =>
    change.action === "create" ? making(change, context) : revoking(change, context),
  );
}

/** One for each, except links that end with the accounts that created them. */
function leastLinkCalls(changes: readonly Change[], context: PlanContext): number {
  return changes.filter(({ action, id }) => action === "create" || makerLeaving(id, context) === undefined).length;
}

const linksById = indexed<SnapshotInvite>(({ id, is_multiuse }) => (is_multiuse ? [String(id)] : []));

const linksWith = (id: number | null | undefined, { invites }: Snapshot): readonly SnapshotInvite[] =>
  invites === null ? [] : linksById(invites, String(id));

/** The creator of the link, if this plan deactivates that account: the link then ends. */
function makerLeaving(id: number | null | undefined, context: PlanContext): Change | undefined {
  return accountTurning(linksWith(id, context.snapshot)[0]?.invited_by_user_id, context, true);
}

function making(change: ObjectChange, context: PlanContext): DraftCall {
  const wanted = Object.fromEntries(change.fields.map(({ field, after }) => [field, after]));
  const params: { [name: string]: Param } = {
    invite_as: isRole(wanted.invite_as) ? ROLE[wanted.invite_as] : ROLE.member,
    invite_expires_in_minutes: endOf(String(wanted.expires_on)),
  };
  const channels = listed(wanted.channels);
  if (channels.length > 0) params.stream_ids = channels.map((name) => channelId(name, context));
  return requestFor(change, {
    operation: "create-invite-link",
    params: { ...params, ...termParams(wanted, context) },
    needs: namedAsWanted(wanted, context),
    uses: invitingUses(MAKING_RIGHT, wanted, context),
    rank: RANK.make,
  });
}

function revoking(change: ObjectChange, context: PlanContext): DraftCall {
  const id = serverId(change);
  const maker = makerLeaving(id, context);
  return requestFor(change, {
    operation: "revoke-invite-link",
    path: { invite_id: id },
    rank: RANK.revoke,
    ...defined({ mergeInto: maker === undefined ? undefined : { address: maker.address, params: {} } }),
  });
}

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
    fields: { invite_as: {}, expires_on: {} },
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
  const [link] = linksWith(id, context.snapshot);
  return [{ kind: "removes", fact: { kind: "link-revoked", object, ...madeBy(link, context) } }];
}

import type { Desired } from "../model/desired.ts";
import type { Span } from "../model/diagnostic.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { isRole, ROLE, type RoleWord, roleWord } from "../model/roles.ts";
import type { SnapshotInvite } from "../model/snapshot.ts";
import { listed } from "../model/texts.ts";
import type { Persona } from "./personas.ts";
import { CHANNEL, declaredInvitations, declaredLinks, GROUP } from "./scope.ts";

/** An invented person who joins by an invitation or a link of the file, with what it gives. Of others, the server shows only the role (zulip-api.md §9.1). */
export interface Invitee extends Persona {
  /** The address, or the name of the link. */
  readonly name: string;
  readonly channels: readonly string[];
  readonly by: "invitation" | "link";
  /** On the file alone, nobody knows whether somebody who is invited by mail has joined already. */
  readonly isSure: boolean;
  readonly at: Span;
}

export const hasInvitations = (desired: Desired): boolean =>
  declaredLinks(desired).length + declaredInvitations(desired).length > 0;

/** Who can join by what a file has that was read against an organization: what is done or over was left out then. */
export function inviteesOf(
  desired: Desired,
  realm: Realm,
  defaults: Iterable<string>,
  changes: readonly Change[] = [],
): readonly Invitee[] {
  return [
    ...declaredLinks(desired).map((object) => {
      const led = isOpenLink(object, realm) ? changes : undefined;
      return inviteeOf(object, { by: "link", isSure: true, defaults, led });
    }),
    ...declaredInvitations(desired).map((object) => {
      const role = mailsTo(object, realm).map(({ invited_as }) => roleWord(invited_as));
      const led = role.length > 0 ? changes : undefined;
      return inviteeOf(object, { by: "invitation", isSure: true, defaults, role: role.at(-1), led });
    }),
  ];
}

/** The same for invitations and links that are open now. */
export function openInviteesOf(desired: Desired, realm: Realm, defaults: Iterable<string>): readonly Invitee[] {
  const open = new Set(
    [
      ...declaredLinks(desired).filter((object) => isOpenLink(object, realm)),
      ...declaredInvitations(desired).filter((object) => mailsTo(object, realm).length > 0),
    ].map(({ at }) => at),
  );
  return inviteesOf(desired, realm, defaults).filter(({ at }) => open.has(at));
}

/**
 * Everybody who may join meanwhile by what stood open before a plan: by what its file has, or the file beside it. Without a reading of them, nobody knows which
 * of those are open, and all count.
 */
export function invitedNow(
  { beside, ...desired }: Desired,
  realm: Realm,
  defaults: Iterable<string>,
  changes: readonly Change[],
): readonly Invitee[] {
  const invitees = realm.snapshot.invites === null ? inviteesOf : openInviteesOf;
  return invitees(beside ?? desired, realm, defaults, changes);
}

/**
 * Where an invitation leads that was open before the plan, by the names after it: it was made with objects and not with names, so an object that gets another
 * name is meant, too, and one that the plan makes is not.
 */
function ledTo(kind: string, names: readonly string[], changes: readonly Change[] | undefined): readonly string[] {
  if (changes === undefined) return names;
  const own = changes.filter((change) => change.kind === kind);
  return names.flatMap((name) => [
    ...own.flatMap((change) => (change.was === name ? [change.name] : [])),
    ...(own.some((change) => change.action === "create" && change.name === name) ? [] : [name]),
  ]);
}

/** The same for a file alone. @param named addresses that the file names elsewhere: it says where these people are */
export function inviteesOfFile(
  desired: Desired,
  named: ReadonlySet<string>,
  defaults: Iterable<string>,
): readonly Invitee[] {
  return [
    ...declaredLinks(desired).map((object) => inviteeOf(object, { by: "link", isSure: true, defaults })),
    ...declaredInvitations(desired)
      .filter(({ name }) => !named.has(name.toLowerCase()))
      .map((object) => inviteeOf(object, { by: "invitation", isSure: false, defaults })),
  ];
}

interface Given extends Pick<Invitee, "by" | "isSure"> {
  /** The default channels. */
  readonly defaults: Iterable<string>;
  /** The role of an open invitation, which the file no longer changes. */
  readonly role?: RoleWord | undefined;
  /** The changes of the plan, if the invitation is open before it. */
  readonly led?: readonly Change[] | undefined;
}

function inviteeOf(
  { name, fields, creation = {}, at }: DeclaredObject,
  { by, isSure, defaults, role, led }: Given,
): Invitee {
  const { channels, groups, include_realm_default_subscriptions: all } = creation;
  const written = isRole(fields.invite_as) ? fields.invite_as : "member";
  return {
    name,
    role: role ?? written,
    groups: ledTo(GROUP, listed(groups), led),
    channels: [...ledTo(CHANNEL, listed(channels), led), ...(all === true ? defaults : [])],
    by,
    isSure,
    at,
  };
}

const mailsTo = ({ name }: DeclaredObject, { snapshot: { invites } }: Realm): readonly SnapshotInvite[] =>
  (invites ?? []).filter(({ is_multiuse, email }) => !is_multiuse && email?.toLowerCase() === name.toLowerCase());

/** Links are known by their role and their last day, as the file writes it. */
function isOpenLink({ fields }: DeclaredObject, { snapshot: { invites } }: Realm): boolean {
  return (invites ?? []).some(({ is_multiuse, invited_as, expiry_date }) => {
    const ends = expiry_date === null ? "never" : new Date(expiry_date * 1000).toISOString().slice(0, 10);
    return (
      is_multiuse && isRole(fields.invite_as) && ROLE[fields.invite_as] === invited_as && fields.expires_on === ends
    );
  });
}

import { defined, whenDefined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import type { Span } from "../model/diagnostic.ts";
import { addTo } from "../model/lazy.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { isRole, ROLE, ROLE_WORDS, type RoleWord, roleWord } from "../model/roles.ts";
import type { Snapshot, SnapshotGroup, SnapshotInvite, SnapshotUser } from "../model/snapshot.ts";
import { listed } from "../model/texts.ts";
import { roleGroupsOf } from "./account.ts";
import { CHANNEL, declaredInvitations, declaredLinks, GROUP } from "./scope.ts";
import type { AccessState } from "./state.ts";

/** An invented person with a role, in certain groups. A persona stands for everybody like them. */
export interface Persona {
  readonly role: RoleWord;
  /** Names of groups that they are a direct member of, besides the role's. */
  readonly groups: readonly string[];
  /** Names of channels that they are subscribed to. */
  readonly channels?: readonly string[];
}

/** `guest`, `role:guest`, `guests`, `role:administrators`, `admin` → the role; undefined when no role has that name. */
export function roleCalled(text: string): RoleWord | undefined {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^role:/, "")
    .replace(/s$/, "");
  const meant = bare === "admin" ? "administrator" : bare === "fullmember" ? "member" : bare;
  return ROLE_WORDS.find((role) => role === meant);
}

/** The canonical name of a persona: `guest`, `member in staff, leads`. */
export function personaName({ role, groups }: Persona): string {
  return groups.length === 0 ? role : `${role} in ${groups.join(", ")}`;
}

/** Group → the personas that are a direct member of it, as ids, in their order. */
export function personasByGroup(
  personas: readonly Persona[],
  ids: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, { groups }] of personas.entries())
    for (const name of new Set(groups)) addTo(found, name, ids[index] ?? 0);
  return found;
}

/** Subscribes the personas to their channels. Whoever else is subscribed stays unknown, where it is. */
export function subscribePersonas(
  state: AccessState,
  personas: readonly Pick<Persona, "channels">[],
  ids: readonly number[],
): void {
  for (const [index, { channels = [] }] of personas.entries())
    for (const name of channels) {
      const channel = state.channel(name);
      if (channel === undefined) continue;
      const { subscribers = state.population.nobody } = channel;
      const openTo = channel.subscribers === undefined ? "anybody" : channel.openTo;
      state.put({
        ...channel,
        subscribers: subscribers.or(state.population.of([ids[index] ?? 0])),
        ...defined({ openTo }),
      });
    }
}

/** A snapshot in which the personas have accounts; their user ids are in their order. */
export function withPersonas(
  snapshot: Snapshot,
  personas: readonly Persona[],
): { readonly snapshot: Snapshot; readonly ids: readonly number[] } {
  // The same object is returned, because computed facts are cached by reading.
  if (personas.length === 0) return { snapshot, ids: [] };
  const last = snapshot.users.reduce((most, { user_id }) => Math.max(most, user_id), 0);
  const ids = personas.map((_, index) => last + 1 + index);
  const joining = new Map<string, number[]>();
  // Personas count as people who joined long ago.
  for (const [index, { role, groups }] of personas.entries())
    for (const name of new Set([...roleGroupsOf({ role: ROLE[role], full: true }), ...groups]))
      addTo(joining, name, ids[index] ?? 0);
  return {
    ids,
    snapshot: {
      ...snapshot,
      users: [...snapshot.users, ...personas.map((persona, index) => personaAccount(persona, ids[index] ?? 0))],
      user_groups: snapshot.user_groups.map((group): SnapshotGroup => {
        const more = joining.get(group.name);
        return more === undefined ? group : { ...group, members: [...group.members, ...more] };
      }),
    },
  };
}

function personaAccount(persona: Persona, user_id: number): SnapshotUser {
  return {
    user_id,
    email: `user${user_id}@persona.invalid`,
    delivery_email: null,
    full_name: personaName(persona),
    role: ROLE[persona.role],
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    is_active: true,
  };
}

/** The role of an account. */
export function roleOf(realm: Realm, id: number): RoleWord | undefined {
  return whenDefined(realm.user(id)?.role, roleWord);
}

/** An invented person who joins by an invitation or a link of the file, with what it gives. Of others, the server shows only the role (zulip-api.md §9.1). */
export interface Invitee extends Persona {
  /** The address, or the name of the link. */
  readonly name: string;
  readonly channels: readonly string[];
  readonly by: "invitation" | "link";
  /** On the file alone, nobody knows whether somebody who is invited by mail has joined already. */
  readonly isSure: boolean;
  /** Whether it stands open on the server. */
  readonly isOpen: boolean;
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
  const shared = { isSure: true, defaults, changes };
  return [
    ...declaredLinks(desired).map((object) =>
      inviteeOf(object, { ...shared, by: "link", isOpen: isOpenLink(object, realm) }),
    ),
    ...declaredInvitations(desired).map((object) => {
      const role = mailsTo(object, realm).map(({ invited_as }) => roleWord(invited_as));
      return inviteeOf(object, { ...shared, by: "invitation", role: role.at(-1), isOpen: role.length > 0 });
    }),
  ];
}

/** The same for invitations and links that are open now. */
export const openInviteesOf = (...input: Parameters<typeof inviteesOf>): readonly Invitee[] =>
  inviteesOf(...input).filter(({ isOpen }) => isOpen);

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
function ledTo(kind: string, names: readonly string[], changes: readonly Change[]): readonly string[] {
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

interface Given extends Pick<Invitee, "by" | "isSure">, Partial<Pick<Invitee, "isOpen">> {
  /** The default channels. */
  readonly defaults: Iterable<string>;
  /** The role of an open invitation, which the file no longer changes. */
  readonly role?: RoleWord | undefined;
  /** The changes of the plan: it leads elsewhere if it is open before them. */
  readonly changes?: readonly Change[];
}

function inviteeOf(
  { name, fields, creation = {}, at }: DeclaredObject,
  { by, isSure, defaults, role, isOpen = false, changes = [] }: Given,
): Invitee {
  const { channels, groups, include_realm_default_subscriptions: all } = creation;
  const written = isRole(fields.invite_as) ? fields.invite_as : "member";
  const led = isOpen ? changes : [];
  return {
    name,
    role: role ?? written,
    groups: ledTo(GROUP, listed(groups), led),
    channels: [...ledTo(CHANNEL, listed(channels), led), ...(all === true ? defaults : [])],
    by,
    isSure,
    isOpen,
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

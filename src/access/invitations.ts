import type { Fields } from "../model/objects.ts";
import type { Address, Change } from "../model/plan.ts";
import { isRole, ROLE } from "../model/roles.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { listed } from "../model/texts.ts";
import { roleGroupsOf } from "./account.ts";
import { isInvitation, isInvitationLink } from "./scope.ts";

/** An invitation that a plan sends or revokes, or for which it opens something. Nobody with an account gains or loses a right by it. */
export interface Invited {
  /** The address, or the name of the link. */
  readonly name: string;
  readonly isLink: boolean;
  /** Whether the invitation is new, or revoked; `open` is one of the file that the plan leaves as it is, and that reads more afterwards. */
  readonly state: "new" | "revoked" | "open";
  readonly role: string;
  /** Channels and groups that they join, besides the default channels. */
  readonly channels: readonly string[];
  readonly groups: readonly string[];
  /** Existing private channels that they can read. */
  readonly reads: readonly string[];
}

/**
 * The groups that somebody is in who accepts an invitation, and those of every new member at once: what these open, everybody gets who joins. After a waiting
 * period, members are full members only later; moderators and above are at once (zulip-api.md §12.1).
 */
export function groupsGivenBy(
  { role, groups }: Pick<Invited, "role" | "groups">,
  { newMembersAreFull }: { readonly newMembersAreFull: boolean },
): { readonly given: readonly string[]; readonly anyway: readonly string[] } {
  // Groups open nothing to guests.
  if (role === "guest") return { given: [], anyway: [] };
  const higher = isRole(role) && ROLE[role] < ROLE.member ? roleGroupsOf({ role: ROLE[role], full: true }) : [];
  return { given: [...groups, ...higher], anyway: roleGroupsOf({ role: ROLE.member, full: newMembersAreFull }) };
}

/** Roles that somebody gets who accepts an invitation or uses a link that is open after a plan. Without a reading of them, only new ones are known. */
export function rolesInvited(
  { invites }: Pick<Snapshot, "invites">,
  changes: readonly Change[] = [],
): ReadonlySet<number> {
  const ofKind = (isLink: boolean) =>
    changes.filter(({ address }) => (isLink ? isInvitationLink : isInvitation)(address));
  const revoked = (isLink: boolean): ReadonlySet<number | undefined> =>
    new Set(ofKind(isLink).flatMap(({ action, id }) => (action === "remove" ? [id] : [])));
  // Invitations and links have numbers of their own.
  const [mails, links] = [revoked(false), revoked(true)];
  const open = (invites ?? []).filter(({ id, is_multiuse }) => !(is_multiuse ? links : mails).has(id));
  const made = invitationsIn(changes).flatMap(({ state, role }) =>
    state === "new" && isRole(role) ? [ROLE[role]] : [],
  );
  return new Set([...open.map(({ invited_as }) => invited_as), ...made]);
}

/**
 * The invitations that a plan sends or revokes, and the open ones of the file for which it opens something.
 * @param channel only invitations into this channel
 */
export function invitationsIn(changes: readonly Change[], channel?: string): readonly Invited[] {
  const found = changes.flatMap((change): readonly Invited[] => {
    const { address, name, action, fields, risks } = change;
    const isLink = isInvitationLink(address);
    if (!(isLink || isInvitation(address)) || action === "reorder") return [];
    const isNew = action !== "remove";
    const terms = fields.map(({ field, before, after }) => [field, isNew ? after : before] as const);
    const { invite_as: role, ...into }: Fields = Object.fromEntries(terms);
    return [
      {
        name,
        isLink,
        state: isNew ? "new" : "revoked",
        role: typeof role === "string" ? role : "member",
        channels: listed(into.channels),
        groups: listed(into.groups),
        reads: risks.flatMap(({ fact }) =>
          fact.kind === "invited-into" ? fact.channels.map((each) => each.name) : [],
        ),
      },
    ];
  });
  const all = [...found, ...openIn(changes)];
  return channel === undefined
    ? all
    : all.filter(({ channels, reads }) => channels.includes(channel) || reads.includes(channel));
}

/** Each change that opens something for an open invitation has a risk that says so. */
function openIn(changes: readonly Change[]): readonly Invited[] {
  const found = new Map<Address, Invited>();
  for (const { risks } of changes)
    for (const { fact } of risks) {
      if (fact.kind !== "invited-into" || fact.open_as === undefined) continue;
      const { address, name } = fact.object;
      const reads = [...(found.get(address)?.reads ?? []), ...fact.channels.map((each) => each.name)];
      const isLink = isInvitationLink(address);
      found.set(address, { name, isLink, state: "open", role: fact.open_as, channels: [], groups: [], reads });
    }
  return [...found.values()];
}

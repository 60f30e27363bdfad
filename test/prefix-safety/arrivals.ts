import type { RealmState } from "../../src/sandbox/index.ts";

/** A person who has no account yet and may join at any moment. */
export interface Arrival {
  /** Below zero, and different from every other id in the same state. */
  readonly id: number;
  /** Stable between states: identifies the person's rights. */
  readonly who: string;
  readonly role: number;
  /** The channels and groups that they join, and whether they also join the default channels. */
  readonly channels: ReadonlySet<number>;
  readonly groups: ReadonlySet<number>;
  readonly takesDefaults: boolean;
}

type Invite = RealmState["invites"][number];

const MEMBER = 400;
const NONE: ReadonlySet<number> = new Set();

const whoBy = (invite: Invite): string => `invited ${invite.email ?? `by link ${invite.id}`} as ${invite.invited_as}`;

const hasSender = ({ invited_by_user_id }: Invite, state: RealmState): boolean =>
  state.users[invited_by_user_id ?? 0]?.is_active !== false;

/** Whose invitations were revoked, and have not just ended with their senders. */
export const revokedIn = (state: RealmState): ReadonlySet<string> =>
  new Set(state.invites.filter((invite) => invite.revoked === true && hasSender(invite, state)).map(whoBy));

/**
 * Who may join: everybody with an open invitation and, if invitations are not required, people from each allowed domain (from any domain, if there is
 * no restriction).
 */
export function arrivalsIn(state: RealmState): readonly Omit<Arrival, "id">[] {
  const found: Omit<Arrival, "id">[] = [];
  for (const invite of state.invites) {
    if (invite.revoked === true || !hasSender(invite, state)) continue;
    found.push({
      who: whoBy(invite),
      role: invite.invited_as,
      channels: new Set(invite.stream_ids),
      groups: new Set(invite.group_ids),
      takesDefaults: invite.include_realm_default_subscriptions,
    });
  }
  const newcomer = (who: string) =>
    found.push({ who, role: MEMBER, channels: NONE, groups: NONE, takesDefaults: true });
  if (state.realm.invite_required === true) return found;
  if (state.realm.emails_restricted_to_domains !== true) newcomer("anybody");
  else
    for (const { domain, allow_subdomains } of state.domains) {
      newcomer(`anybody of ${domain}`);
      if (allow_subdomains) newcomer(`anybody below ${domain}`);
    }
  return found;
}

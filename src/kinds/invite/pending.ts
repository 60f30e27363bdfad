import { addTo } from "../../model/indexed.ts";
import { oncePer } from "../../model/lazy.ts";
import type { Realm } from "../../model/realm.ts";
import type { SnapshotInvite, SnapshotUser } from "../../model/snapshot.ts";
import { canonicalAddress } from "./address.ts";

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
export function expiryClass(invite: SnapshotInvite): "never" | "limited" {
  return invite.expiry_date === null ? "never" : "limited";
}

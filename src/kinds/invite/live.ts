import { defined } from "../../model/defined.ts";
import type { Json } from "../../model/json.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import type { SnapshotInvite } from "../../model/snapshot.ts";
import { invitedRole } from "../account-roles.ts";
import { expiryClass, knownIn } from "./pending.ts";

/**
 * Addresses with an open invitation by e-mail. Links have no address, and are another kind. An address with an account needs no invitation.
 */
export function liveInvites(realm: Realm): readonly LiveObject[] | undefined {
  const { invites } = realm.snapshot;
  if (invites === null) return undefined;
  const { pending, accounts } = knownIn(realm);
  return [...pending].flatMap(([address, list]) => {
    const latest = list.at(-1);
    if (latest === undefined || accounts.has(address)) return [];
    return [{ key: address, name: address, id: null, fields: fieldsOf(latest), inactive: false }];
  });
}

/** The values of an invitation that the server shows; it does not show channels, groups and the welcome text (zulip-api.md §14.3). */
export function fieldsOf(invite: SnapshotInvite): { readonly [field: string]: Json } {
  return {
    invite_as: invitedRole(invite),
    expires: expiryClass(invite),
    ...defined({
      notify_referrer_on_join: invite.notify_referrer_on_join === null ? undefined : invite.notify_referrer_on_join,
    }),
  };
}

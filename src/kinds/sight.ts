import type { Realm } from "../model/realm.ts";
import type { UnseenWhat } from "../model/unseen.ts";

/*
 * What an account does not see, by the role that it needs. The one table: kinds say which row is theirs (`live.unseen`), and plans, drift, export and adopt
 * ask the kinds. All else that a file can have is in the answer to every account but a guest's, which no command accepts (zulip-api.md §2.2): groups with
 * their members and settings, settings of the organization, default channels, folders, domains, linkifiers, playgrounds, emoji, profile fields, and bots
 * and people with their roles and owners. Navigation views are each account's own.
 */
const SIGHT = {
  /** Administrators see every channel; others a private one, archived or not, if they are in it or in a group that opens it (§3.6). */
  "private-channels": ({ isAdmin }) => isAdmin,
  /** Whoever is no administrator sees the own ones (§9.1). */
  "others-invitations": ({ isAdmin }) => isAdmin,
  /** No bot sees any, whatever its role is (§9.1). */
  invitations: ({ snapshot: { account } }) => !account.is_bot,
  /** Each person decides which roles see the address (§1.3). An administrator misses few, and a name that does not resolve remains a finding. */
  addresses: ({ isAdmin, snapshot: { users } }) =>
    isAdmin || users.every(({ delivery_email, is_bot, is_active }) => delivery_email !== null || is_bot || !is_active),
} as const satisfies { readonly [what in UnseenWhat]: (realm: Realm) => boolean };

/** The first of these that the account does not see. */
export const unseenOf = (realm: Realm, ...whats: readonly UnseenWhat[]): UnseenWhat | undefined =>
  whats.find((what) => !SIGHT[what](realm));

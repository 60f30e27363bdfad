import { oncePer } from "../model/lazy.ts";
import type { Realm } from "../model/realm.ts";

/** The full names that several accounts of a realm have. Reports distinguish such accounts by their addresses. */
const doublesIn = oncePer((realm: Realm): ReadonlySet<string> => {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { full_name } of realm.snapshot.users) (seen.has(full_name) ? twice : seen).add(full_name);
  return twice;
});

/** Whether another account of the organization has this full name. */
export const hasNamesake = (realm: Realm, fullName: string): boolean => doublesIn(realm).has(fullName);

import { whenDefined } from "../../model/defined.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { MinutesUntil } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { invitedRole } from "../accounts.ts";
import { startOfDay } from "../invitation-terms.ts";

const MINUTE_MS = 60_000;
const HALF_DAY_MS = 12 * 60 * MINUTE_MS;

export const NEVER = "never";

/**
 * The identity of a link: the role that it gives and the day on which it ends, the only values that the server shows and keeps
 * (docs/internals/decisions/0024-an-invitation-is-an-act.md).
 */
export function linkName(role: string, expiresOn: string): string {
  return expiresOn === NEVER ? `${role} for ever` : `${role} until ${expiresOn}`;
}

/** Open links; of several with the same role and day, the oldest has the name, and the others have their ids. */
export function liveLinks(realm: Realm): readonly LiveObject[] | undefined {
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
      return { key: name, name, id, fields: { invite_as, expires_on }, inactive: false };
    });
}

/** Noon of the day in milliseconds; undefined if it is not a day. */
export const noonOf = (text: string): number | undefined =>
  whenDefined(startOfDay(text), (start) => start + HALF_DAY_MS);

/** The end of the link as the request sends it: minutes from the time of sending, so that a saved plan still means the same day. */
export function endOf(expiresOn: string): MinutesUntil | null {
  const noon = noonOf(expiresOn);
  return noon === undefined ? null : { minutesUntil: new Date(noon).toISOString() };
}

/** Whole minutes from the reading to the end of a link; null: it never ends. */
export function minutesUntil(expiresOn: string, realm: Realm): number | null {
  const noon = noonOf(expiresOn);
  return noon === undefined ? null : Math.floor((noon - Date.parse(realm.snapshot.taken_at)) / MINUTE_MS);
}

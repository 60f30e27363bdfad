import type { Invite } from "../../src/sandbox/rows/organization.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { type File, texts } from "./file.ts";
import type { Row, Rows } from "./seen.ts";

const ROLES: { readonly [word: string]: number } = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
};

/** By role and day, which identify a link (docs/internals/decisions/0024-an-invitation-is-an-act.md). */
const nameOf = (role: unknown, day: string): string => `${String(role)} ${day}`;
const dayOf = ({ expiry_date }: Invite): string =>
  expiry_date === null ? "never" : new Date(expiry_date * 1000).toISOString().slice(0, 10);

/** Open links of people who still have an account. */
export function linksIn(state: RealmState, before: RealmState): Rows {
  const old = new Set(before.invites.filter(({ is_multiuse }) => is_multiuse).map(({ id }) => id));
  const open = state.invites.filter(
    ({ is_multiuse, revoked, invited_by_user_id: by }) =>
      is_multiuse && revoked !== true && state.users[by ?? 0]?.is_active !== false,
  );
  return Object.fromEntries(
    open.map((link) => [
      old.has(link.id) ? `link ${link.id}` : `new:${nameOf(link.invited_as, dayOf(link))}`,
      {
        name: nameOf(link.invited_as, dayOf(link)),
        channels: link.stream_ids.length,
        groups: link.group_ids.length,
        defaults: link.include_realm_default_subscriptions,
        welcome: link.welcome_message_custom_text,
      },
    ]),
  );
}

/** @param now links that exist before the file is applied, by identity */
export function linksAfter(file: File, now: Rows, today: string): Rows {
  const items = file.items("invite_links");
  if (items === undefined) return now;
  const after: { [ref: string]: Row } = { ...now };
  const meant = new Set<string>();
  for (const { fields, goes } of items) {
    const day = String(fields.expires_on);
    if (day !== "never" && day < today) continue;
    const name = nameOf(ROLES[String(fields.invite_as ?? "member")], day);
    const alike = Object.keys(now).filter((ref) => now[ref]?.name === name);
    const [there] = alike;
    if (there !== undefined) meant.add(there);
    if (goes) for (const ref of alike) delete after[ref];
    if (goes || there !== undefined) continue;
    after[`new:${name}`] = {
      name,
      channels: texts(fields.channels).length,
      groups: texts(fields.groups).length,
      defaults: fields.include_realm_default_subscriptions === true,
      welcome: fields.welcome_message_custom_text ?? null,
    };
  }
  if (file.isExact("invite_links")) for (const ref of Object.keys(now)) if (!meant.has(ref)) delete after[ref];
  return after;
}

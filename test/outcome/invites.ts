import { rows } from "../../src/sandbox/rows/values.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { type File, type Item, texts } from "./file.ts";
import type { After } from "./objects.ts";
import { ascending, type Row, type Rows, type Seen } from "./seen.ts";

const ROLES: { readonly [word: string]: number } = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
};
const TEN_DAYS = 14_400;

interface Given {
  readonly file: File;
  readonly state: RealmState;
  readonly now: Seen;
  readonly groups: After;
  readonly channels: After;
  readonly account: number;
}

/**
 * Invitations by mail, by address (docs/internals/decisions/0024-an-invitation-is-an-act.md): an address that is invited or has an account needs
 * nothing, unless the entry
 * says `replace` and a readable value differs. Links do not matter here.
 */
export function invitesAfter({ file, state, now, groups, channels, account }: Given): Rows {
  const items = file.items("invites");
  if (items === undefined) return now.invites;
  const accounts = new Set(
    rows(state.users).flatMap(({ email, delivery_email }) => [email.toLowerCase(), delivery_email.toLowerCase()]),
  );
  const after: { [ref: string]: Row } = { ...now.invites };
  const declared = new Set<string>();
  for (const item of items) {
    for (const written of texts(item.fields.emails)) {
      const email = written.trim().toLowerCase();
      declared.add(email);
      // An account needs no invitation: one that is still open is left alone.
      if (accounts.has(email)) continue;
      const open = Object.entries(now.invites).filter(([, invite]) => invite.email === email);
      const latest = open.at(-1)?.[1];
      const isReplaced = latest !== undefined && item.fields.replace === true && differs(item, latest);
      if (item.goes || isReplaced) for (const [ref] of open) delete after[ref];
      if (item.goes || (latest !== undefined && !isReplaced)) continue;
      after[`new:${email}`] = {
        ...sent(item, latest),
        email,
        invited_by_user_id: account,
        channels: ascending(texts(item.fields.channels).map(channels.called)),
        groups: ascending(texts(item.fields.groups).map(groups.called)),
      };
    }
  }
  if (file.isExact("invites"))
    for (const [ref, { email }] of Object.entries(now.invites))
      if (typeof email === "string" && !declared.has(email) && !accounts.has(email)) delete after[ref];
  return after;
}

/** Only readable values are compared: the role, whether it expires, whether the inviter is notified. */
function differs({ fields }: Item, open: Row): boolean {
  const { invite_as, expires_in, notify_referrer_on_join } = fields;
  return (
    (typeof invite_as === "string" && ROLES[invite_as] !== open.invited_as) ||
    (typeof expires_in === "string" && (minutesOf(expires_in) === null) !== (open.minutes === null)) ||
    (notify_referrer_on_join !== undefined && notify_referrer_on_join !== open.notify_referrer_on_join)
  );
}

/** A value that the file leaves out stays as it was, as far as it can be read. */
function sent({ fields }: Item, before: Row | undefined): Row {
  const { invite_as, expires_in, notify_referrer_on_join, include_realm_default_subscriptions } = fields;
  const text = fields.welcome_message_custom_text;
  return {
    invited_as: typeof invite_as === "string" ? ROLES[invite_as] : (before?.invited_as ?? 400),
    notify_referrer_on_join: notify_referrer_on_join ?? before?.notify_referrer_on_join ?? true,
    minutes:
      typeof expires_in === "string"
        ? minutesOf(expires_in)
        : before !== undefined && before.minutes === null
          ? null
          : TEN_DAYS,
    include_realm_default_subscriptions: include_realm_default_subscriptions ?? false,
    welcome_message_custom_text: text ?? null,
    isRevoked: false,
  };
}

/** `10d`, `36h`, `90m`, `2w`; null for `never`. */
function minutesOf(text: string): number | null {
  const minutes = { m: 1, h: 60, d: 1440, w: 10_080 };
  const [, count, unit] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  if (unit !== "m" && unit !== "h" && unit !== "d" && unit !== "w") return null;
  return Number(count) * minutes[unit];
}

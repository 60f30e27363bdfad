import { addressOf, botAddress, SHORT_NAME_LEVEL } from "../access/renamed.ts";
import { isAccountKind } from "../access/scope.ts";
import type { DecodeContext } from "../model/decoding.ts";
import type { Json } from "../model/json.ts";
import type { InexpressibleFact } from "../model/kind-facts.ts";
import { addTo, oncePer } from "../model/lazy.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Change, Param } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { Realm } from "../model/realm.ts";
import { roleWord } from "../model/roles.ts";
import type { SnapshotInvite, SnapshotUser } from "../model/snapshot.ts";

/** The role as a field of the account: its word, or the server's number of a role that this version does not know, which no file can have. */
export const roleField = ({ role, unknown_role }: Pick<SnapshotUser, "role" | "unknown_role">): string | number =>
  unknown_role ?? roleWord(role);

/** The role that an invitation gives, in the same form. */
export const invitedRole = ({ invited_as: role, unknown_role }: SnapshotInvite): string | number =>
  roleField({ role, unknown_role });

/** Whether no file can declare an invitation: it would be another one without its role. */
export const hasUnknownRole = ({ fields }: LiveObject): boolean => typeof fields.invite_as === "number";

/** Why a file cannot name the role. */
export const inexpressibleRole = (live: Json): InexpressibleFact | undefined =>
  typeof live === "number" ? { why: "role-unknown", role: live } : undefined;

/** Whether a request could set the value, if the field is the role. */
export const canBeRole = (field: string, value: Json): boolean =>
  field !== "role" || inexpressibleRole(value) === undefined;

/** The role of the changed account, if this version does not know it: nobody can tell what the change would take away or give. */
export const unknownRoleOf = ({ id }: Change, realm: Realm): number | undefined =>
  id === undefined ? undefined : realm.user(id)?.unknown_role;

/**
 * The change that deactivates the account, or reactivates it. When an account is deactivated, so are its bots, and its invitations and links are
 * revoked (zulip-api.md §17.4).
 */
export function accountTurning(
  userId: number | null | undefined,
  { realm, pair }: PlanContext,
  deactivated: boolean,
): Change | undefined {
  if (userId === undefined || userId === null) return undefined;
  const change = pair(`person:${realm.userName(userId)}`)?.change;
  const turns = change?.fields.some(({ field, after }) => field === "deactivated" && after === deactivated) === true;
  return turns ? change : undefined;
}

/**
 * Whether the plan changes accounts. Everybody's memberships can be taken away before a setting changes and given after it, but an account changes its
 * role, or is deactivated, in one request: only then can settings of one object have to change at different times
 * (docs/internals/decisions/0014-nothing-is-open-in-between.md).
 */
export const changesAccounts = ({ changes }: Pick<PlanContext, "changes">): boolean => hasAccounts(changes);

const hasAccounts = oncePer((changes: readonly Change[]) => changes.some(({ kind }) => isAccountKind(kind)));

/**
 * How many of these accounts get a message of the Notification Bot when somebody adds or removes them: people, except the account that does it
 * (zulip-api.md §5.2, §10.4).
 */
export function notifiedPeople(ids: Param | undefined, { realm, snapshot }: PlanContext): number {
  if (!Array.isArray(ids)) return 0;
  return ids.filter(
    (id: Param) => typeof id === "number" && id !== snapshot.account.user_id && realm.user(id)?.is_bot !== true,
  ).length;
}

/**
 * Bot → its name in a file: the part of its address before the @; the whole address if another bot has the same part on the
 * domain of new bots (zulip-api.md §18.1).
 */
export const botNames = oncePer((realm: Realm): ReadonlyMap<number, string> => {
  const bots = realm.snapshot.users.filter(({ is_bot }) => is_bot);
  const sharing = new Map<string, SnapshotUser[]>();
  for (const bot of bots) addTo(sharing, localPart(bot), bot);
  const domain = realm.setting("bot_domain");
  return new Map(
    bots.map((bot) => {
      const local = localPart(bot);
      const isAlone = sharing.get(local)?.length === 1;
      const isNew = addressOf(bot) === `${local}@${String(domain)}`;
      return [bot.user_id, isAlone || isNew ? local : addressOf(bot)] as const;
    }),
  );
});

/** Name in a file → bot. */
export const botIds = oncePer((realm: Realm): ReadonlyMap<string, number> => {
  const ids = new Map<string, number>();
  for (const [id, name] of botNames(realm)) if (!ids.has(name)) ids.set(name, id);
  return ids;
});

/** The part before the @ → the addresses of the bots that have it, if it is the name of none of them. */
export const namesakes = oncePer((realm: Realm): ReadonlyMap<string, readonly string[]> => {
  const sharing = new Map<string, string[]>();
  for (const name of botIds(realm).keys()) {
    const local = name.slice(0, Math.max(0, name.lastIndexOf("@")));
    if (local !== "" && !botIds(realm).has(local)) addTo(sharing, local, name);
  }
  return sharing;
});

function localPart(bot: SnapshotUser): string {
  const address = addressOf(bot);
  return address.slice(0, address.lastIndexOf("@"));
}

/** The bots that a file renames: other objects name a bot by its address, which changes with its name. */
interface RenamedBots {
  /** New address → the bot. */
  readonly byNext: ReadonlyMap<string, number>;
  /** Bot → its new address. */
  readonly nextOf: ReadonlyMap<number, string>;
  /** Address that no bot has after the plan → the one that its bot has then. */
  readonly given: ReadonlyMap<string, string>;
  /** Bots that take the name of another one that is renamed: only the whole plan knows whether they have done so already. */
  readonly open: ReadonlySet<number>;
}

const NONE: RenamedBots = { byNext: new Map(), nextOf: new Map(), given: new Map(), open: new Set() };

/** Also those that it deactivates: they have the new name by then. */
export function renamedBots({ renamedTo }: DecodeContext, realm: Realm): RenamedBots {
  return renamedTo === undefined || realm.level < SHORT_NAME_LEVEL ? NONE : renamedIn(renamedTo, realm);
}

/** Each file has a function of its own. */
const renamedIn = oncePer((renamedTo: NonNullable<DecodeContext["renamedTo"]>, realm: Realm): RenamedBots => {
  const names = new Map<number, string>();
  for (const [id, name] of botNames(realm)) {
    const to = renamedTo("bot", name, id);
    if (to !== undefined) names.set(id, to);
  }
  if (names.size === 0) return NONE;
  const holders = botIds(realm);
  const open = new Set<number>();
  for (const [id, to] of names) {
    const holder = holders.get(to);
    if (holder === undefined) continue;
    // If the bot that has the name keeps it, the rename was made before.
    if (names.has(holder)) open.add(id);
    else names.delete(id);
  }
  const now = new Map([...botNames(realm).keys()].map((id) => [id, realm.userName(id)]));
  const taken = new Set(now.values());
  const nextOf = new Map<number, string>();
  const byNext = new Map<string, number>();
  for (const [id, to] of names) {
    const bot = realm.user(id);
    if (bot === undefined) continue;
    const next = botAddress(bot, to, realm.snapshot);
    nextOf.set(id, next);
    // If it has not been used yet, it means something only once the exchange was made.
    if (!open.has(id) || taken.has(next)) byNext.set(next, id);
  }
  const given = new Map([...nextOf].map(([id, next]) => [now.get(id) ?? "", next]));
  for (const next of byNext.keys()) given.delete(next);
  return { byNext, nextOf, given, open };
});

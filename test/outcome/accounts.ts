import type { Role, User } from "../../src/sandbox/rows/accounts.ts";
import { rows } from "../../src/sandbox/rows/values.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { TAKEN_AT } from "../support/realm.ts";
import type { File } from "./file.ts";
import { personIn } from "./people.ts";

const ROLES: { readonly [word: string]: { readonly role: Role; readonly groups: readonly string[] } } = {
  owner: { role: 100, groups: ["role:owners"] },
  administrator: { role: 200, groups: ["role:administrators"] },
  moderator: { role: 300, groups: ["role:moderators"] },
  member: { role: 400, groups: ["role:members", "role:fullmembers"] },
  guest: { role: 600, groups: ["role:everyone"] },
};
const TYPES: { readonly [word: string]: number } = { generic: 1, incoming_webhook: 2 };

/**
 * The realm with the accounts that a file declares (docs/reference/people.md, docs/reference/bots.md), and with what follows from them: bots of
 * people who leave, role groups. New bots have ids below zero, in the order of the file.
 */
export function accountsAfter(file: File, before: RealmState, account: number): RealmState {
  const users = new Map(rows(before.users).map((user) => [user.user_id, user]));
  const change = (user: User, more: Partial<User>): void => {
    users.set(user.user_id, { ...user, ...more });
  };
  const given = new Set<number>();
  // Owners come back before their bots do.
  const comingBack = new Set(
    (file.items("people") ?? [])
      .filter(({ fields, goes }) => !goes && fields.deactivated === false)
      .map(({ name }) => personIn(before, name)),
  );
  let made = 0;
  for (const { name, fields, goes } of file.items("bots") ?? []) {
    const key = name.trim().toLowerCase();
    const bot = rows(before.users).find((user) => user.is_bot && !user.is_system_bot && localPart(user) === key);
    const owner = fields.owner === undefined ? undefined : personIn(before, fields.owner);
    const wanted = {
      ...(typeof fields.full_name === "string" ? { full_name: fields.full_name.trim() } : {}),
      ...(owner === undefined ? {} : { bot_owner_id: owner }),
      ...(typeof fields.role === "string" ? { role: ROLES[fields.role]?.role ?? 400 } : {}),
    };
    if (bot !== undefined) {
      const returns = fields.deactivated === false && !bot.is_active;
      const isOrphan =
        before.users[bot.bot_owner_id ?? 0]?.is_active === false && !comingBack.has(bot.bot_owner_id ?? 0);
      if (owner !== undefined) given.add(bot.user_id);
      change(bot, {
        ...(returns && isOrphan ? { bot_owner_id: account } : {}),
        ...wanted,
        is_active: goes ? false : returns ? true : bot.is_active,
      });
    } else if (!goes) {
      made += 1;
      const pattern = rows(before.users).find(({ is_bot }) => is_bot);
      if (pattern === undefined) throw new RangeError("no bot to go by");
      const email = `${key}@new`;
      users.set(-made, {
        ...pattern,
        user_id: -made,
        email,
        delivery_email: email,
        full_name: key,
        role: 400,
        is_active: true,
        bot_owner_id: account,
        bot_type: TYPES[String(fields.type ?? "generic")] ?? 1,
        is_system_bot: false,
        date_joined: TAKEN_AT,
        ...wanted,
      });
    }
  }
  if (file.isExact("bots")) {
    const declared = new Set((file.items("bots") ?? []).map(({ name }) => name.trim().toLowerCase()));
    for (const user of [...users.values()])
      if (user.is_bot && !user.is_system_bot && !declared.has(localPart(user))) change(user, { is_active: false });
  }
  for (const { name, fields, goes } of file.items("people") ?? []) {
    const person = users.get(personIn(before, name));
    if (person === undefined) continue;
    change(person, {
      ...(typeof fields.role === "string" ? { role: ROLES[fields.role]?.role ?? person.role } : {}),
      ...(goes ? { is_active: false } : fields.deactivated === false ? { is_active: true } : {}),
    });
    if (goes && person.is_active)
      for (const bot of [...users.values()])
        if (before.users[bot.user_id]?.bot_owner_id === person.user_id && !given.has(bot.user_id))
          change(bot, { is_active: false });
  }
  return { ...before, users: Object.fromEntries(users), user_groups: groupsOf([...users.values()], before) };
}

/** The role groups that somebody leaves or joins; people whose role stays the same stay where they are. */
function groupsOf(users: readonly User[], before: RealmState): RealmState["user_groups"] {
  const moved = users.filter((user) => before.users[user.user_id]?.role !== user.role);
  const away = new Set(moved.map(({ user_id }) => user_id));
  const isIn = (role: Role, name: string): boolean =>
    Object.values(ROLES).some((known) => known.role === role && known.groups.includes(name));
  const days = before.realm.waiting_period_threshold;
  const isOldEnough = (user: User): boolean => hasWaited(user, typeof days === "number" ? days : 0);
  return Object.fromEntries(
    rows(before.user_groups).map((group) => {
      if (!group.is_system_group) return [group.id, group];
      const arriving = moved
        .filter((user) => isIn(user.role, group.name) && (group.name !== "role:fullmembers" || isOldEnough(user)))
        .map(({ user_id }) => user_id);
      return [group.id, { ...group, members: [...group.members.filter((id) => !away.has(id)), ...arriving] }];
    }),
  );
}

/** Is the account old enough for a full member (zulip-api.md §12.1)? */
export const hasWaited = ({ date_joined }: User, days: number): boolean =>
  days === 0 || Date.parse(date_joined) <= Date.parse(TAKEN_AT) - days * 86_400_000;

export const localPart = ({ delivery_email }: Pick<User, "delivery_email">): string =>
  delivery_email.slice(0, delivery_email.lastIndexOf("@")).toLowerCase();

/** Fields by which two accounts are compared. */
export function accountRow({ full_name, role, is_active, bot_type, bot_owner_id }: User) {
  return { full_name, role, is_active, bot_type, bot_owner_id };
}

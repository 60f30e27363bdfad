import type { Role, User } from "../../src/sandbox/rows/accounts.ts";
import { rows } from "../../src/sandbox/rows/values.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { TAKEN_AT } from "../support/realm.ts";
import type { File, Item } from "./file.ts";
import { whoIsWho } from "./identity.ts";
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
  const meant = botsMeant(file, before);
  for (const item of file.items("bots") ?? []) {
    const { name, fields, goes } = item;
    const key = name.trim().toLowerCase();
    const bot = meant.get(item);
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
      const email = `${key}@${String(before.realm.bot_domain)}`;
      change(bot, {
        ...(localPart(bot) === key || key.includes("@") ? {} : { email, delivery_email: email }),
        ...(returns && isOrphan ? { bot_owner_id: account } : {}),
        ...wanted,
        is_active: goes ? false : returns ? true : bot.is_active,
      });
    } else if (!goes) {
      const made = newBot(key, before);
      const id = -1 - [...users.keys()].filter((known) => known < 0).length;
      const bot_type = TYPES[String(fields.type ?? "generic")] ?? 1;
      users.set(id, { ...made, user_id: id, bot_owner_id: account, bot_type, ...wanted });
    }
  }
  if (file.isExact("bots"))
    for (const user of botsIn(before)) if (![...meant.values()].includes(user)) change(user, { is_active: false });
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

/** A member, on the domain of new bots. */
function newBot(name: string, before: RealmState): User {
  const pattern = rows(before.users).find(({ is_bot }) => is_bot);
  if (pattern === undefined) throw new RangeError("no bot to go by");
  const email = `${name}@new`;
  const is = { role: 400, is_active: true, is_system_bot: false, date_joined: TAKEN_AT } as const;
  return { ...pattern, email, delivery_email: email, full_name: name, ...is };
}

const botsIn = (state: RealmState): readonly User[] =>
  rows(state.users).filter((user) => user.is_bot && !user.is_system_bot);

/** The bot that each item means; below level 447 bots keep their names. */
function botsMeant(file: File, before: RealmState): ReadonlyMap<Item, User | undefined> {
  const bots = botsIn(before);
  const items = file.items("bots") ?? [];
  const renames = Number(before.server.zulip_feature_level) >= 447;
  const asWritten = new Map(
    items.map((item) => [renames ? item : { ...item, fields: { ...item.fields, was: undefined } }, item] as const),
  );
  const found = whoIsWho(
    [...asWritten.keys()],
    bots.map((bot) => ({ id: bot.user_id, name: localPart(bot), inactive: !bot.is_active })),
    {
      key: (name) => name.trim().toLowerCase(),
      isWaitingFor: ({ id, name }, wanted) => name === `${wanted.replace(/-bot$/, "")}~realmctl~${id}-bot`,
      distance: ({ fields }, { id }) => {
        const bot = before.users[id];
        const { full_name, role } = fields;
        const isCalled = full_name === undefined || full_name === bot?.full_name;
        return Number(!isCalled) + Number(typeof role === "string" && ROLES[role]?.role !== bot?.role);
      },
    },
  );
  return new Map([...asWritten].map(([asked, item]) => [item, before.users[found.get(asked)?.id ?? 0]]));
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
export function accountRow({ full_name, role, is_active, bot_type, bot_owner_id, delivery_email }: User) {
  return { full_name, role, is_active, bot_type, bot_owner_id, name: localPart({ delivery_email }) };
}

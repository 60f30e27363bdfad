import { addTo } from "../../model/indexed.ts";
import { oncePer } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import type { SnapshotUser } from "../../model/snapshot.ts";
import { roleField } from "../account-roles.ts";
import { typeWord } from "./schema.ts";

/** Addresses are compared without regard to case. */
export const botKey = (name: string): string => name.trim().toLowerCase();

/** The organization's bots, also inactive ones, since their addresses can never be used again. The server's own bots are not included. */
export function liveBots(realm: Realm): readonly LiveObject[] {
  const names = botNames(realm);
  return realm.snapshot.users.flatMap((user) => {
    const name = names.get(user.user_id);
    if (name === undefined) return [];
    const { user_id: id, full_name, bot_owner_id, bot_type, is_active } = user;
    const fields = {
      full_name,
      owner: bot_owner_id === null ? null : realm.userName(bot_owner_id),
      role: roleField(user),
      type: typeWord(bot_type) ?? null,
      deactivated: !is_active,
    };
    return [{ key: name, name, id, fields, inactive: !is_active }];
  });
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

export const addressOf = ({ delivery_email, email }: SnapshotUser): string => (delivery_email ?? email).toLowerCase();

function localPart(bot: SnapshotUser): string {
  const address = addressOf(bot);
  return address.slice(0, address.lastIndexOf("@"));
}

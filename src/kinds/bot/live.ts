import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { roleField } from "../accounts.ts";
import { botNames } from "../bot-names.ts";
import { typeWord } from "./schema.ts";

/** Addresses are compared without regard to case. */
export const botKey = (name: string): string => name.trim().toLowerCase();

/** The organization's bots, also inactive ones, since their addresses stay taken. The server's own bots are not included. */
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

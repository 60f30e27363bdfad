import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { roleField } from "../account-roles.ts";

/** Every account of a person, by the address that the reading account sees; bots are another kind. */
export function livePeople(realm: Realm): readonly LiveObject[] {
  return realm.snapshot.users
    .filter(({ is_bot }) => !is_bot)
    .map((user) => {
      const { user_id: id, is_active } = user;
      const name = realm.userName(id);
      return {
        key: name,
        name,
        id,
        fields: { role: roleField(user), deactivated: !is_active },
        inactive: !is_active,
      };
    });
}

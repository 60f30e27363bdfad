import type { Address, Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import { isAccountKind } from "./scope.ts";
import { INCOMING_WEBHOOK } from "./state.ts";

/**
 * The realm with the bots that a plan creates, as inactive accounts, and the plan as if it reactivated them. So they are accounts like all others in
 * questions about rights. A new bot is a member, and belongs to the account that creates it, if the plan does not say otherwise.
 */
export function withNewBots(
  changes: readonly Change[],
  realm: Realm,
): { readonly changes: readonly Change[]; readonly realm: Realm; readonly bots: ReadonlyMap<Address, number> } {
  const made = changes.filter(({ kind, action }) => action === "create" && isAccountKind(kind));
  if (made.length === 0) return { changes, realm, bots: new Map() };
  const ids = new Map(made.map((change, index) => [change, -1 - index]));
  const users = made.map((change) => ({
    user_id: ids.get(change) ?? 0,
    email: change.address,
    delivery_email: null,
    full_name: change.name,
    role: ROLE.member,
    is_active: false,
    is_bot: true,
    bot_type: isWebhook(change) ? INCOMING_WEBHOOK : null,
    // Nobody has owned it before, so nobody has seen its key: realmctl removes it from the answer.
    bot_owner_id: null,
  }));
  const { snapshot } = realm;
  const maker = realm.userName(snapshot.account.user_id);
  return {
    realm: new Realm({ ...snapshot, users: [...snapshot.users, ...users] }),
    changes: changes.map((change) => {
      const id = ids.get(change);
      if (id === undefined) return change;
      const { kind, address, name, fields, risks } = change;
      const comes = { field: "deactivated", before: true, after: false };
      const owned = fields.some(({ field }) => field === "owner")
        ? []
        : [{ field: "owner", before: null, after: maker }];
      return { kind, address, name, risks, action: "update", id, fields: [...fields, ...owned, comes] };
    }),
    bots: new Map(made.map((change) => [change.address, ids.get(change) ?? 0])),
  };
}

const isWebhook = ({ fields }: Change): boolean =>
  fields.some(({ field, after }) => field === "type" && after === "incoming_webhook");

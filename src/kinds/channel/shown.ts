import { isList, type Json } from "../../model/json.ts";
import type { Call, FieldChange } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { listed } from "../../model/texts.ts";

/**
 * Whether a list of subscribers shows the effect of a call, or an intermediate state of the plan. One call subscribes people, another unsubscribes
 * others, and it is possible that only one of them was carried out.
 */
export function showsSubscribing(change: FieldChange, live: Json, by: { call?: Call; realm: Realm }): boolean {
  if (change.field !== "subscribers") return false;
  const there = new Set(listed(live));
  if (by.call === undefined) return isBetween(there, change, by.realm);
  const { operation, params } = by.call;
  const { principals } = params;
  if ((operation !== "subscribe" && operation !== "unsubscribe") || !isList(principals)) return false;
  return principals.every((id) => there.has(by.realm.userName(Number(id))) === (operation === "subscribe"));
}

/** Only people who were subscribed or will be, and all of those who were and stay: subscribers with inactive accounts are not shown. */
function isBetween(there: ReadonlySet<string>, { before, after }: FieldChange, realm: Realm): boolean {
  const had = listed(before);
  const wanted = new Set(listed(after));
  const known = new Set([...had, ...wanted]);
  const missing = had.filter((name) => wanted.has(name) && !there.has(name));
  const inUse = missing.length === 0 ? [] : realm.snapshot.users.filter(({ is_active }) => is_active);
  const shown = new Set(inUse.map(({ user_id }) => realm.userName(user_id)));
  return [...there].every((name) => known.has(name)) && missing.every((name) => !shown.has(name));
}

import { defined } from "../../model/defined.ts";
import { type Json, type JsonObject, mapOf } from "../../model/json.ts";
import type { InexpressibleFact } from "../../model/kind-facts.ts";
import type { DeclaredObject, LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { channelsIn } from "../channels-by-name.ts";
import { exceptedByGroup, listToYaml, namesEverybody } from "../list-to-yaml.ts";
import { foldCase } from "../names.ts";

/**
 * Whether the entry of a private channel does not name somebody who is subscribed and stays: it has no list, says `exact: false`, or is of a channel
 * that stays archived (docs/internals/decisions/0004-lists-of-private-channels-are-exact.md).
 */
export function leavesSubscribersOpen(declared: DeclaredObject, live: LiveObject, realm: Realm): boolean {
  const { subscribers } = live.fields;
  const wish = declared.creation?.subscribers;
  const staysArchived = declared.absent && live.inactive;
  if (subscribers === undefined || declared.absent !== staysArchived || !isClosedNow(declared, realm)) return false;
  if (wish !== undefined && asMap(wish).exact !== false && !staysArchived) return false;
  return !namesEverybody(subscribers, wish, realm);
}

/**
 * The subscribers in the form of the file. A list that is not exact says nothing about people whom it does not name, so nobody is added, unless the list
 * of a private channel differs in nothing else.
 * @param live people by name
 * @param raw the current value of the item; undefined if it inherits its value, which is then overridden as a whole
 */
export function subscribersToYaml(
  live: Json,
  raw: Json | undefined,
  declared: DeclaredObject | undefined,
  realm: Realm,
): { readonly [key: string]: Json } {
  const before = asMap(raw);
  const wish = asMap(declared?.creation?.subscribers);
  const isClosed = isClosedNow(declared, realm);
  const isAll = raw === undefined || wish.exact === true;
  const list = listToYaml(
    live,
    before,
    {
      isExact: isAll || (isClosed && wish.exact !== false),
      isWhole: (isComplete) => isAll || (isClosed && (wish.exact === undefined || isComplete)),
    },
    realm,
  );
  // What is written now is known to be the whole list.
  const exact = before.exact ?? wish.exact ?? (isClosed && raw === undefined ? true : undefined);
  return { ...defined({ ...list, exact }) };
}

/** Why an exact list cannot have everybody who is subscribed. */
export function exceptedSubscribers(
  live: Json,
  declared: DeclaredObject | undefined,
  realm: Realm,
): InexpressibleFact | undefined {
  const wish = declared?.creation?.subscribers;
  const isExact = asMap(wish).exact ?? isClosedNow(declared, realm);
  return isExact === true ? exceptedByGroup(live, wish, realm) : undefined;
}

/** Whether the channel is private on the server, whose state is written. */
function isClosedNow(declared: DeclaredObject | undefined, realm: Realm): boolean {
  if (declared === undefined) return false;
  const { id, was, key } = declared;
  const live =
    id === undefined ? channelsIn(realm).byKey.get(was === undefined ? key : foldCase(was)) : realm.channel(id);
  return live?.invite_only === true;
}

const asMap = (value: Json | undefined): JsonObject => mapOf(value) ?? {};

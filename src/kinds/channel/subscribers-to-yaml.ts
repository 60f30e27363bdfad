import { membershipIn } from "../../access/state.ts";
import { defined } from "../../model/defined.ts";
import { isList, type Json, type JsonObject, mapOf } from "../../model/json.ts";
import type { DeclaredObject, LiveObject } from "../../model/objects.ts";
import { asGroupValue, type Realm } from "../../model/realm.ts";
import { standIns } from "../../model/stand-ins.ts";
import { listed } from "../../model/texts.ts";
import { channelsIn } from "../channels-by-name.ts";
import { foldCase } from "../names.ts";
import { writtenPerson } from "../references.ts";

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
  const named = membershipIn(realm).peopleIn(asGroupValue(asMap(wish).who ?? null) ?? "role:nobody");
  return listed(subscribers).some((name) => !named.has(realm.userId(name)));
}

/**
 * The subscribers in the form of the file: a group whose members are all subscribed stays a group, others are written by name. A list that is
 * not exact says nothing about people whom it does not name, so nobody is added, unless the list of a private channel differs in nothing else.
 * @param live people by name
 * @param raw the current value of the item; undefined if it inherits its value
 */
export function subscribersToYaml(
  live: Json,
  raw: Json | undefined,
  declared: DeclaredObject | undefined,
  realm: Realm,
): { readonly [key: string]: Json } {
  const subscribed = new Set(listed(live));
  const before = asMap(raw);
  const wish = asMap(declared?.creation?.subscribers);
  const isClosed = isClosedNow(declared, realm);
  const groups = listOf(before.groups)
    .map(String)
    .filter((name) => realm.groupByName(name)?.deactivated === false)
    .filter((name) => namesIn(name, realm).every((person) => subscribed.has(person)));
  const covered = new Set(groups.flatMap((name) => namesIn(name, realm)));
  const meant = standIns(before, live, realm);
  const isExact = raw === undefined || wish.exact === true || (isClosed && wish.exact !== false);
  const isNamed = (name: string): boolean =>
    covered.has(name) || listOf(before.users).some((person) => nameOf(person, realm) === name);
  const areHidden = [...subscribed].some((name) => name.startsWith("user:") && !isNamed(name));
  // In a list that is not exact, somebody whom it names may be one of those who hide their addresses.
  const mayBeHidden = (person: Json): boolean =>
    areHidden && !isExact && typeof person === "string" && realm.userByEmail(person.trim()) === undefined;
  const named = listOf(before.users).flatMap((person): readonly Json[] => {
    const now = (typeof person === "string" ? meant.get(person) : undefined) ?? person;
    return subscribed.has(nameOf(now, realm)) || mayBeHidden(now) ? [now] : [];
  });
  const known = new Set([...covered, ...named.map((person) => nameOf(person, realm))]);
  const isComplete = groups.length + named.length === listOf(before.groups).length + listOf(before.users).length;
  // An inherited value is overridden as a whole.
  const isWhole = raw === undefined || wish.exact === true || (isClosed && (wish.exact === undefined || isComplete));
  const users = [...named];
  if (isWhole) for (const name of subscribed) if (!known.has(name)) users.push(writtenPerson(name));
  return {
    ...defined({
      groups: groups.length > 0 ? groups : undefined,
      users: users.length > 0 || groups.length === 0 ? users : undefined,
      // What is written now is known to be the whole list.
      exact: before.exact ?? wish.exact ?? (isClosed && raw === undefined ? true : undefined),
    }),
  };
}

/** Whether the channel is private on the server, whose state is written. */
function isClosedNow(declared: DeclaredObject | undefined, realm: Realm): boolean {
  if (declared === undefined) return false;
  const { id, was, key } = declared;
  const live =
    id === undefined ? channelsIn(realm).byKey.get(was === undefined ? key : foldCase(was)) : realm.channel(id);
  return live?.invite_only === true;
}

/** The people of a group by name, including those of its subgroups. */
function namesIn(group: string, realm: Realm): readonly string[] {
  return [...membershipIn(realm).membersOf(group)].map((id) => realm.userName(id));
}

/** The canonical name of somebody whom the file names. */
function nameOf(person: Json, realm: Realm): string {
  const { id } = asMap(person);
  if (typeof id === "number") return realm.userName(id);
  const user = realm.userByEmail(String(person).trim());
  return user === undefined ? String(person) : realm.userName(user.user_id);
}

const listOf = (value: Json | undefined): readonly Json[] => (value !== undefined && isList(value) ? value : []);

const asMap = (value: Json | undefined): JsonObject => mapOf(value) ?? {};

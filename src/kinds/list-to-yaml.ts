import { peopleOfList } from "../access/lists.ts";
import { membershipIn } from "../access/state.ts";
import { defined } from "../model/defined.ts";
import { quoteAll } from "../model/diagnostics/values.ts";
import { isList, type Json, type JsonObject, mapOf } from "../model/json.ts";
import type { InexpressibleFact } from "../model/kind-facts.ts";
import { asPeopleList } from "../model/people-list.ts";
import type { Realm } from "../model/realm.ts";
import { standIns } from "../model/stand-ins.ts";
import { listed } from "../model/texts.ts";
import { writtenPerson } from "./references.ts";

/** @property groups, users, except as the file has them, if not empty */
type Written = Readonly<Record<"groups" | "users" | "except", Json | undefined>>;

/**
 * The people of a live list in the form in which the file has it. A group whose members are all there stays a group; of others, those who are there are
 * written by name. A list with `except` keeps its groups as long as somebody of them is there, and excepts those who are not: who comes into the group
 * later is still in the list. So does a list that does not say who else is there, as long as most of a group are.
 * @param before the list in the file
 * @param isExact whether the list is all there is; otherwise somebody whom it names may be one of those who hide their addresses
 * @param isWhole whether people are added whom the list does not name; it knows whether the list differs in nothing else
 */
export function listToYaml(
  live: Json,
  before: JsonObject,
  { isExact, isWhole }: { readonly isExact: boolean; readonly isWhole: (isComplete: boolean) => boolean },
  realm: Realm,
): Written {
  const there = new Set(listed(live));
  const excepted = mapOf(before.except);
  const isOpen = !isWhole(false);
  const groups = inUse(before.groups, realm).filter((name) => {
    const members = namesIn(name, realm);
    const present = members.filter((person) => there.has(person)).length;
    if (members.length > 0 && excepted !== undefined) return present > 0;
    return isOpen ? 2 * present >= members.length : present === members.length;
  });
  const covered = new Set(groups.flatMap((name) => namesIn(name, realm)));
  const outGroups = inUse(excepted?.groups, realm);
  const out = listOf(excepted?.users).filter((person) => !there.has(nameOf(person, realm)));
  const isOut = new Set([
    ...outGroups.flatMap((name) => namesIn(name, realm)),
    ...out.map((person) => nameOf(person, realm)),
  ]);
  const missing = [...covered].filter((name) => !there.has(name) && !isOut.has(name)).sort();
  const meant = standIns(before, live, realm);
  const isNamed = (name: string): boolean =>
    covered.has(name) || listOf(before.users).some((person) => nameOf(person, realm) === name);
  const areHidden = [...there].some((name) => name.startsWith("user:") && !isNamed(name));
  const mayBeHidden = (person: Json): boolean =>
    areHidden && !isExact && typeof person === "string" && realm.userByEmail(person.trim()) === undefined;
  const named = listOf(before.users).flatMap((person): readonly Json[] => {
    const now = (typeof person === "string" ? meant.get(person) : undefined) ?? person;
    return there.has(nameOf(now, realm)) || mayBeHidden(now) ? [now] : [];
  });
  const split = isOpen
    ? listOf(before.groups)
        .map(String)
        .filter((name) => !groups.includes(name))
    : [];
  const known = new Set([...covered, ...named.map((person) => nameOf(person, realm))]);
  const isComplete =
    missing.length === 0 &&
    groups.length + named.length === listOf(before.groups).length + listOf(before.users).length &&
    out.length === listOf(excepted?.users).length;
  const wanted = isWhole(isComplete)
    ? [...there]
    : split.flatMap((name) => namesIn(name, realm)).filter((name) => there.has(name));
  const users = [...named, ...[...new Set(wanted)].filter((name) => !known.has(name)).map(writtenPerson)];
  const except = defined({
    groups: nonEmpty(outGroups),
    users: nonEmpty([...out, ...missing.map(writtenPerson)]),
  });
  return {
    groups: nonEmpty(groups),
    users: users.length > 0 || groups.length === 0 ? users : undefined,
    except: Object.keys(except).length === 0 ? undefined : except,
  };
}

const nonEmpty = <T extends Json>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

/** Why no list with these groups in its `except` can have everybody who is there. */
export function exceptedByGroup(live: Json, wish: Json | undefined, realm: Realm): InexpressibleFact | undefined {
  const { except } = asPeopleList(wish) ?? {};
  const names = typeof except === "string" ? [except] : (except?.groups ?? []);
  const there = new Set(listed(live));
  const groups = names.filter((name) => namesIn(name, realm).some((person) => there.has(person)));
  return groups.length === 0 ? undefined : { why: "excepted-group", groups: quoteAll(groups, "user_group") };
}

/** Whether the list of a file has everybody who is there. */
export function namesEverybody(live: Json, list: Json | undefined, realm: Realm): boolean {
  const named = peopleOfList(asPeopleList(list), membershipIn(realm));
  return listed(live).every((name) => named.has(realm.userId(name)));
}

const inUse = (list: Json | undefined, realm: Realm): readonly string[] =>
  listOf(list)
    .map(String)
    .filter((name) => realm.groupByName(name)?.deactivated === false);

/** The people of a group by name, including those of its subgroups. */
function namesIn(group: string, realm: Realm): readonly string[] {
  return [...membershipIn(realm).membersOf(group)].map((id) => realm.userName(id));
}

/** The canonical name of somebody whom the file names. */
function nameOf(person: Json, realm: Realm): string {
  const { id } = mapOf(person) ?? {};
  if (typeof id === "number") return realm.userName(id);
  const user = realm.userByEmail(String(person).trim());
  return user === undefined ? String(person) : realm.userName(user.user_id);
}

const listOf = (value: Json | undefined): readonly Json[] => (value !== undefined && isList(value) ? value : []);

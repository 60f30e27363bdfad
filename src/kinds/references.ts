import * as z from "zod";
import type { Path } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import type { DecodeContext } from "../model/kind.ts";
import { asGroupValue, type GroupValue, groupValue, type Realm } from "../model/realm.ts";
import type { SnapshotUser } from "../model/snapshot.ts";
import { didYouMean, listNames, type Patience } from "../model/suggest.ts";

/** The groups every realm has, from the most to the least powerful, then everybody and nobody (zulip-api.md §10.2). */
export const SYSTEM_GROUPS = [
  "role:owners",
  "role:administrators",
  "role:moderators",
  "role:fullmembers",
  "role:members",
  "role:everyone",
  "role:internet",
  "role:nobody",
] as const;

export const PersonValue = z
  .union([z.string(), z.strictObject({ id: z.int().positive() })])
  .describe("A person: the e-mail address, or `{id: 17}` for somebody who hides it.");
export type PersonValue = z.infer<typeof PersonValue>;

export const GroupValueInput = z
  .union([
    z.string(),
    z.strictObject({
      groups: z.array(z.string()).optional().describe("Names of groups."),
      users: z.array(PersonValue).optional().describe("People by e-mail address."),
    }),
  ])
  .describe("Who: the name of one group (`role:members`, `staff`), or `{groups: […], users: […]}`.");
export type GroupValueInput = z.infer<typeof GroupValueInput>;

/**
 * A group-setting value with every name resolved and in canonical form. Mistakes go to `context.problem`, one for each name;
 * then the answer is undefined. Offline, names are only held against the file.
 */
export function resolveGroupValue(value: GroupValueInput, path: Path, context: DecodeContext): GroupValue | undefined {
  if (typeof value === "string") return resolveGroup(value, path, context);
  const groups = (value.groups ?? []).map((name, index) => resolveGroup(name, [...path, "groups", index], context));
  const users = (value.users ?? []).map((person, index) => resolvePerson(person, [...path, "users", index], context));
  if (groups.includes(undefined) || users.includes(undefined)) return undefined;
  return groupValue(groups.filter(isKnown), users.filter(isKnown));
}

/** The name of a group that exists, or that the file makes. */
export function resolveGroup(name: string, path: Path, context: DecodeContext): string | undefined {
  if (context.declares("user_group", name)) return name;
  const { realm } = context;
  if (realm === undefined) return resolveGroupOffline(name, path, context);

  const group = realm.groupByName(name);
  const renamed = group === undefined ? undefined : context.renamedTo?.("user_group", name, group.id);
  if (renamed !== undefined) {
    context.problem(path, {
      code: "reference/renamed",
      message: `this file renames the group ${quoted(name)} to ${quoted(renamed)}`,
      hint: `write ${quoted(renamed)} here too`,
    });
    return undefined;
  }
  if (group !== undefined && !group.deactivated) return name;
  if (group !== undefined) {
    context.problem(path, {
      code: "reference/deactivated-group",
      message: `the group ${quoted(name)} is deactivated`,
      hint: "declare it under user_groups to bring it back, or name another group",
    });
    return undefined;
  }
  const declared = context.declaredNames?.("user_group") ?? [];
  const meant = meantGroup(name, [...declared, ...activeGroups(realm)], context.patience);
  context.problem(path, {
    code: "reference/unknown-group",
    message: `there is no group ${quoted(name)} here`,
    hint: meant === undefined ? knownGroups(realm, declared) : `did you mean ${quoted(meant)}${size(realm, meant)}?`,
    ...(meant === undefined ? {} : { footnotes: [knownGroups(realm, declared)] }),
  });
  return undefined;
}

/** Without a server only two things are sure: the roles there are, and what the file itself declares. */
function resolveGroupOffline(name: string, path: Path, context: DecodeContext): string | undefined {
  if (SYSTEM_GROUPS.some((known) => known === name)) return name;
  const declared = context.declaredNames?.("user_group") ?? [];
  const meant = meantGroup(name, [...declared, ...SYSTEM_GROUPS], context.patience);
  if (name.startsWith("role:")) {
    context.problem(path, {
      code: "reference/unknown-group",
      message: `there is no role ${quoted(name)}`,
      hint: meant === undefined ? `the roles are ${listNames(SYSTEM_GROUPS)}` : `did you mean ${quoted(meant)}?`,
    });
    return undefined;
  }
  if (meant !== undefined)
    context.problem(path, {
      code: "reference/misspelt-group",
      severity: "warning",
      message: `${quoted(name)} is not declared in this file, and looks like ${quoted(meant)}`,
      hint: "validate with a snapshot of the realm (--snapshot) to be sure that the group exists",
    });
  return name;
}

/**
 * Without a server, a name that the file does not declare may be one that only the server has, or a slip of the pen: told where it
 * looks like a declared one. Names that differ in their numbers or in one short word are nobody's slip.
 */
export function warnOfSlip(kind: "channel" | "channel_folder", name: string, path: Path, context: DecodeContext): void {
  const meant = didYouMean(name, context.declaredNames?.(kind) ?? [], context.patience);
  if (meant === undefined || !isSlip(name, meant)) return;
  context.problem(path, {
    code: kind === "channel" ? "reference/misspelt-channel" : "reference/misspelt-folder",
    severity: "warning",
    message: `${quoted(name)} is not declared in this file, and looks like ${quoted(meant)}`,
    hint: `validate with a snapshot of the realm (--snapshot) to be sure that the ${kind === "channel" ? "channel" : "folder"} exists`,
  });
}

function isSlip(name: string, meant: string): boolean {
  const [words, others] = [name, meant].map((text) => text.toLowerCase().split(/[\s_\-/.]+/));
  if (words === undefined || others === undefined || words.length !== others.length) return true;
  const different = words.flatMap((word, index) =>
    word === others[index] ? [] : [[word, others[index] ?? ""] as const],
  );
  return different.every(
    ([a, b]) => Math.min(a.length, b.length) > 3 && a.replaceAll(/\d/g, "") !== b.replaceAll(/\d/g, ""),
  );
}

/** `everyone` and `@staff` are what people see in Zulip; the API calls them `role:everyone` and `staff`. */
function meantGroup(name: string, candidates: readonly string[], patience: Patience | undefined): string | undefined {
  const bare = name.replace(/^@\*{0,2}|\*{1,2}$/g, "");
  if (bare !== name && candidates.includes(bare)) return bare;
  const role = `role:${bare.toLowerCase().replaceAll(/[\s_-]/g, "")}`;
  if (candidates.includes(role)) return role;
  return didYouMean(name, candidates, patience);
}

/** Asked for once for every unknown name, of which there may be thousands. */
function activeGroups(realm: Realm): readonly string[] {
  const known = activeOf.get(realm);
  if (known !== undefined) return known;
  const names = realm.snapshot.user_groups.filter(({ deactivated }) => !deactivated).map(({ name }) => name);
  activeOf.set(realm, names);
  return names;
}
const activeOf = new WeakMap<Realm, readonly string[]>();

function knownGroups(realm: Realm, declared: readonly string[]): string {
  const before = saidOf.get(realm);
  if (before?.declared === declared) return before.said;
  const said = sayGroups(realm, declared);
  saidOf.set(realm, { declared, said });
  return said;
}
const saidOf = new WeakMap<Realm, { readonly declared: readonly string[]; readonly said: string }>();

function sayGroups(realm: Realm, declared: readonly string[]): string {
  const custom = realm.snapshot.user_groups.filter((group) => !group.is_system_group && !group.deactivated);
  const names = [...new Set([...declared, ...custom.map((group) => group.name)])].sort();
  return `groups of this realm: ${[...names.slice(0, 12), ...(names.length > 12 ? [`${names.length - 12} more`] : [])].join(", ")}${names.length > 0 ? ", and " : ""}role:owners … role:everyone`;
}

function size(realm: Realm, name: string): string {
  const group = realm.groupByName(name);
  if (group === undefined) return "";
  const count = realm.membersOf(group.id).size;
  return ` (${count} ${count === 1 ? "member" : "members"})`;
}

/** The canonical name of a person ({@link Realm.userName}): the address that the reading account sees, lower-cased. */
export function resolvePerson(person: PersonValue, path: Path, context: DecodeContext): string | undefined {
  const { realm } = context;
  if (realm === undefined) return offlinePerson(person, path, context);
  const found = typeof person === "string" ? findByEmail(person, path, context, realm) : realm.user(person.id);
  if (found === undefined) {
    if (typeof person !== "string")
      context.problem(path, {
        code: "reference/unknown-person",
        message: `there is no account with the id ${person.id} here`,
        hint: "the id is the number at the end of the link to a person's profile",
      });
    return undefined;
  }
  if (!found.is_active) {
    context.problem(path, {
      code: "reference/deactivated-person",
      message: `the account of ${found.full_name} (${realm.userName(found.user_id)}) is deactivated`,
      hint: "take the person out of the list: the server refuses deactivated accounts",
    });
    return undefined;
  }
  return realm.userName(found.user_id);
}

/** Reports what it does not find. */
function findByEmail(email: string, path: Path, context: DecodeContext, realm: Realm): SnapshotUser | undefined {
  const people = peopleOf(realm);
  const wanted = email.trim().toLowerCase();
  const real = people.real.get(wanted) ?? [];
  const matches = real.length > 0 ? real : (people.api.get(wanted) ?? []);
  if (matches.length === 1) return matches[0];
  if (matches.length > 1) {
    context.problem(path, {
      code: "reference/ambiguous-person",
      message: `${quoted(email)} is the address of ${matches.length} accounts`,
      hint: `write ${listNames(matches.map((user) => `{id: ${user.user_id}} for ${user.full_name}`)).replace(/ and (?!.* and )/, " or ")}`,
    });
    return undefined;
  }
  const named = people.named.get(wanted) ?? [];
  const [only] = named;
  const meant =
    only !== undefined && named.length === 1
      ? realm.userName(only.user_id)
      : didYouMean(wanted, people.addresses, context.patience);
  context.problem(path, {
    code: "reference/unknown-person",
    message: `nobody here has the address ${quoted(email)}`,
    hint:
      meant === undefined
        ? "people are named by the e-mail address of their account; {id: 17} names somebody who hides the address"
        : `did you mean ${quoted(meant)}?`,
  });
  return undefined;
}

function offlinePerson(person: PersonValue, path: Path, context: DecodeContext): string | undefined {
  if (typeof person !== "string") return `user:${person.id}`;
  const email = person.trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  context.problem(path, {
    code: "reference/not-an-address",
    message: `${quoted(person)} is not an e-mail address`,
    hint: "people are named by the e-mail address of their account; {id: 17} names somebody who hides the address",
  });
  return undefined;
}

/** A person's canonical name as a file would write it. */
export function writtenPerson(name: string): Json {
  const hidden = /^user:(\d+)$/.exec(name);
  return hidden === null ? name : { id: Number(hidden[1]) };
}

/** A canonical value as a file would write it. */
export function writtenGroupValue(value: GroupValue): Json {
  if (typeof value === "string") return value;
  return {
    ...(value.groups.length === 0 ? {} : { groups: value.groups }),
    ...(value.users.length === 0 ? {} : { users: value.users.map(writtenPerson) }),
  };
}

/** The groups of a value that was read which no file may name. */
export function unnamedGroups(value: Json, realm: Realm): string | undefined {
  const read = asGroupValue(value);
  if (read === undefined) return undefined;
  const names = typeof read === "string" ? [read] : read.groups;
  const unnamed = names.filter((name) => realm.groupByName(name)?.deactivated !== false);
  if (unnamed.length === 0) return undefined;
  const [one, are] = unnamed.length === 1 ? ["the group", "is"] : ["the groups", "are"];
  return `${one} ${listNames(unnamed)} ${are} not in use on the server`;
}

interface People {
  readonly real: ReadonlyMap<string, readonly SnapshotUser[]>;
  readonly api: ReadonlyMap<string, readonly SnapshotUser[]>;
  readonly addresses: readonly string[];
  /** By full name, for those who write that instead of the address. */
  readonly named: ReadonlyMap<string, readonly SnapshotUser[]>;
}
const indexes = new WeakMap<Realm, People>();

/** Ten thousand accounts and as many references: looked up, not searched. */
function peopleOf(realm: Realm): People {
  const known = indexes.get(realm);
  if (known !== undefined) return known;
  const real = new Map<string, SnapshotUser[]>();
  const api = new Map<string, SnapshotUser[]>();
  const named = new Map<string, SnapshotUser[]>();
  const add = (index: Map<string, SnapshotUser[]>, address: string, user: SnapshotUser): void => {
    const key = address.toLowerCase();
    const list = index.get(key);
    if (list === undefined) index.set(key, [user]);
    else list.push(user);
  };
  for (const user of realm.snapshot.users) {
    add(api, user.email, user);
    add(named, user.full_name, user);
    if (user.delivery_email !== null) add(real, user.delivery_email, user);
  }
  const addresses = realm.snapshot.users.filter((user) => user.is_active).map((user) => realm.userName(user.user_id));
  const people: People = { real, api, addresses, named };
  indexes.set(realm, people);
  return people;
}

const isKnown = (name: string | undefined): name is string => name !== undefined;
const quoted = (name: string): string => JSON.stringify(name);

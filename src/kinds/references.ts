import * as z from "zod";
import { hiddenAccounts, SYSTEM_GROUPS } from "../access/account.ts";
import { isOfBot } from "../access/renamed.ts";
import { membershipIn } from "../access/state.ts";
import type { DecodeContext } from "../model/decoding.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { finding, type Path } from "../model/diagnostic.ts";
import { type Person, type Quoted, quote, quoteAll } from "../model/diagnostics/values.ts";
import type { Json } from "../model/json.ts";
import type { InexpressibleFact } from "../model/kind-facts.ts";
import { once, oncePer } from "../model/lazy.ts";
import { addressWithin, roleMeant, severalIn } from "../model/names-meant.ts";
import { groupsOfList, type PeopleList } from "../model/people-list.ts";
import { KNOWN_RIGHTS, type RightScope } from "../model/permission-settings.ts";
import { asGroupValue, type GroupValue, groupValue, type Realm } from "../model/realm.ts";
import type { SnapshotUser } from "../model/snapshot.ts";
import { addressMeant, didYouMean, type Patience } from "../model/suggest.ts";
import { botNames, renamedBots } from "./accounts.ts";
import { optional } from "./optional.ts";
import { unseenOf } from "./readings.ts";

export const PersonValue = z
  .union([z.string(), z.strictObject({ id: z.int().positive().describe("The number of the account.") })])
  .describe("A person: the e-mail address, or `{id: 17}` for somebody who hides it.");
export type PersonValue = z.infer<typeof PersonValue>;

export const GroupValueInput = z
  .union([
    z.string(),
    z.strictObject({
      groups: optional(z.array(z.string()), "Names of groups."),
      users: optional(z.array(PersonValue), "People by e-mail address."),
    }),
  ])
  .describe("Who: the name of one group (`role:members`, `staff`), or `{groups: […], users: […]}`.");
export type GroupValueInput = z.infer<typeof GroupValueInput>;

export const GroupNames = z.array(z.string()).optional();

const except = once(() =>
  z
    .strictObject({
      groups: GroupNames.describe("Groups whose members are left out."),
      users: optional(z.array(PersonValue), "People by e-mail address."),
    })
    .describe("Who is left out of the list, although it names them or a group that they are in."),
);

/** The fields of a list of people. @param groups its groups, with a description */
export const listFields = (groups: typeof GroupNames) => ({
  groups,
  users: optional(z.array(PersonValue), "People by e-mail address."),
  except: except().optional(),
});
type Names = Exclude<GroupValueInput, string>;

/**
 * A list of people with every name resolved; errors go to `context.report`, and the list is of the names that resolve. The place of a name in `except` says
 * that nothing may be done by the list (`unresolved.ts` of src/plan).
 */
export function resolveList(
  list: Names & { readonly except?: Names | undefined },
  path: Path,
  context: DecodeContext,
): PeopleList {
  const who = resolveGroupValue(list, path, context).known;
  if (list.except === undefined) return { who };
  checkExcept(list, list.except, path, context);
  // Somebody who is deactivated stays excepted: the list is right again when the account is back.
  const { removedAt: _, ...rest } = context;
  const quiet: DecodeContext = {
    ...rest,
    report: (at, found, on) => {
      if (found.code !== "reference/deactivated-person") context.report(at, found, on);
    },
  };
  const below = [...path, "except"];
  const groups = resolveGroupValue({ groups: list.except.groups }, below, context).known;
  const users = (list.except.users ?? []).map((person, index) => {
    const name = personIn(person, [...below, "users"], quiet, index);
    if (name !== null) return name;
    return typeof person === "string" ? resolveAccount(person, below, quiet) : context.realm?.userName(person.id);
  });
  const excepted = groupValue(groups === NOBODY ? [] : groupsOfList({ who: groups }), users.filter(isKnown));
  return excepted === NOBODY ? { who } : { who, except: excepted };
}

/** An exception that contradicts its list, or that cannot leave anybody out, whoever is in which group. */
function checkExcept(list: Names, excepted: Names, path: Path, context: DecodeContext): void {
  const letters = (person: PersonValue): string =>
    typeof person === "string" ? person.trim().toLowerCase() : `user:${person.id}`;
  const [groups, users] = [new Set(list.groups), new Set(list.users?.map(letters))];
  const report = (part: "groups" | "users", index: number, name: Quoted, found: "in-both" | "of-nobody") =>
    context.report([...path, "except", part, index], finding("reference/except", { found, name }));
  for (const [index, name] of (excepted.groups ?? []).entries())
    if (groups.has(name)) report("groups", index, groupName(name), "in-both");
    else if (groups.size + users.size === 0) report("groups", index, groupName(name), "of-nobody");
  for (const [index, person] of (excepted.users ?? []).entries())
    if (users.has(letters(person))) report("users", index, quote(letters(person)), "in-both");
    else if (groups.size === 0) report("users", index, quote(letters(person)), "of-nobody");
}

/**
 * The names of a group-setting value that resolve, in canonical form, and whether all of them do: if not, the field belongs in `partial` of the declared
 * object. Errors go to `context.report`, one for each name. Deactivated people, whom the server does not show, are left out. Offline, names are only
 * compared with the file.
 */
export function resolveGroupValue(
  value: GroupValueInput,
  path: Path,
  context: DecodeContext,
): { readonly known: GroupValue; readonly isWhole: boolean } {
  if (typeof value === "string") {
    const group = resolveGroup(value, path, context);
    return { known: group ?? NOBODY, isWhole: group !== undefined };
  }
  const groups = (value.groups ?? []).map((name, index) => resolveGroup(name, [...path, "groups", index], context));
  const below = [...path, "users"];
  const users = (value.users ?? []).map((person, index) => personIn(person, below, context, index));
  const isWhole = !groups.includes(undefined) && !users.includes(undefined);
  const [known, people] = [groups.filter(isKnown), users.filter((name) => typeof name === "string")];
  return { known: groupValue(known, people), isWhole };
}

const NOBODY = "role:nobody";

/**
 * The permissions of an item, with the places of those that are written. `null` is nobody.
 * @param settings in the order in which a plan shows them; what a server has beyond them comes after
 */
export function resolvePermissions(
  scope: RightScope,
  permissions: { readonly [setting: string]: GroupValueInput | null | undefined } | undefined,
  context: DecodeContext,
): {
  readonly fields: { readonly [setting: string]: GroupValue };
  /** Of permissions with names that do not resolve: the other names. */
  readonly partial?: { readonly [setting: string]: GroupValue };
  readonly paths: { readonly [setting: string]: Path };
} {
  const fields: { [setting: string]: GroupValue } = {};
  const partial: { [setting: string]: GroupValue } = {};
  const paths: { [setting: string]: Path } = {};
  const settings = KNOWN_RIGHTS[scope];
  const others = Object.keys(permissions ?? {}).filter((setting) => !settings.includes(setting));
  for (const setting of [...settings, ...others]) {
    const value = permissions?.[setting];
    if (value === undefined) continue;
    const path = ["permissions", setting];
    const { known, isWhole } =
      value === null ? { known: NOBODY, isWhole: true } : resolveGroupValue(value, path, context);
    paths[setting] = path;
    (isWhole ? fields : partial)[setting] = known;
  }
  return { fields, paths, ...defined({ partial: Object.keys(partial).length === 0 ? undefined : partial }) };
}

/** The name of a group that exists, or that the file creates. */
export function resolveGroup(name: string, path: Path, context: DecodeContext): string | undefined {
  if (context.declares("user_group", name)) return name;
  const { realm } = context;
  if (realm === undefined) return resolveGroupOffline(name, path, context);

  const group = realm.groupByName(name);
  const renamed = group === undefined ? undefined : context.renamedTo?.("user_group", name, group.id);
  if (renamed !== undefined) {
    context.report(
      path,
      finding("reference/renamed", { noun: "group", name: groupName(name), renamed_to: groupName(renamed) }),
    );
    return undefined;
  }
  if (group !== undefined && !group.deactivated) return name;
  if (group !== undefined) {
    context.report(path, finding("reference/deactivated-group", { name: groupName(name) }, UNRESOLVED.goneGroup));
    return undefined;
  }
  const declared = context.declaredNames?.("user_group") ?? [];
  const meant = meantGroup(name, [...declared, ...activeGroups(realm)], context.patience);
  const { known, more } = knownGroups(realm, declared);
  const several = severalIn(name, (part) => isGroup(part, context));
  const means = isAddress(name)
    ? "a-person"
    : ["role:guests", "role:guest", "guests", "guest"].includes(name) && meant === undefined
      ? "guests"
      : undefined;
  const suggested = defined({
    meant: whenDefined(meant, groupName),
    members: whenDefined(meant, (name) => sizeOf(realm, name)),
    means,
    several: whenDefined(several, quoteAll),
    is_entry: typeof path.at(-1) === "number" ? true : undefined,
  });
  context.report(
    path,
    finding(
      "reference/unknown-group",
      { found: "no-group", name: groupName(name), ...suggested, known, more },
      // A misspelt role is an error of the file alone.
      name.startsWith("role:") ? {} : UNRESOLVED.group,
    ),
  );
  return undefined;
}

const UNRESOLVED = {
  group: { unresolved: { kind: "user_group" } },
  goneGroup: { unresolved: { kind: "user_group", isGone: true } },
  person: { unresolved: { kind: "person" } },
  gonePerson: { unresolved: { kind: "person", isGone: true } },
  unseenPerson: { unresolved: { kind: "person", isUnseen: true }, severity: "warning" },
  returning: { unresolved: { kind: "person", isGone: true, returns: true }, severity: "warning" },
} as const;

/** Without a server only two things are certain: the roles, and the declarations of the file. */
function resolveGroupOffline(name: string, path: Path, context: DecodeContext): string | undefined {
  if (SYSTEM_GROUPS.some((known) => known === name)) return name;
  const declared = context.declaredNames?.("user_group") ?? [];
  const meant = meantGroup(name, [...declared, ...SYSTEM_GROUPS], context.patience);
  const written = groupName(name);
  const several = severalIn(name, (part) => isGroup(part, context));
  const is_entry = typeof path.at(-1) === "number" ? true : undefined;
  if (name === "" || several !== undefined || name.startsWith("role:")) {
    const suggested = defined({
      meant: whenDefined(meant, groupName),
      several: whenDefined(several, quoteAll),
      is_entry,
    });
    context.report(
      path,
      finding("reference/unknown-group", { found: "no-role", name: written, ...suggested, roles: SYSTEM_GROUPS }),
    );
    return undefined;
  }
  if (meant !== undefined)
    context.report(
      path,
      finding("reference/misspelt-group", { name: written, meant: groupName(meant) }, { severity: "warning" }),
    );
  else if (isAddress(name) && name.includes(".", name.indexOf("@")))
    context.report(path, finding("reference/misspelt-group", { name: written }, { severity: "warning" }));
  return name;
}

/**
 * Without a server, a name that the file does not declare may exist only on the server, or be a typing error: reported if it looks like a declared
 * one. Names that differ in a number or in one short word do not count as misspelt.
 */
export function warnOfSlip(kind: "channel" | "channel_folder", name: string, path: Path, context: DecodeContext): void {
  const meant = didYouMean(name, context.declaredNames?.(kind) ?? [], context.patience);
  if (meant === undefined || !isSlip(name, meant)) return;
  const code = kind === "channel" ? "reference/misspelt-channel" : "reference/misspelt-folder";
  context.report(path, finding(code, { name: quote(name, kind), meant: quote(meant, kind) }, { severity: "warning" }));
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
  const bare = name === "*" ? name : name.replace(/^@\*{0,2}|\*{1,2}$/g, "");
  if (bare !== name && candidates.includes(bare)) return bare;
  const role = roleMeant(bare);
  if (role !== undefined && candidates.includes(role)) return role;
  return didYouMean(name, candidates, patience);
}

/** Needed for every unknown name, of which there may be thousands. */
const activeGroups = oncePer(({ snapshot }: Realm): readonly string[] =>
  snapshot.user_groups.filter(({ deactivated }) => !deactivated).map(({ name }) => name),
);

function knownGroups(realm: Realm, declared: readonly string[]): KnownGroups {
  const before = knownOf.get(realm);
  if (before?.declared === declared) return before.known;
  const custom = realm.snapshot.user_groups.filter((group) => !group.is_system_group && !group.deactivated);
  const names = [...new Set([...declared, ...custom.map(({ name }) => name)])].sort();
  const known = { known: names.slice(0, MOST_NAMED).map(groupName), more: Math.max(0, names.length - MOST_NAMED) };
  knownOf.set(realm, { declared, known });
  return known;
}
const knownOf = new WeakMap<Realm, { readonly declared: readonly string[]; readonly known: KnownGroups }>();

/** The maximum number of groups that the message about an unknown group names. */
const MOST_NAMED = 12;

interface KnownGroups {
  readonly known: readonly Quoted[];
  readonly more: number;
}

function sizeOf(realm: Realm, name: string): number | undefined {
  return realm.groupByName(name) && membershipIn(realm).membersOf(name).size;
}

/** The canonical name of an account, active or not, if the file is about the account itself. */
export function resolveAccount(email: string, path: Path, context: DecodeContext): string | undefined {
  const { realm } = context;
  if (realm === undefined) return offlinePerson(email, path, context);
  const found = findByEmail(email, path, context, realm);
  return found && realm.userName(found.user_id);
}

/** The canonical name of a person ({@link Realm.userName}): the address that the reading account sees, lower-cased. */
export function resolvePerson(person: PersonValue, path: Path, context: DecodeContext): string | undefined {
  return personIn(person, path, context) ?? undefined;
}

/** Names in a list of people, sorted and each once; without those whose accounts are deactivated, whom the server does not show. */
export function resolvePeople(people: readonly PersonValue[], path: Path, context: DecodeContext): readonly string[] {
  return people
    .map((person, index) => personIn(person, path, context, index))
    .filter((name) => typeof name === "string");
}

/**
 * null: the account is deactivated.
 * @param index the place in the list at `path`. A list can have a hundred thousand people, so a path is only created for a report.
 */
function personIn(person: PersonValue, path: Path, context: DecodeContext, index?: number): string | null | undefined {
  const name = resolveActive(person, path, context, index);
  const leaves = typeof name === "string" ? context.removedAt?.("person", name) : undefined;
  if (leaves === undefined) return name;
  const notes = [{ at: leaves, note: "made-inactive-here" as const }];
  context.report(placeOf(path, index), {
    ...finding("reference/leaving-person", { person: quote(name ?? "") }),
    notes,
  });
  return undefined;
}

const placeOf = (path: Path, index: number | undefined): Path => (index === undefined ? path : [...path, index]);

/** For facts. The address is left out: a fact that needs it has the canonical one. */
const personOf = ({ user_id, full_name }: SnapshotUser): Person => ({ user_id, full_name });

function resolveActive(
  person: PersonValue,
  path: Path,
  context: DecodeContext,
  index: number | undefined,
): string | null | undefined {
  const { realm } = context;
  if (realm === undefined) return offlinePerson(person, placeOf(path, index), context);
  const bot = renamedBot(person, path, context, realm, index);
  if (bot !== undefined) return bot.next;
  const found = typeof person === "string" ? findByEmail(person, path, context, realm, index) : realm.user(person.id);
  if (found === undefined) {
    if (typeof person !== "string")
      context.report(
        placeOf(path, index),
        finding("reference/unknown-person", { found: "no-id", id: person.id }, UNRESOLVED.person),
      );
    return undefined;
  }
  if (!found.is_active) {
    reportInactive(found, placeOf(path, index), context, realm);
    return null;
  }
  return realm.userName(found.user_id);
}

function reportInactive(account: SnapshotUser, path: Path, context: DecodeContext, realm: Realm): void {
  const name = realm.userName(account.user_id);
  const fact = { person: personOf(account), name: quote(name) };
  if (isBroughtBack(account, name, context, realm))
    context.report(path, finding("reference/deactivated-person", { ...fact, returns: true }, UNRESOLVED.returning));
  else context.report(path, finding("reference/deactivated-person", fact, UNRESOLVED.gonePerson));
}

/** A bot has a name of its own in the file. */
function isBroughtBack(
  { user_id, is_bot }: SnapshotUser,
  name: string,
  { bringsBack, renamedTo }: DecodeContext,
  realm: Realm,
): boolean {
  if (!is_bot) return bringsBack?.("person", name) === true;
  const bot = botNames(realm).get(user_id) ?? name;
  return bringsBack?.("bot", renamedTo?.("bot", bot, user_id) ?? bot) === true;
}

/** The next address of a bot that the file renames; without one, a mistake was reported. Undefined for everybody else. */
function renamedBot(
  person: PersonValue,
  path: Path,
  context: DecodeContext,
  realm: Realm,
  index: number | undefined,
): { readonly next: string | null | undefined } | undefined {
  const { byNext, nextOf, given, open } = renamedBots(context, realm);
  if (nextOf.size === 0) return undefined;
  const address = typeof person === "string" ? person.trim().toLowerCase() : undefined;
  const id = typeof person === "string" ? byNext.get(person.trim().toLowerCase()) : person.id;
  const next = id === undefined ? undefined : nextOf.get(id);
  const bot = id === undefined ? undefined : realm.user(id);
  // Of bots that exchange names, only an address says which one is meant.
  const instead = address === undefined ? (id !== undefined && open.has(id) ? next : undefined) : given.get(address);
  if (instead !== undefined) {
    const name = quote(address ?? realm.userName(id ?? 0));
    context.report(
      placeOf(path, index),
      finding("reference/renamed", { noun: "bot", name, renamed_to: quote(instead) }),
    );
    return { next: undefined };
  }
  if (bot === undefined || next === undefined) return undefined;
  if (bot.is_active) return { next };
  reportInactive(bot, placeOf(path, index), context, realm);
  return { next: null };
}

/** Reports names that it does not find. */
function findByEmail(
  email: string,
  list: Path,
  context: DecodeContext,
  realm: Realm,
  index?: number,
): SnapshotUser | undefined {
  const people = peopleOf(realm);
  const wanted = email.trim().toLowerCase();
  const only = people.real().only(wanted);
  if (only !== undefined) return only;
  const path = placeOf(list, index);
  const real = people.real().get(wanted);
  const matches = real.length > 0 ? real : people.api().get(wanted);
  const pinned = pinnedId(wanted) ?? people.standsFor(wanted);
  if (matches.length === 1) return matches[0];
  if (matches.length === 0 && pinned !== undefined) {
    const found = realm.user(pinned);
    const fact = found === undefined ? ({ found: "no-id", id: pinned } as const) : undefined;
    if (fact !== undefined) context.report(path, finding("reference/unknown-person", fact));
    else if (pinnedId(wanted) === undefined)
      context.report(path, {
        ...finding("reference/unknown-person", { found: "stand-in", address: quote(email), id: pinned }),
        severity: "warning",
      });
    return found;
  }
  if (matches.length > 1) {
    context.report(
      path,
      finding(
        "reference/ambiguous-person",
        { address: quote(email), accounts: matches.map(personOf) },
        UNRESOLVED.person,
      ),
    );
    return undefined;
  }
  reportUnknown(email, path, context, realm);
  return undefined;
}

function reportUnknown(email: string, path: Path, context: DecodeContext, realm: Realm): void {
  const people = peopleOf(realm);
  const wanted = email.trim().toLowerCase();
  const named = people.named().get(wanted);
  const [first] = named;
  const meant =
    first !== undefined && named.length === 1
      ? realm.userName(first.user_id)
      : addressMeant(addressWithin(wanted) ?? wanted, people.addresses(), context.patience);
  const suggested = defined({ meant: whenDefined(meant, quote) });
  const means = meaning(email, context);
  const mayBeThere = unseenOf(realm, "addresses") !== undefined && isAddress(wanted) && Object.keys(means).length === 0;
  context.report(
    path,
    finding(
      "reference/unknown-person",
      { found: "no-address", address: quote(email), ...suggested, ...people.unseen(), ...means, ...ofKey(path) },
      mayBeThere ? UNRESOLVED.unseenPerson : UNRESOLVED.person,
    ),
  );
}

/** What a text that is nobody's address is instead. */
function meaning(text: string, context: DecodeContext): PersonMeant {
  if (isGroup(text, context)) return { means: "a-group" };
  const several = severalIn(text, isAddress);
  if (several !== undefined) return { several: quoteAll(several) };
  return isOfBot(text) ? { means: "a-bot" } : {};
}

const isGroup = (text: string, { realm, declares }: DecodeContext): boolean =>
  text.startsWith("role:") || declares("user_group", text) || realm?.groupByName(text) !== undefined;
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

interface PersonMeant {
  readonly means?: "a-group" | "a-bot";
  readonly several?: readonly Quoted[];
}

/** The account is the item itself, whose key cannot be a map. */
const ofKey = (path: Path) => defined({ is_key: path.length === 0 ? (true as const) : undefined });

function offlinePerson(person: PersonValue, path: Path, context: DecodeContext): string | undefined {
  if (typeof person !== "string") return `user:${person.id}`;
  const email = person.trim().toLowerCase();
  if (pinnedId(email) !== undefined || (isAddress(email) && !/[<>()[\]:,;]/.test(email))) return email;
  const { means, ...names } = meaning(person, context);
  const meant = means === undefined && names.several === undefined ? addressWithin(person.trim()) : undefined;
  const known = defined({ means: means === "a-bot" ? undefined : means, meant: whenDefined(meant, quote) });
  context.report(
    path,
    finding("reference/not-an-address", { text: quote(person), ...known, ...names, ...ofKey(path) }),
  );
  return undefined;
}

const PINNED = /^user:(\d+)$/;
/** The id in the canonical name of somebody who hides the address. */
function pinnedId(name: string): number | undefined {
  const pinned = PINNED.exec(name);
  return pinned === null ? undefined : Number(pinned[1]);
}

/** A person's canonical name as a file would write it. */
export function writtenPerson(name: string): Json {
  const id = pinnedId(name);
  return id === undefined ? name : { id };
}

/** A canonical value as a file would write it. */
export function writtenGroupValue(value: GroupValue): Json {
  if (typeof value === "string") return value;
  return {
    ...defined({
      groups: value.groups.length === 0 ? undefined : value.groups,
      users: value.users.length === 0 ? undefined : value.users.map(writtenPerson),
    }),
  };
}

/** The groups of a read value that a file cannot name. */
export function inexpressibleGroups(value: Json, realm: Realm): InexpressibleFact | undefined {
  const read = asGroupValue(value);
  if (read === undefined) return undefined;
  const names = typeof read === "string" ? [read] : read.groups;
  const notInUse = names.filter((name) => realm.groupByName(name)?.deactivated !== false);
  return notInUse.length === 0 ? undefined : { why: "groups-not-in-use", groups: quoteAll(notInUse, "user_group") };
}

/** Accounts by one of their texts, ignoring case. Nearly every text belongs to one account, so only the others have lists. */
class Lookup {
  private readonly first = new Map<string, SnapshotUser>();
  private readonly shared = new Map<string, SnapshotUser[]>();

  constructor(users: readonly SnapshotUser[], textOf: (user: SnapshotUser) => string | null) {
    for (const user of users) {
      const text = textOf(user)?.toLowerCase();
      if (text === undefined) continue;
      const before = this.first.get(text);
      if (before === undefined) this.first.set(text, user);
      else {
        const others = this.shared.get(text);
        if (others === undefined) this.shared.set(text, [before, user]);
        else others.push(user);
      }
    }
  }

  /** The one account with this text: half a million subscribers in a file ask for it, so there is no list for each. */
  only(text: string): SnapshotUser | undefined {
    return this.shared.size > 0 && this.shared.has(text) ? undefined : this.first.get(text);
  }

  get(text: string): readonly SnapshotUser[] {
    const found = this.first.get(text);
    return found === undefined ? [] : (this.shared.get(text) ?? [found]);
  }
}

/**
 * Ten thousand accounts and as many references need an index: each table is created when it is first used, once for each reading, of which several realms
 * are made.
 */
const peopleIn = oncePer((users: readonly SnapshotUser[], realm: Realm) => {
  const by = (textOf: (user: SnapshotUser) => string | null) => once(() => new Lookup(users, textOf));
  const standInHost = once(() => users.flatMap(({ user_id, email }) => email.split(`user${user_id}@`)[1] ?? [])[0]);
  return {
    real: by((user) => user.delivery_email),
    api: by((user) => user.email),
    /** By full name, for people who write that instead of the address. */
    named: by((user) => user.full_name),
    addresses: once(() => users.filter(({ is_active }) => is_active).map(({ user_id }) => realm.userName(user_id))),
    /** The account that had this address while it hid its own: the server has one host for such addresses, mostly its own. */
    standsFor(address: string): number | undefined {
      const [, id, host = ""] = /^user(\d+)@([^@]+)$/.exec(address) ?? [];
      if (id === undefined) return undefined;
      return [standInHost(), hostOf(realm.snapshot.realm.url)].includes(host) ? Number(id) : undefined;
    },
    unseen: once(() => hiddenAccounts(realm)),
  };
});
const peopleOf = (realm: Realm) => peopleIn(realm.snapshot.users, realm);
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

const isKnown = (name: string | undefined): name is string => name !== undefined;
const groupName = (name: string): Quoted => quote(name, "user_group");

import { hiddenAccounts } from "../access/account.ts";
import { channelNames, groupNames, peopleAlsoCalled } from "../access/answers.ts";
import type { Stranger } from "../access/of-file.ts";
import { People } from "../access/people.ts";
import { type Invitee, type Persona, roleCalled } from "../access/personas.ts";
import { groupAddress, isChannel } from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import { type AccessState, isPrivate, PRIVACIES, type Privacy } from "../access/state.ts";
import type { Report } from "../config/report.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { type Finding, finding, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isList } from "../model/json.ts";
import { addTo, oncePer } from "../model/lazy.ts";
import { roleMeant } from "../model/names-meant.ts";
import type { Address } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { ROLE, ROLE_WORDS } from "../model/roles.ts";
import type { SnapshotUser } from "../model/snapshot.ts";
import { addressMeant, didYouMean } from "../model/suggest.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { type FieldForms, isGlob } from "./fields.ts";
import type { FormerObjects, Naming } from "./naming.ts";
import { isOfChannels, type ReadRule } from "./read.ts";
import { isAddress, isAllExcepted, listOf, type Rule, type Who } from "./schema.ts";
import type { RuleWork } from "./work.ts";

/** Groups by which a rule names people: each alone, or several together for those who are in all of them. */
export type NamedGroups = readonly (readonly string[])[];

/** The state of an organization against which rules are checked. */
export interface Ground {
  readonly realm: Realm;
  readonly state: AccessState;
  /** Persona → its id, for every persona of {@link personasOf}. */
  readonly personas: ReadonlyMap<string, number>;
  readonly personaById: ReadonlyMap<number, Persona>;
  /** Who can join by invitations and links of the file, by their ids. */
  readonly invitees: ReadonlyMap<number, Invitee>;
  /** The possible values of fields of channels and groups. */
  readonly forms: FieldForms;
  /** Names of the channel folders that are known. */
  readonly folders: readonly string[];
  /** Whether there is no reading, so that only the personas and the people whom the file names exist. */
  readonly isFileAlone: boolean;
  /** Invented people in the place of those whom only a server knows; none with a reading. */
  readonly strangers: readonly Stranger[];
  /** The state in which everybody is in each group whose members the file does not have, except in these; absent with a reading. */
  readonly filledExcept?: (groups: ReadonlySet<string>) => AccessState;
  /** Whether the account that reads does not see every private channel (zulip-api.md §3.6). */
  readonly hidesChannels: boolean;
  /** People of whom the file does not say everything; absent if there are none. */
  readonly unsure?: {
    /** Those whom the file names without a role. */
    readonly withoutRole: readonly number[];
    /** These, and guests who may be subscribed to a public channel; with a plan, accounts that come back, and the owners of such bots. */
    readonly people: readonly number[];
    /**
     * The same ground with each other role for them, and with subscribed guests; with a plan, with those who come back wherever they may be, and, for a
     * rule that names these groups, with them in none of the groups and nearly nowhere else.
     */
    othersFor(named: NamedGroups): readonly Ground[];
    readonly isReturning?: true;
  };
  /** For a plan: what the live objects were before it. */
  readonly former?: FormerObjects;
  /** The reading before a plan that renames bots, and so gives them other addresses. */
  readonly realmBefore?: Realm;
  /** Whether the file has the object; without a file, every object counts as declared. */
  isDeclared(address: Address): boolean;
  /** Object → its fields, as in realm.yaml; unknown ones are missing. */
  fieldsOf(target: Target): { readonly [field: string]: unknown } | undefined;
  /** The places in the file: of a field, or of the object. */
  spanOf(target: Target, field: string): Span | undefined;
}

/** A ground that counts the work of checking rules. */
export interface MeasuredGround extends Ground {
  readonly work: RuleWork;
  /** What names and patterns mean. */
  readonly naming: Naming;
  /** For a name that means nothing there: a rule may have the new name of an object already, or still the old one. */
  readonly otherNaming?: Naming | undefined;
  /** Whether `naming` is that from before a plan: what existed then is held to the rule, whatever it is called afterwards. */
  readonly isBound?: true;
  /** People whom the rule names and the file does not: the file alone says nothing about them. */
  readonly unknown: Set<string>;
  /** Patterns that may match private channels that the account does not see. */
  readonly unseen: Set<string>;
  /** Channels that a rule about some privacies may be about or not: the file does not say how open they are. */
  readonly perhapsMeant: Set<string>;
}

/** The groups by which a rule names people, by the names that one naming gives them. */
export function groupsNaming({ who, rights = {} }: Rule, { groupCalled }: Naming): NamedGroups {
  const isOfRole = typeof who === "object" && !isList(who);
  const names = [
    ...(isOfRole ? [] : listOf(who)),
    ...Object.values(rights).flatMap(({ exactly, only, allow, deny }) => [exactly, only, allow, deny].flatMap(listOf)),
  ];
  const groups = (some: readonly string[]): readonly string[] =>
    some.filter((name) => !isAddress(name)).flatMap((name) => groupCalled(bareGroup(name)) ?? []);
  const together = isOfRole ? [groups(who.groups ?? [])] : [];
  return [...groups(names).map((name) => [name]), ...together].filter((set) =>
    set.some((name) => !name.startsWith("role:")),
  );
}

/** Accounts that most rules do not count. */
interface LeftOut {
  readonly bots: People;
  /** Personas, strangers, and those who can join by invitations. */
  readonly made: People;
}

type Counted = Pick<Ground, "state" | "personas" | "invitees" | "strangers">;

export const leftOutIn = ({ state, personas, invitees, strangers }: Counted): LeftOut =>
  leftOutOf(state, personas, invitees)(strangers);

const leftOutOf = oncePer((state: AccessState, personas: Counted["personas"], invitees: Counted["invitees"]) =>
  oncePer((strangers: Counted["strangers"]) => ({
    bots: state.accounts.bots,
    made: state.population.of([...personas.values(), ...invitees.keys(), ...strangers.map(({ id }) => id)]),
  })),
);

/** Equal personas have equal keys. */
export const personaKey = ({ role, groups }: Persona): string => `${role}\n${[...new Set(groups)].sort().join("\n")}`;

/**
 * All personas that these rules need: each role, each group in a question, each combination in a rule.
 * @param groups those of which there is a persona of their own
 * @param renamed groups by their names before a plan → after it
 * @param named those that a combination may have
 */
export function personasOf(
  rules: readonly ReadRule[],
  groups: readonly string[],
  renamed: ReadonlyMap<string, string> = new Map(),
  named: readonly string[] = groups,
): readonly Persona[] {
  const known = new Map<string, Persona>();
  const declared = new Set(named);
  const add = (persona: Persona): void => {
    known.set(personaKey(persona), persona);
  };
  for (const role of ROLE_WORDS) add({ role, groups: [] });
  for (const group of groups) add({ role: "member", groups: [group] });
  for (const { rule } of rules) {
    const { who } = rule;
    if (typeof who !== "object" || Array.isArray(who) || !("role" in who)) continue;
    for (const names of [who.groups ?? [], (who.groups ?? []).map((name) => renamed.get(name) ?? name)])
      add({ role: who.role, groups: names.filter((name) => declared.has(name)) });
  }
  return [...known.values()];
}

/**
 * The objects that patterns match, without the excepted ones. A pattern that matches nothing is an error; a warning if it matched something before
 * the plan, or if a channel that the account does not see may have the name.
 */
export function objectsOf(
  read: ReadRule,
  patterns: readonly string[],
  ground: MeasuredGround,
  at: (index: number) => Span,
  report: Report,
): readonly Target[] {
  const found = new Set<Target>();
  for (const [index, pattern] of patterns.entries()) {
    const matched = matching(pattern, ground, ground.naming);
    if (matched.length === 0) report.addFound(noMatch(pattern, ground, report), at(index));
    if (mayMatchUnseen(pattern, read, ground)) ground.unseen.add(pattern);
    for (const target of matched) found.add(target);
  }
  const { except, privacy } = read.rule;
  const excepted = new Set<Target>();
  for (const [index, pattern] of listOf(except).entries()) {
    const matched = named(pattern, ground, ground.naming);
    if (matched.length === 0)
      report.addFound(noMatch(pattern, ground, report, true), read.spanOf(pathOf(["except"], except, index)));
    // An exception that named nothing must not let go of an object that the plan renames so.
    const other = ground.isBound === true ? undefined : ground.otherNaming;
    const isName = matched.length === 0 && other !== undefined && !/[*?]/.test(pattern);
    for (const target of isName ? named(pattern, ground, other) : matched) excepted.add(target);
  }
  const meant = [...found].filter((target) => !excepted.has(target));
  const isTold = read.rule.who !== undefined && isAllExcepted(patterns, listOf(except));
  if (found.size > 0 && meant.length === 0 && !isTold) tellNothing("all-excepted", read.spanOf(["except"]), report);
  if (privacy === undefined) return meant;
  const isMeant = (one: Privacy): boolean => listOf(privacy).some((word) => fitsPattern(word, one, ground.work));
  const chosen = meant.filter((target) => {
    if (target === "organization" || !isChannel(target)) return false;
    if (target.isPrivacyLeftOut !== true) return isMeant(ground.naming.privacyOf(target));
    const isSure = PRIVACIES.every(isMeant);
    if (!isSure && PRIVACIES.some(isMeant)) ground.perhapsMeant.add(target.name);
    return isSure;
  });
  const isMisspelt = listOf(privacy).some((_, index) =>
    report.isToldAt(read.spanOf(pathOf(["privacy"], privacy, index))),
  );
  // The file says how open an archived channel will be; how open it is now, and so whether the rule is about it, only a server knows.
  const isOpen = ground.unseen.size + ground.perhapsMeant.size > 0 || (ground.isFileAlone && !meant.every(isInUse));
  if (meant.length > 0 && chosen.length === 0 && !isMisspelt && !isOpen)
    tellNothing("no-privacy", read.spanOf(["privacy"]), report);
  return chosen;
}

/** Whether a pattern may match a private channel that the account does not see. No two channels have the same name. */
function mayMatchUnseen(pattern: string, { rule: { privacy, except } }: ReadRule, ground: MeasuredGround): boolean {
  if (!ground.hidesChannels || !isOfChannels(pattern) || isAllExcepted([pattern], listOf(except))) return false;
  const isThere = (naming: Naming | undefined): boolean =>
    naming !== undefined && matching(pattern, ground, naming).length > 0;
  if (!isGlob(pattern) && (isThere(ground.naming) || isThere(ground.otherNaming))) return false;
  const words = privacy === undefined ? ["*"] : listOf(privacy);
  return PRIVACIES.some(
    (one) => isPrivate({ privacy: one }) && words.some((word) => fitsPattern(word, one, ground.work)),
  );
}

/**
 * Warns about patterns whose matches are all excluded, by exceptions or by the privacy. This is not an error, because the organization may change.
 */
export function tellNothing(why: "all-excepted" | "all-archived" | "no-privacy", at: Span, report: Report): void {
  report.add("rules/never-fails", { why }, at, { severity: "warning" });
}

/** The path of one entry of a list, or of a single value. */
export function pathOf(above: readonly string[], value: unknown, index: number): readonly (string | number)[] {
  return Array.isArray(value) ? [...above, index] : above;
}

/** {@link matchesWildcard}, counted. */
export function fitsPattern(pattern: string, text: string, work: RuleWork): boolean {
  work.letters(pattern, text);
  return matchesWildcard(pattern, text);
}

/** What a pattern matches, and what is known well enough for a rule. */
function matching(pattern: string, ground: MeasuredGround, naming: Naming): readonly Target[] {
  const found = named(pattern, ground, naming);
  return ground.isFileAlone ? found.filter((target) => isKnown(target, ground)) : found;
}

function named(pattern: string, ground: MeasuredGround, { channels, groups }: Naming): readonly Target[] {
  if (pattern === "organization") return ["organization"];
  const group = /^(?:user_group:|@)(.+)$/s.exec(pattern)?.[1];
  if (group !== undefined) return fitting(group, groups, ground.work);
  return fitting(pattern.replace(/^(?:#|channel:)/, "").toUpperCase(), channels, ground.work);
}

/** The file alone does not say how open a channel is that it only archives. */
function isKnown(target: Target, ground: Ground): boolean {
  const fields = isInUse(target) ? undefined : ground.fieldsOf(target);
  return fields === undefined || Object.hasOwn(fields, "privacy");
}

/** Whether it is neither archived nor deactivated. */
export function isInUse(target: Target): boolean {
  if (target === "organization") return true;
  return isChannel(target) ? !target.archived : !target.deactivated;
}

/**
 * The objects that a pattern matches. A pattern without wildcards is looked up as a name, since a file may have a rule for each of thousands of
 * channels.
 */
function fitting(pattern: string, named: Naming["channels"], work: RuleWork): readonly Target[] {
  if (!/[*?]/.test(pattern)) {
    work.letters(pattern, pattern);
    return named.get(pattern) ?? [];
  }
  return [...named].flatMap(([name, targets]) => (fitsPattern(pattern, name, work) ? targets : []));
}

function noMatch(pattern: string, ground: MeasuredGround, { patience }: Report, isExcept?: true): Finding {
  const { state, otherNaming } = ground;
  const isGroup = /^(?:user_group:|@)/.test(pattern);
  const bare = pattern.replace(/^(?:user_group:|@|#|channel:)/, "");
  const [now] = otherNaming === undefined ? [] : matching(pattern, ground, otherNaming);
  const meant =
    now !== undefined && now !== "organization"
      ? now.name
      : didYouMean(bare, isGroup ? groupNames(state) : [...channelNames(state), "organization"], patience);
  const fact = {
    pattern: quote(pattern),
    ...defined({ meant: meant === undefined ? undefined : quote(isGroup ? groupAddress(meant) : meant), isExcept }),
  };
  if (now === undefined && ground.hidesChannels && isOfChannels(pattern))
    return finding("rules/no-match", { ...fact, isUnseen: true }, { severity: "warning" });
  return now === undefined
    ? finding("rules/no-match", fact)
    : finding("rules/no-match", { ...fact, wasRenamed: true }, { severity: "warning" });
}

/** The people whom names mean, including personas. A name that nobody has is an error. */
export function idsNamed(
  names: readonly string[],
  ground: MeasuredGround,
  at: (index: number) => Span,
  report: Report,
): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const found of meantBy(names, ground, at, report)) {
    const before = ids.size;
    for (const id of found) ids.add(id);
    ground.work.people(1 + ids.size - before);
  }
  return ids;
}

/** The people whom names mean, as a set. A role or a group takes one step, and not one for each person. */
export function peopleNamed(
  names: readonly string[],
  ground: MeasuredGround,
  at: (index: number) => Span,
  report: Report,
): People {
  let people = ground.state.population.nobody;
  for (const found of meantBy(names, ground, at, report)) {
    const before = people.size;
    people = people.or(peopleOf(found, ground));
    ground.work.people(1 + people.size - before);
  }
  return people;
}

/** The people whom each name means, one name after the other; what is wrong with a name is reported. */
function* meantBy(
  names: readonly string[],
  ground: MeasuredGround,
  at: (index: number) => Span,
  report: Report,
): Generator<Iterable<number>> {
  for (const [index, name] of names.entries()) {
    const found = idsOf(name, ground);
    (found === undefined ? tellUnknown : tellRenamed)(name, ground, at(index), report);
    yield found ?? [];
  }
}

const peopleOf = (ids: Iterable<number>, { state }: Ground): People =>
  ids instanceof People ? ids : setsIn(state)(ids);

/** The set of these people. Cached by list, since a role has the same list in every rule. */
const setsIn = oncePer(({ population }: AccessState) => oncePer((ids: Iterable<number>) => population.of(ids)));

/**
 * Reports an unknown name. Without a reading, only a name similar to a known one is reported, since a file need not name everybody whom rules are
 * about.
 */
function tellUnknown(name: string, ground: MeasuredGround, at: Span, report: Report): void {
  const fact = unknownName(name, ground, report);
  if (!ground.isFileAlone || !isAddress(name)) {
    report.add("rules/unknown-name", fact, at);
    return;
  }
  ground.unknown.add(name);
  if ("meant" in fact) report.add("rules/unknown-name", fact, at, { severity: "warning" });
}

/** Warns about a group or a bot that has another name after the plan. */
function tellRenamed(name: string, ground: MeasuredGround, at: Span, report: Report): void {
  if (isAddress(name)) {
    const { user_id } = ground.naming.userCalled(name) === undefined ? (userMeant(name, ground) ?? {}) : {};
    if (user_id === undefined) return;
    const meant = quote(ground.realm.userName(user_id));
    report.add("rules/unknown-name", { name: quote(name), is: "address", meant, wasRenamed: true }, at, {
      severity: "warning",
    });
    return;
  }
  const now =
    ground.naming.groupCalled(bareGroup(name)) === undefined ? groupMeant(bareGroup(name), ground) : undefined;
  if (now === undefined) return;
  const fact = { name: quote(name), is: "group", meant: quote(now), wasRenamed: true } as const;
  report.add("rules/unknown-name", fact, at, { severity: "warning" });
}

function idsOf(name: string, ground: MeasuredGround): Iterable<number> | undefined {
  const { realm, state } = ground;
  const bare = bareGroup(name);
  if (isAddress(name)) {
    const user = userMeant(name, ground);
    return user === undefined ? undefined : [user.user_id];
  }
  if (bare === "role:nobody" || bare === "nobody") return [];
  const role = name.startsWith("role:") ? undefined : roleCalled(name);
  const group = groupMeant(bare, ground);
  if (group !== undefined) return state.membersOf(group);
  if (role !== undefined && !name.startsWith("role:")) return rolesIn(state, realm).get(ROLE[role]) ?? [];
  return undefined;
}

export const bareGroup = (name: string): string => name.replace(/^(?:user_group:|@)/, "");

/** The name after the plan of the group that a rule names. */
export const groupMeant = (name: string, { naming, otherNaming }: MeasuredGround): string | undefined =>
  naming.groupCalled(name) ?? otherNaming?.groupCalled(name);

/** The account that a rule names by its address: the plan may give the address to another bot, or take it away. */
export const userMeant = (address: string, { naming, otherNaming }: MeasuredGround): SnapshotUser | undefined =>
  naming.userCalled(address) ?? otherNaming?.userCalled(address);

/** Role → its active accounts, as they are after a plan. Cached, since each object of a rule needs it. */
const rolesIn = oncePer((state: AccessState, { snapshot }: Realm): ReadonlyMap<number, readonly number[]> => {
  const found = new Map<number, number[]>();
  for (const { user_id } of snapshot.users) {
    const account = state.account(user_id);
    if (account?.active === true) addTo(found, account.role, user_id);
  }
  return found;
});

function unknownName(name: string, ground: Ground, { patience }: Report) {
  const { realm, state, isFileAlone } = ground;
  const is = name.startsWith("role:") ? "role" : isAddress(name) ? "address" : "group";
  const addresses = (): readonly string[] => realm.snapshot.users.map(({ user_id }) => realm.userName(user_id));
  const groups = groupNames(state);
  const role = is === "role" ? roleMeant(name) : undefined;
  // `administrator` is exactly that role, without the owners. No role group has exactly the guests, so the word `guest` means the role.
  const meant =
    is === "address"
      ? addressMeant(name, addresses(), patience)
      : (groups.find((group) => group === role) ??
        (is === "role" ? roleCalled(name) : undefined) ??
        addressCalled(name, realm) ??
        onlyOne(peopleAlsoCalled(realm, name)) ??
        didYouMean(name, is === "group" ? [...groups, ...ROLE_WORDS] : groups, patience));
  const mayBeHidden = is === "address" && meant === undefined && !isFileAlone;
  const hidden = mayBeHidden ? hiddenAccounts(realm, (id) => leftOutIn(ground).made.has(id)) : undefined;
  return {
    name: quote(name),
    is,
    ...defined({ meant: whenDefined(meant, quote), among: hidden?.hidden === 0 ? undefined : hidden }),
  } as const;
}

const onlyOne = (names: readonly string[]): string | undefined => (names.length === 1 ? names[0] : undefined);

/** The address of the one person who has this full name: people are named by address. */
function addressCalled(name: string, realm: Realm): string | undefined {
  const wanted = name.trim().toLowerCase();
  const found = realm.snapshot.users.filter(({ full_name }) => full_name.toLowerCase() === wanted);
  return found.length === 1 && found[0] !== undefined ? realm.userName(found[0].user_id) : undefined;
}

/** The people of a rule: all real people, and the personas that represent them. */
export function idsOfWho(who: Who, read: ReadRule, ground: MeasuredGround, report: Report): ReadonlySet<number> {
  if (typeof who === "string") return idsNamed([who], ground, () => read.spanOf(["who"]), report);
  if (Array.isArray(who)) return idsNamed(who, ground, (index) => read.spanOf(["who", index]), report);
  const inGroups = (who.groups ?? []).map((name, index) =>
    idsNamed([name], ground, () => read.spanOf(["who", "groups", index]), report),
  );
  const groups = (who.groups ?? []).map((name) => groupMeant(name, ground) ?? name);
  const persona = ground.personas.get(personaKey({ role: who.role, groups }));
  const { made } = leftOutIn(ground);
  ground.work.people(ground.realm.snapshot.users.length * (1 + inGroups.length));
  const ids = [...(rolesIn(ground.state, ground.realm).get(ROLE[who.role]) ?? [])].filter(
    (id) => (!made.has(id) || ground.invitees.has(id)) && inGroups.every((group) => group.has(id)),
  );
  return new Set(persona === undefined ? ids : [persona, ...ids]);
}

import { kindOf, nameIn } from "../model/address.ts";
import { isFileParam } from "../model/file-param.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import { type ResourceKind, secrecyOf } from "../model/kind.ts";
import type { Address } from "../model/plan.ts";
import type { FieldSecrecy } from "../model/secrecy.ts";
import { byText } from "../model/texts.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { channelIdsIn, folded, inWords, NameSearch, plain, spellings } from "./name-search.ts";

/** The side of a plan on which a name has its meaning: a plan can give the name of one object to another one. */
export type PlanSide = "before" | "after";

/** What outputs for many readers hide, and the replacements. Two objects never have the same replacement. */
export interface Redaction {
  /**
   * The name of an object, as data: hidden as a whole or not at all.
   * @param moment without it, a hidden name that two objects have is replaced by words that mean neither
   * @param id of the object, if it is known: its other names are hidden, too
   */
  name(kind: string, name: string, moment?: PlanSide, id?: number): string;
  /** A text that somebody wrote (a description, a link, an answer of the server): left out completely if it mentions something hidden. */
  value(text: string, moment?: PlanSide): string;
  /** A pattern of names; one with wildcards that matches a hidden name is hidden. @param kind its name, or its section's */
  pattern(kind: string, glob: string, moment?: PlanSide): string;
  /** What the values of a field reveal. */
  fieldSecrecy(kind: string, field: string): FieldSecrecy;
  /** Whether the text is in the repository already. */
  isPublic(text: string): boolean;
  /** Whether full names of people are hidden. */
  readonly people: boolean;
  /** How many different names and addresses are hidden. */
  readonly size: number;
}

const same = (text: string): string => text;
export const NO_REDACTION: Redaction = {
  name: (_, name) => name,
  value: same,
  pattern: (_, glob) => glob,
  fieldSecrecy: () => "text",
  isPublic: () => true,
  people: false,
  size: 0,
};

/** The replacement for a text that mentions something hidden. */
export const LEFT_OUT = "(left out: it mentions somebody or something private)";

/** The replacement for a name that two objects have, one after the other, if it is unknown which of them is meant. */
const EITHER = "(hidden name)";

/** The replacement of a name: one text, or one for each side of the plan if two objects have the name. */
export type ShownAs = string | { readonly before?: string; readonly after?: string };

export interface HiddenObject {
  readonly shown: string;
  /** Whether every name of the object is hidden; otherwise only names that a hidden object also has are. */
  readonly isHidden: boolean;
}

interface Hidden {
  /** Kind → hidden names → replacements. */
  readonly names: ReadonlyMap<string, ReadonlyMap<string, ShownAs>>;
  /** Kind → id → object with a hidden name. */
  readonly objects?: ReadonlyMap<string, ReadonlyMap<number, HiddenObject>>;
  /** Kind → names that mention something hidden → replacements; without an entry, all of them look the same. */
  readonly titles?: ReadonlyMap<string, ReadonlyMap<string, ShownAs>>;
  /** Channels by id, since links lead to them. */
  readonly ids?: ReadonlyMap<number, string>;
  /** Addresses of people → their replacements. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Full names of people: only in texts that somebody wrote. */
  readonly people?: Iterable<string>;
  /** Names that may be shown: a hidden name that is a part of one is not found in it. */
  readonly visible?: Iterable<string>;
  /** Texts that are public anyway, in lower case: people in them are not secret. */
  readonly known?: ReadonlySet<string>;
}

/** @returns the redaction that replaces these names and addresses */
export function redactionBy(hidden: Hidden, kinds: readonly ResourceKind[]): Redaction {
  const people = [...(hidden.people ?? [])];
  const hiddenNames = [...hidden.names.values()].flatMap((own) => [...own]);
  const size = hiddenNames.length + hidden.addresses.size;
  if (size + people.length === 0) return NO_REDACTION;
  const ids = hidden.ids ?? new Map<number, string>();
  const { names, mentions, value } = textRedaction(hidden, hiddenNames, people, ids);
  const leadsTo = (fragment: string): boolean =>
    channelIdsIn(fragment).some((id) => ids.has(id)) || operandsOf(fragment).some(mentions);
  const ownNames = new Map(
    [...hidden.names].map(([kind, own]) => [kind, new Map([...own].map(([name, shown]) => [folded(name), shown]))]),
  );
  const nameOf = (kind: string, name: string, moment?: PlanSide, id?: number): string => {
    const known = ownNames.get(kind)?.get(folded(name));
    const object = id === undefined ? undefined : hidden.objects?.get(kind)?.get(id);
    if (object?.isHidden === true || (object !== undefined && known !== undefined)) return object.shown;
    return known === undefined ? name : (shownAt(known, moment) ?? EITHER);
  };
  // Reports speak of kinds, `unmanaged` and guard rails of sections.
  const secrecy = new Map(kinds.flatMap((kind) => [kind.section, kind.name].map((key) => [key, kind] as const)));
  const nameIn = (called: string, name: string, moment?: PlanSide, id?: number): string => {
    const kind = secrecy.get(called);
    const given = kind?.secrecy.name;
    if (given === "public" || kind?.secrecy.isOfServer?.(name) === true) return name;
    const title = hidden.titles?.get(kind?.name ?? called)?.get(name);
    if (title !== undefined) return shownAt(title, moment) ?? EITHER;
    if (given === "link") return leadsTo(name) ? viewOf(name, ids) : name;
    if (kind !== undefined && given === "own") return nameOf(kind.name, name, moment, id);
    return typeof given === "object" ? nameOf(given.of, name, moment) : value(name, moment);
  };
  return {
    name: nameIn,
    fieldSecrecy(called, field) {
      const kind = secrecy.get(called);
      const isPublicName = field === "name" && kind?.shape !== "singleton" && kind?.secrecy.name === "public";
      return (kind && secrecyOf(kind, field)) ?? (isPublicName ? "word" : "text");
    },
    value,
    pattern(called, glob, moment) {
      const kind = secrecy.get(called);
      if (kind?.secrecy.name === "public") return glob;
      if (kind?.secrecy.name !== "own") return /[*?]/.test(glob) ? value(glob, moment) : nameIn(called, glob, moment);
      const own = ownNames.get(kind.name) ?? names;
      const known = own.get(folded(glob));
      if (known !== undefined) return shownAt(known, moment) ?? "(private)";
      const isTelling = !/^[*?]*$/.test(glob) && [...own.keys()].some((name) => matchesWildcard(folded(glob), name));
      return isTelling ? "(private)" : glob;
    },
    isPublic: (text) => hidden.known?.has(text.toLowerCase()) === true,
    people: people.length > 0,
    size,
  };
}

/** @returns what is hidden in texts: hidden names, in lower case; whether a text mentions something hidden; and the text that is shown */
function textRedaction(
  hidden: Hidden,
  hiddenNames: readonly (readonly [name: string, shown: ShownAs])[],
  people: readonly string[],
  ids: ReadonlyMap<number, string>,
) {
  const { texts, publicTexts, names, addresses } = searchesFor(hidden, hiddenNames, people);
  const mentions = (text: string): boolean => {
    const search = hidden.known?.has(text.toLowerCase()) === true ? publicTexts : texts;
    return spellings(text).some((spelling) => search.has(spelling) || channelIdsIn(spelling).some((id) => ids.has(id)));
  };
  const value = (text: string, moment?: PlanSide): string => {
    const named = names.get(folded(text));
    if (named !== undefined) return shownAt(named, moment) ?? LEFT_OUT;
    return addresses.get(folded(text)) ?? (mentions(text) ? LEFT_OUT : text);
  };
  return { names, mentions, value };
}

/** @returns what is found in texts, and in those that are public anyway; names and addresses by themselves, in lower case */
function searchesFor(
  { visible, addresses: own }: Hidden,
  hiddenNames: readonly (readonly [name: string, shown: ShownAs])[],
  people: readonly string[],
) {
  const texts = new NameSearch();
  const publicTexts = new NameSearch();
  for (const name of visible ?? []) {
    for (const form of writtenForms(name)) for (const search of [texts, publicTexts]) search.add(form, "name", false);
  }
  const names = new Map<string, ShownAs>();
  for (const [name, shown] of hiddenNames) {
    names.set(folded(name), shown);
    for (const form of writtenForms(name)) for (const search of [texts, publicTexts]) search.add(form, "name", true);
  }
  const addresses = new Map<string, string>();
  for (const [address, shown] of own) {
    addresses.set(folded(address), shown);
    texts.add(address, "address", true);
  }
  for (const name of people) texts.add(name, "full-name", true);
  return { texts, publicTexts, names, addresses };
}

/**
 * The same for texts about hidden objects: there even a name of two letters counts, wherever it is.
 * @param objects that the texts are about; objects that may be shown do not count
 */
export function redactionAbout(objects: readonly Address[], redaction: Redaction): Redaction {
  const hidden = objects.flatMap((address) => {
    const kind = kindOf(address);
    const name = nameIn(address);
    return name !== "" && redaction.name(kind, name) !== name ? [folded(name)] : [];
  });
  if (hidden.length === 0) return redaction;
  return {
    ...redaction,
    value(text, moment) {
      const shown = redaction.value(text, moment);
      if (shown !== text) return shown;
      return spellings(folded(text)).some((one) => hidden.some((name) => one.includes(name))) ? LEFT_OUT : text;
    },
  };
}

/**
 * The parts of a fragment of a Zulip URL that somebody chose: not the operators, and not the operands of `is` and `has`, which are words of Zulip.
 */
function operandsOf(fragment: string): readonly string[] {
  const [first, ...terms] = fragment.split("/");
  if (first !== "narrow") return [fragment];
  return terms.filter((_, at) => at % 2 === 1 && !/^-?(?:is|has)$/.test(terms[at - 1] ?? ""));
}

/** A fragment without the names in it; the ids are enough. */
function viewOf(fragment: string, ids: ReadonlyMap<number, string>): string {
  const id = channelIdsIn(fragment).find((one) => ids.has(one));
  return id === undefined ? "narrow/(private)" : `narrow/channel/${id}`;
}

/** The replacement on one side; undefined if it is unknown which of two objects is meant. */
function shownAt(shown: ShownAs, moment: PlanSide | undefined): string | undefined {
  if (typeof shown === "string") return shown;
  const { before, after } = shown;
  if (moment === undefined && before !== undefined && after !== undefined && before !== after) return undefined;
  return moment === "before" ? (before ?? after) : (after ?? before);
}

/**
 * Sorts a set in which something was replaced. The order by the real names would reveal how they begin.
 * @param textOf the shown text of an item
 */
export function inShownOrder<T>(items: readonly T[], textOf: (item: T) => string): readonly T[] {
  const key = (item: T): string => textOf(item).replace(/\d+/g, (digits) => digits.padStart(LONGEST_NUMBER, "0"));
  return items
    .map((item) => ({ item, key: key(item) }))
    .sort((one, other) => byText(one.key, other.key))
    .map(({ item }) => item);
}

const LONGEST_NUMBER = 10;

/** A name as people write it: as it is, with every character in one form, or in the form of a slug. */
const writtenForms = (name: string): ReadonlySet<string> =>
  new Set([name, plain(name)].flatMap((form) => [form, inWords(form).trim()]));

/** Keys of values and of parameters that are words of the format and of the API. Any other key is a text that somebody wrote. */
const KEYS: ReadonlySet<string> = new Set([
  ...["groups", "users", "new", "old", "direct_members", "direct_subgroups", "minutesUntil"],
  ...["name", "description", "text", "order", "subtype", "url_pattern"],
  ...["file", "sha256", "size_bytes", "media_type"],
]);
export const isWordOfFormat = (key: string): boolean => KEYS.has(key) || /^\d+$/.test(key);

/**
 * Every string of a value.
 * @param isWord whether a key of a map is a word that stays as it is
 */
export function mapStrings(value: Json, replace: (text: string) => string, isWord = isWordOfFormat): Json {
  const walk = (item: Json): Json => {
    if (typeof item === "string") return replace(item);
    // In a file, only the path is text that somebody chose.
    if (isFileParam(item)) return { ...item, file: replace(item.file) };
    if (isList(item)) return item.map(walk);
    if (isObject(item))
      return Object.fromEntries(
        Object.entries(item).map(([key, inner]) => [isWord(key) ? key : replace(key), walk(inner)]),
      );
    return item;
  };
  return walk(value);
}

/**
 * A fact for other readers. Every name and text of people in a fact has its own form (`src/model/diagnostics/values.ts`), wherever it is in the fact;
 * numbers and all other texts are not secret and stay.
 * @param patterns the side of the plan whose names patterns match: the server, unless somebody chose a part of the file
 */
export function redactFact<F extends object>(
  fact: F,
  redaction: Redaction,
  patterns: PlanSide | undefined = "before",
): F {
  const copy = structuredClone(fact);
  replaceIn(copy, redaction, patterns);
  return copy;
}

interface Values {
  [key: string]: unknown;
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

function replaceIn(value: unknown, redaction: Redaction, patterns: PlanSide | undefined): void {
  if (Array.isArray(value)) replaceInList(value, redaction, patterns);
  else if (isValues(value)) {
    const pair = [value.name, value.other].filter(isValues);
    const before = pair.map(({ quoted }) => quoted);
    const { meant } = value;
    const guess = isValues(meant) ? meant.quoted : undefined;
    replaceValues(value, redaction, patterns);
    for (const item of Object.values(value)) replaceIn(item, redaction, patterns);
    // A name that looks like a hidden one shows it, and so does "did you mean" after the text of a file.
    if (isValues(meant) && typeof meant.of === "string" && meant.quoted !== guess) delete value.meant;
    // If both sides of a change are hidden, they would be the same text twice.
    const { addresses } = value;
    if (isValues(addresses) && JSON.stringify(addresses.before) === JSON.stringify(addresses.after))
      delete value.addresses;
    if (pair.length === 2 && pair.some(({ quoted }, index) => quoted !== before[index]))
      for (const [index, one] of pair.entries()) if (one.quoted === before[index]) one.quoted = LEFT_OUT;
  }
}

/** Names and people in a list are sets: the facts that have an order have more than a name. */
function replaceInList(list: unknown[], redaction: Redaction, patterns: PlanSide | undefined): void {
  const before = list.map(textOf);
  for (const item of list) replaceIn(item, redaction, patterns);
  const after = list.map(textOf);
  if (after.every((text, index) => text === undefined || text === before[index])) return;
  list.splice(0, list.length, ...inShownOrder(list, (item) => textOf(item) ?? ""));
}

/** The shown text of a name or a person; undefined for everything else. */
function textOf(item: unknown): string | undefined {
  if (!isValues(item)) return undefined;
  const { address, name, quoted, user_id, full_name } = item;
  if (typeof quoted === "string") return quoted;
  if (typeof user_id === "number") return `${full_name ?? ""} ${user_id}`;
  return typeof address === "string" && typeof name === "string" ? name : undefined;
}

function replaceValues(value: Values, redaction: Redaction, patterns: PlanSide | undefined): void {
  const { address, name, was, quoted, of, pattern, user_id, full_name, email } = value;
  if (typeof address === "string" && typeof name === "string") {
    const kind = kindOf(address);
    value.address = redactAddress(addressOf(kind, nameIn(address)), redaction);
    value.name = redaction.name(kind, name, "after");
    if (typeof was === "string") value.was = redaction.name(kind, was, "before");
  }
  if (typeof quoted === "string")
    value.quoted = typeof of === "string" ? redaction.name(of, quoted) : redaction.value(quoted);
  if (typeof pattern === "string") value.pattern = redactPattern(pattern, redaction, patterns);
  if (typeof user_id === "number") {
    if (full_name !== undefined && redaction.people) delete value.full_name;
    if (typeof email === "string") value.email = redaction.value(email);
  }
}

const addressOf = (kind: string, name: string): Address => `${kind}:${name}`;

/** `channel:board`, `protect:channel:board`: the protection of a private channel names it. Guard rails match names on the server. */
export function redactPattern(pattern: string, redaction: Redaction, moment: PlanSide | undefined = "before"): string {
  const [, start, name] = /^((?:protect:)?[a-z_]+:)(.*)$/s.exec(pattern) ?? [];
  if (start === undefined || name === undefined) return pattern;
  return start + redaction.pattern(start.replace(/^protect:/, "").slice(0, -1), name, moment);
}

export function redactAddress(address: Address, redaction: Redaction): Address {
  const kind = kindOf(address);
  return `${kind}:${redaction.name(kind, nameIn(address), "after")}`;
}

import { isList, isObject, type Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { own } from "../model/own.ts";
import type { Address } from "../model/plan.ts";
import type { FieldSecrecy } from "../model/secrecy.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { channelIdsIn, folded, inWords, NameSearch, spellings } from "./name-search.ts";

/** What outputs for many readers hide, and the replacements. */
export interface Redaction {
  /** The name of an object, as data: hidden as a whole or not at all. */
  name(kind: string, name: string): string;
  /** A text that somebody wrote (a description, a link, an answer of the server): left out completely if it mentions something hidden. */
  value(text: string): string;
  /** A pattern of names; one with wildcards that matches a hidden name is hidden. @param kind its name, or its section's */
  pattern(kind: string, glob: string): string;
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

/** The hidden names, and their replacements. */
interface Hidden {
  /** Kind → names of hidden objects → replacements. */
  readonly names: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Channels by id, since links lead to them. */
  readonly ids?: ReadonlyMap<number, string>;
  /** Addresses of people → what stands for them. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Full names of people: only in texts that somebody wrote. */
  readonly people?: Iterable<string>;
  /** Names that may be shown: a hidden name that is a part of one is not found in it. */
  readonly visible?: Iterable<string>;
  /** Texts that are public anyway, in lower case: people in them are not secret. */
  readonly known?: ReadonlySet<string>;
}

/** @returns what replaces names and addresses */
export function redactionBy(hidden: Hidden, kinds: readonly ResourceKind[]): Redaction {
  const people = [...(hidden.people ?? [])];
  const hiddenNames = [...hidden.names.values()].flatMap((own) => [...own]);
  const size = hiddenNames.length + hidden.addresses.size;
  if (size + people.length === 0) return NO_REDACTION;
  const texts = new NameSearch();
  const publicTexts = new NameSearch();
  for (const name of hidden.visible ?? []) {
    for (const form of writtenForms(name)) for (const search of [texts, publicTexts]) search.add(form, "name", false);
  }
  const names = new Map<string, string>();
  for (const [name, shown] of hiddenNames) {
    names.set(folded(name), shown);
    for (const form of writtenForms(name)) for (const search of [texts, publicTexts]) search.add(form, "name", true);
  }
  const addresses = new Map<string, string>();
  for (const [address, shown] of hidden.addresses) {
    addresses.set(folded(address), shown);
    texts.add(address, "address", true);
  }
  for (const name of people) texts.add(name, "full-name", true);
  const ids = hidden.ids ?? new Map<number, string>();

  const mentions = (text: string): boolean => {
    const search = hidden.known?.has(text.toLowerCase()) === true ? publicTexts : texts;
    return spellings(text).some((spelling) => search.has(spelling) || channelIdsIn(spelling).some((id) => ids.has(id)));
  };
  const value = (text: string): string =>
    names.get(folded(text)) ?? addresses.get(folded(text)) ?? (mentions(text) ? LEFT_OUT : text);
  const ownNames = new Map(
    [...hidden.names].map(([kind, own]) => [kind, new Map([...own].map(([name, shown]) => [folded(name), shown]))]),
  );
  const nameOf = (kind: string, name: string): string => ownNames.get(kind)?.get(folded(name)) ?? name;
  // Reports speak of kinds, `unmanaged` and guard rails of sections.
  const secrecy = new Map(kinds.flatMap((kind) => [kind.section, kind.name].map((key) => [key, kind] as const)));
  return {
    name(called, name) {
      const kind = secrecy.get(called);
      const given = kind?.secrecy.name;
      if (given === "public") return name;
      if (given === "link") return mentions(name) ? viewOf(name, ids) : name;
      if (kind !== undefined && given === "own") return nameOf(kind.name, name);
      return typeof given === "object" ? nameOf(given.of, name) : value(name);
    },
    fieldSecrecy: (kind, field) => own(secrecy.get(kind)?.secrecy.fields ?? {}, field) ?? "text",
    value,
    pattern(called, glob) {
      const kind = secrecy.get(called);
      if (kind?.secrecy.name !== "own") return value(glob);
      const own = ownNames.get(kind.name) ?? names;
      if (own.has(folded(glob))) return own.get(folded(glob)) ?? glob;
      const isTelling = !/^[*?]*$/.test(glob) && [...own.keys()].some((name) => matchesWildcard(folded(glob), name));
      return isTelling ? "(private)" : glob;
    },
    isPublic: (text) => hidden.known?.has(text.toLowerCase()) === true,
    people: people.length > 0,
    size,
  };
}

/**
 * The same for texts about hidden objects: there even a name of two letters counts, wherever it is.
 * @param objects that the texts are about; objects that may be shown do not count
 */
export function redactionAbout(objects: readonly Address[], redaction: Redaction): Redaction {
  const hidden = objects.flatMap((address) => {
    const kind = address.slice(0, address.indexOf(":"));
    const name = address.slice(kind.length + 1);
    return name !== "" && redaction.name(kind, name) !== name ? [folded(name)] : [];
  });
  if (hidden.length === 0) return redaction;
  return {
    ...redaction,
    value(text) {
      const shown = redaction.value(text);
      if (shown !== text) return shown;
      return spellings(folded(text)).some((one) => hidden.some((name) => one.includes(name))) ? LEFT_OUT : text;
    },
  };
}

/** Without the name; the number says enough. */
function viewOf(fragment: string, ids: ReadonlyMap<number, string>): string {
  const id = channelIdsIn(fragment).find((one) => ids.has(one));
  return id === undefined ? "narrow/(private)" : `narrow/channel/${id}`;
}

/** A name as people write it: as it is, or in the form of a slug. */
const writtenForms = (name: string): ReadonlySet<string> => new Set([name, inWords(name).trim()]);

/** Every string of a value, keys of maps too. */
export function mapStrings(value: Json, replace: (text: string) => string): Json {
  const walk = (item: Json): Json => {
    if (typeof item === "string") return replace(item);
    if (isList(item)) return item.map(walk);
    if (isObject(item))
      return Object.fromEntries(Object.entries(item).map(([key, inner]) => [replace(key), walk(inner)]));
    return item;
  };
  return walk(value);
}

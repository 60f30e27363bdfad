import { canonicalJson, isObject, type Json } from "../model/json.ts";

/** One channel as it would be written without profiles. */
interface ProfiledItem {
  readonly name: string;
  readonly value: { readonly [field: string]: Json };
}

export interface FoundProfile {
  readonly name: string;
  readonly fields: { readonly [field: string]: Json };
  readonly members: ReadonlySet<string>;
}

/** These fields belong to one channel; equal values are a coincidence. */
const OWN = new Set(["description", "folder", "was", "id", "archived", "subscribers"]);
const FEWEST_MEMBERS = 3;
/** How many different bundles are compared with each other; the most frequent ones are used. */
const MOST_BUNDLES = 150;

type Setting = readonly [path: readonly [string] | readonly [string, string], value: Json];
/** A setting with its value as a number: thousands of pairs of bundles are compared by them. In the order of their texts. */
type Rank = number;
interface Bundle {
  /** In the order of the file. */
  readonly settings: ReadonlyMap<Rank, Setting>;
  /** In their own order. */
  readonly ranks: readonly Rank[];
  /** How many of the settings are permissions. */
  readonly permissions: number;
}
/** Bundles that are alike, once. */
type Distinct = ReadonlyMap<string, { readonly bundle: Bundle; readonly count: number }>;

/**
 * Settings that three or more channels share, as profiles: always the one that shortens the file most, as long as one does. A channel has at most one
 * profile.
 */
export function findProfiles(items: readonly ProfiledItem[]): readonly FoundProfile[] {
  const open = bundlesOf(items);
  const found: FoundProfile[] = [];
  for (;;) {
    const best = bestBundle(open);
    if (best === undefined) return found;
    const members = new Set([...open].filter(([, bundle]) => contains(bundle, best.ranks)).map(([name]) => name));
    for (const name of members) open.delete(name);
    const taken = new Set(found.map(({ name }) => name));
    found.push({ name: profileName(best, taken), fields: fieldsOf(best), members });
  }
}

/** The item without the values of its profile, and with the profile's name. */
export function withProfile(value: ProfiledItem["value"], profile: FoundProfile): ProfiledItem["value"] {
  const rest: { [field: string]: Json } = { profile: profile.name };
  for (const [field, own] of Object.entries(value)) {
    const shared = profile.fields[field];
    if (shared === undefined) rest[field] = own;
    else if (field === "permissions" && isObject(own) && isObject(shared)) {
      const left = Object.entries(own).filter(([setting]) => !Object.hasOwn(shared, setting));
      if (left.length > 0) rest[field] = asObject(Object.fromEntries(left));
    }
  }
  return rest;
}

/** The bundle of each item, by its name. */
function bundlesOf(items: readonly ProfiledItem[]): Map<string, Bundle> {
  const written = items.map(({ name, value }) => ({ name, settings: settingsOf(value) }));
  const texts = [...new Set(written.flatMap(({ settings }) => [...settings.keys()]))].sort();
  const ranks = new Map(texts.map((text, rank) => [text, rank]));
  return new Map(
    written.map(({ name, settings }) => [
      name,
      asBundle(new Map([...settings].map(([text, setting]) => [ranks.get(text) ?? 0, setting]))),
    ]),
  );
}

/** By their text. */
function settingsOf(value: ProfiledItem["value"]): ReadonlyMap<string, Setting> {
  const settings: Setting[] = [];
  for (const [field, own] of Object.entries(value)) {
    if (OWN.has(field)) continue;
    if (field === "permissions" && isObject(own))
      for (const [setting, who] of Object.entries(asObject(own))) settings.push([[field, setting], who]);
    else settings.push([[field], own]);
  }
  return new Map(settings.map((setting) => [canonicalJson([[...setting[0]], setting[1]]), setting]));
}

function asBundle(settings: Bundle["settings"]): Bundle {
  const permissions = [...settings.values()].filter(isPermission).length;
  return { settings, ranks: [...settings.keys()].sort((a, b) => a - b), permissions };
}

const isPermission = ([path]: Setting): boolean => path.length === 2;

function bestBundle(open: ReadonlyMap<string, Bundle>): Bundle | undefined {
  const distinct = distinctOf(open.values());
  const frequent = [...distinct.values()].sort((a, b) => b.count - a.count).slice(0, MOST_BUNDLES);
  const candidates = new Map<string, { readonly ranks: readonly Rank[]; readonly of: Bundle }>();
  for (const [index, { bundle: a }] of frequent.entries())
    for (const { bundle: b } of frequent.slice(index)) {
      const ranks = a.ranks.filter((rank) => b.settings.has(rank));
      if (ranks.length > 0) candidates.set(ranks.join(), { ranks, of: a });
    }
  let best: Bundle | undefined;
  let mostLines = 0;
  for (const { ranks, of } of [...candidates.values()].sort((one, other) => inOrder(one.ranks, other.ranks))) {
    const lines = linesSaved(ranks, of, distinct);
    if (lines <= mostLines) continue;
    const shared = new Set(ranks);
    best = asBundle(new Map([...of.settings].filter(([rank]) => shared.has(rank))));
    mostLines = lines;
  }
  return best;
}

function distinctOf(bundles: Iterable<Bundle>): Distinct {
  const distinct = new Map<string, { readonly bundle: Bundle; count: number }>();
  for (const bundle of bundles) {
    if (bundle.ranks.length === 0) continue;
    const key = bundle.ranks.join();
    const known = distinct.get(key);
    if (known === undefined) distinct.set(key, { bundle, count: 1 });
    else known.count += 1;
  }
  return distinct;
}

/** The order of what they stand for as texts, one after the other. */
function inOrder(one: readonly Rank[], other: readonly Rank[]): number {
  const first = one.findIndex((rank, index) => rank !== other[index]);
  if (first === -1) return one.length - other.length;
  return (one[first] ?? -1) - (other[first] ?? -1);
}

/** The lines that the file saves in its channels, less those of the profile. */
function linesSaved(ranks: readonly Rank[], { settings }: Bundle, distinct: Distinct): number {
  const permissions = ranks.filter((rank) => {
    const setting = settings.get(rank);
    return setting !== undefined && isPermission(setting);
  }).length;
  let members = 0;
  let saved = 0;
  for (const { bundle: own, count } of distinct.values()) {
    if (!contains(own, ranks)) continue;
    members += count;
    const heading = permissions > 0 && own.permissions === permissions ? 1 : 0;
    saved += count * (ranks.length + heading - 1);
  }
  return members < FEWEST_MEMBERS ? 0 : saved - ranks.length - 1 - (permissions > 0 ? 1 : 0);
}

const contains = (whole: Bundle, part: readonly Rank[]): boolean => part.every((rank) => whole.settings.has(rank));

function fieldsOf(bundle: Bundle): { readonly [field: string]: Json } {
  const fields: { [field: string]: Json } = {};
  const permissions: { [setting: string]: Json } = {};
  for (const [path, value] of bundle.settings.values()) {
    const [field, setting] = path;
    if (setting === undefined) fields[field] = value;
    else permissions[setting] = value;
  }
  return Object.keys(permissions).length === 0 ? fields : { ...fields, permissions };
}

/** A name that a person would use: the most conspicuous setting first. */
function profileName(bundle: Bundle, taken: ReadonlySet<string>): string {
  const fields = fieldsOf(bundle);
  const permissions = isObject(fields.permissions) ? asObject(fields.permissions) : {};
  const parts: string[] = [];
  if (fields.privacy === "web_public") parts.push("open-to-the-web");
  else if (typeof fields.privacy === "string") parts.push("private");
  const posting = permissions.can_send_message_group;
  if (posting !== undefined) parts.push("announcement");
  const retention = fields.message_retention_days;
  if (parts.length < 2 && typeof retention === "number") parts.push(`kept-${retention}-days`);
  if (parts.length < 2 && retention === "unlimited") parts.push("kept-forever");
  if (parts.length < 2 && typeof fields.topics_policy === "string")
    parts.push(TOPIC_WORDS[fields.topics_policy] ?? "topics");
  const [first] = Object.entries(permissions);
  if (parts.length === 0 && first !== undefined) {
    const [setting, who] = first;
    parts.push(`${typeof who === "string" ? slug(who.replace(/^role:/, "")) : "some"}-${deed(setting)}`);
  }
  const name = parts.join("-") || "shared";
  const who = typeof posting === "string" ? `${name}-by-${slug(posting.replace(/^role:/, ""))}` : name;
  return free(taken.has(name) ? who : name, taken);
}

const TOPIC_WORDS: { readonly [policy: string]: string } = {
  allow_empty_topic: "topics-optional",
  disable_empty_topic: "topics-required",
  empty_topic_only: "without-topics",
};
const deed = (setting: string): string =>
  setting
    .replace(/^can_/, "")
    .replace(/_group$/, "")
    .replaceAll("_", "-");

/** A name in small letters, digits and dashes. */
export function slug(name: string): string {
  return (
    name
      .normalize("NFKD")
      .toLowerCase()
      .replaceAll(/\p{M}/gu, "")
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .replaceAll(/^-|-$/g, "") || "other"
  );
}

/** The name, or with a number at the end if it is taken. */
export function free(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${name}-${number}`;
  return candidate;
}

function asObject(value: { readonly [key: string]: unknown }): { readonly [key: string]: Json } {
  const copy: { readonly [key: string]: Json } = JSON.parse(JSON.stringify(value));
  return copy;
}

import { canonicalJson, isObject, type Json, mapOf } from "../model/json.ts";
import { knownRight } from "../model/permission-settings.ts";
import { isDeviceName } from "../model/repository-file.ts";

export interface FoundProfile {
  readonly name: string;
  readonly fields: { readonly [field: string]: Json };
  readonly members: ReadonlySet<string>;
}

/**
 * Settings that three or more channels share, as profiles: always the one that shortens the file most, as long as one does. A channel has at most one
 * profile.
 */
export function findProfiles(items: readonly ProfiledItem[]): readonly FoundProfile[] {
  const found: FoundProfile[] = [];
  const taken = new Set<string>();
  for (const { settings, members } of sharedSettings(items)) {
    const fields = fieldsOf(settings);
    found.push({ name: profileName(fields, taken), fields, members });
  }
  return found;
}

/** The item without the values of its profile, and with the profile's name. */
export function withProfile(value: ProfiledItem["value"], profile: FoundProfile): ProfiledItem["value"] {
  const rest: { [field: string]: Json } = { profile: profile.name };
  for (const [field, own] of Object.entries(value)) {
    const shared = profile.fields[field];
    if (shared === undefined) rest[field] = own;
    else if (field === "permissions" && isObject(shared)) {
      const left = Object.entries(mapOf(own) ?? {}).filter(([setting]) => !Object.hasOwn(shared, setting));
      if (left.length > 0) rest[field] = Object.fromEntries(left);
    }
  }
  return rest;
}

function fieldsOf(settings: SharedSettings["settings"]): FoundProfile["fields"] {
  const fields: { [field: string]: Json } = {};
  const permissions: { [setting: string]: Json } = {};
  for (const [path, value] of settings) {
    const [field, setting] = path;
    if (setting === undefined) fields[field] = value;
    else permissions[setting] = value;
  }
  return Object.keys(permissions).length === 0 ? fields : { ...fields, permissions };
}

/** A name for a profile, made from its most conspicuous setting. */
function profileName(fields: FoundProfile["fields"], taken: Set<string>): string {
  const permissions = mapOf(fields.permissions) ?? {};
  const parts: string[] = [];
  if (fields.privacy === "web_public") parts.push("open-to-the-web");
  else if (fields.privacy === "public") parts.push("public");
  else if (typeof fields.privacy === "string") parts.push("private");
  const all = permissions.can_send_message_group;
  const posting = all === "role:everyone" ? undefined : all;
  if (posting !== undefined) parts.push("announcement");
  const retention = fields.message_retention_days;
  if (parts.length < 2 && typeof retention === "number") parts.push(`kept-${retention}-days`);
  if (parts.length < 2 && retention === "unlimited") parts.push("kept-forever");
  const topics = typeof fields.topics_policy === "string" ? TOPIC_WORDS[fields.topics_policy] : undefined;
  if (parts.length < 2 && topics !== undefined) parts.push(topics);
  // What every new channel has says nothing.
  const first = Object.entries(permissions).find(([setting, who]) => who !== knownRight("stream", setting)?.standard);
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

/** A name in small letters, digits and dashes, which a file can have on every system. */
export function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .normalize("NFC");
  const short = [...plain].slice(0, LONGEST_SLUG).join("").replaceAll(/^-|-$/g, "") || "other";
  return isDeviceName(short) ? `${short}-other` : short;
}
/** In characters of up to four bytes: names of files have at most 255 bytes. */
const LONGEST_SLUG = 50;

/** The name, or with a number at the end if one is taken that differs at most in capital letters, and adds it to those. */
export function free(name: string, taken: Set<string>): string {
  const folded = (text: string): string => text.toUpperCase().toLowerCase();
  let candidate = name;
  for (let number = 2; taken.has(folded(candidate)); number += 1) candidate = `${name}-${number}`;
  taken.add(folded(candidate));
  return candidate;
}

/*
 * Finds settings that many channels share, so that `export` can write them once, as a profile.
 *
 * Terms. A *bundle* is the settings of one channel that others may share; channels with equal bundles are one *distinct* bundle. A *candidate* is what
 * two bundles have in common. It *saves* the lines that its settings take in all channels that have them, less the lines of the profile.
 *
 * Premise. To find the best set of settings is a search over all sets. But the best ones are nearly always what two channels have in common, and large
 * organizations have few distinct bundles: comparing pairs of them is enough.
 *
 * The idea.
 *     candidates = what each pair of the most frequent distinct bundles has in common
 *     repeat: take the candidate that saves most lines, and remove all channels that have its settings; until none saves a line
 *     each pair is compared once. A candidate saves fewer lines when channels are removed, never more, so it is counted again only if its last count
 *     would still make it the best.
 *
 * What it does not do. It does not combine profiles in one channel, and does not compare more than MOST_BUNDLES distinct bundles. It invents no names:
 * `profiles.ts` does.
 */

const FEWEST_MEMBERS = 3;
/** The maximum number of different bundles that are compared with each other, the most frequent ones. */
const MOST_BUNDLES = 150;
/** These fields belong to one channel; equal values are a coincidence. */
const OWN = new Set(["description", "folder", "was", "id", "archived", "subscribers"]);

type Setting = readonly [path: readonly [string] | readonly [string, string], value: Json];
/** A setting with its value as a number: thousands of pairs of bundles are compared by them. In the order of their texts. */
type Rank = number;
/** The settings of one channel that others may share. */
interface Bundle {
  /** In the order of the file. */
  readonly settings: ReadonlyMap<Rank, Setting>;
  /** The ranks, sorted. */
  readonly ranks: readonly Rank[];
  /** How many of the settings are permissions. */
  readonly permissions: number;
}
/** A bundle, with everything that has exactly these settings. */
interface Distinct {
  readonly bundle: Bundle;
  readonly names: string[];
  /** The common settings with each bundle that it was compared with, itself included. */
  readonly shared: Map<Distinct, Candidate>;
}
/** Settings that two bundles share, and nothing else of them. */
interface Candidate {
  readonly ranks: readonly Rank[];
  readonly of: Bundle;
  /** How many pairs of the bundles that are compared share exactly these. */
  pairs: number;
  /** The lines that the file saved with them when they were last counted. It never saves more later, since bundles are only taken away. */
  mostLines: number;
}

interface SharedSettings {
  /** In the order of the file. */
  readonly settings: readonly Setting[];
  readonly members: ReadonlySet<string>;
}

/** One channel as it would be written without profiles. */
export interface ProfiledItem {
  readonly name: string;
  readonly value: { readonly [field: string]: Json };
}

/**
 * Settings that three or more of these share: first those that shorten the file most. No setting of an item is in two of the results.
 */
function* sharedSettings(items: readonly ProfiledItem[]): Generator<SharedSettings> {
  const search = new Search(distinctOf(items));
  for (let best = search.best(); best !== undefined; best = search.best()) {
    const shared = new Set(best.ranks);
    const settings = [...best.of.settings].flatMap(([rank, setting]) => (shared.has(rank) ? [setting] : []));
    yield { settings, members: search.take(best) };
  }
}

/**
 * The comparison continues where it was when the last result was taken: each pair of bundles is compared once, and the lines of a candidate are counted
 * again only if it could still be the best.
 */
class Search {
  /** The remaining bundles, the most frequent first. */
  private open: readonly Distinct[];
  private readonly compared = new Set<Distinct>();
  private readonly candidates = new Map<string, Candidate>();

  constructor(distinct: readonly Distinct[]) {
    this.open = [...distinct].sort((a, b) => b.names.length - a.names.length);
  }

  best(): Candidate | undefined {
    for (const one of this.open.slice(0, MOST_BUNDLES)) this.compare(one);
    const promising = [...this.candidates.values()].filter(({ pairs, mostLines }) => pairs > 0 && mostLines > 0);
    let best: Candidate | undefined;
    for (const candidate of promising.sort((a, b) => b.mostLines - a.mostLines)) {
      if (best !== undefined && candidate.mostLines < best.mostLines) break;
      candidate.mostLines = linesSaved(candidate, this.open);
      if (candidate.mostLines > 0 && (best === undefined || isBetter(candidate, best))) best = candidate;
    }
    return best;
  }

  /** Removes every bundle with these settings. @returns the names of what had them */
  take({ ranks }: Candidate): ReadonlySet<string> {
    const taken = this.open.filter(({ bundle }) => contains(bundle, ranks));
    for (const one of taken) {
      for (const [other, candidate] of one.shared) {
        candidate.pairs -= 1;
        other.shared.delete(one);
      }
      this.compared.delete(one);
    }
    const closing = new Set(taken);
    this.open = this.open.filter((one) => !closing.has(one));
    return new Set(taken.flatMap(({ names }) => names));
  }

  private compare(one: Distinct): void {
    if (this.compared.has(one)) return;
    this.compared.add(one);
    for (const other of this.compared) {
      const ranks = one.bundle.ranks.filter((rank) => other.bundle.settings.has(rank));
      if (ranks.length === 0) continue;
      const candidate = this.candidate(ranks, one.bundle);
      candidate.pairs += 1;
      one.shared.set(other, candidate);
      other.shared.set(one, candidate);
    }
  }

  private candidate(ranks: readonly Rank[], of: Bundle): Candidate {
    const key = ranks.join();
    const made = this.candidates.get(key) ?? { ranks, of, pairs: 0, mostLines: Number.MAX_SAFE_INTEGER };
    this.candidates.set(key, made);
    return made;
  }
}

function distinctOf(items: readonly ProfiledItem[]): readonly Distinct[] {
  const written = items.map(({ name, value }) => ({ name, settings: settingsOf(value) }));
  const texts = [...new Set(written.flatMap(({ settings }) => [...settings.keys()]))].sort();
  const ranks = new Map(texts.map((text, rank) => [text, rank]));
  const distinct = new Map<string, Distinct>();
  for (const { name, settings } of written) {
    if (settings.size === 0) continue;
    const bundle = asBundle(new Map([...settings].map(([text, setting]) => [ranks.get(text) ?? 0, setting])));
    const key = bundle.ranks.join();
    const known = distinct.get(key);
    if (known === undefined) distinct.set(key, { bundle, names: [name], shared: new Map() });
    else known.names.push(name);
  }
  return [...distinct.values()];
}

/** The settings of an item, by their text. */
function settingsOf(value: ProfiledItem["value"]): ReadonlyMap<string, Setting> {
  const settings: Setting[] = [];
  for (const [field, own] of Object.entries(value)) {
    if (OWN.has(field)) continue;
    const permissions = field === "permissions" ? mapOf(own) : undefined;
    if (permissions !== undefined)
      for (const [setting, who] of Object.entries(permissions)) settings.push([["permissions", setting], who]);
    else settings.push([[field], own]);
  }
  return new Map(settings.map((setting) => [canonicalJson([[...setting[0]], setting[1]]), setting]));
}

function asBundle(settings: Bundle["settings"]): Bundle {
  const permissions = [...settings.values()].filter(isPermission).length;
  return { settings, ranks: [...settings.keys()].sort((a, b) => a - b), permissions };
}

const isPermission = ([path]: Setting): boolean => path.length === 2;

/** Whether a candidate is better: it saves more lines, or as many and comes first in the order of the texts. */
function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.mostLines !== other.mostLines) return one.mostLines > other.mostLines;
  return compareRanks(one.ranks, other.ranks) < 0;
}

/** Compares ranks in the order of their texts. */
function compareRanks(one: readonly Rank[], other: readonly Rank[]): number {
  const first = one.findIndex((rank, index) => rank !== other[index]);
  if (first === -1) return one.length - other.length;
  return (one[first] ?? -1) - (other[first] ?? -1);
}

/** The lines that the file saves in its channels, less those of the profile. */
function linesSaved({ ranks, of: { settings } }: Candidate, open: readonly Distinct[]): number {
  const permissions = ranks.filter((rank) => {
    const setting = settings.get(rank);
    return setting !== undefined && isPermission(setting);
  }).length;
  let members = 0;
  let saved = 0;
  for (const { bundle: own, names } of open) {
    if (!contains(own, ranks)) continue;
    members += names.length;
    const heading = permissions > 0 && own.permissions === permissions ? 1 : 0;
    saved += names.length * (ranks.length + heading - 1);
  }
  return members < FEWEST_MEMBERS ? 0 : saved - ranks.length - 1 - (permissions > 0 ? 1 : 0);
}

const contains = (whole: Bundle, part: readonly Rank[]): boolean => part.every((rank) => whole.settings.has(rank));

import { defined, whenDefined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Trait } from "../model/facets.ts";
import { namedOf } from "../model/facts.ts";
import { canonicalJson, isList, isObject, type Json, sameJson } from "../model/json.ts";
import { keyOf, liveObjects, type ResourceKind } from "../model/kind.ts";
import { addTo } from "../model/lazy.ts";
import { lookOf } from "../model/look-alike.ts";
import { namedIn, withNames } from "../model/named-in.ts";
import type { DeclaredObject, Fields, LiveObject, NamingObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { asideIn } from "./left-aside.ts";
import { matchObjects } from "./match.ts";

/*
 * Finds objects that were probably renamed: an object of the file that is not on the server, or only under the name in its `was`, and one of the server that
 * the file does not mention.
 *
 * Terms. A *stranger* is an active live object that no entry of the file means. A *trait* is a value that says something about an object: a field that
 * the kind lists (`diff.traits`), a permission, the words of its name, the objects that name it. A trait *tells* if it alone can identify an object
 * (words of a description, members). Values that every new object has say nothing, and a list of the running account alone does not tell: it is in
 * whatever it creates.
 *
 * The idea.
 *     candidates = strangers with a part of a trait in common (a word, a member, a value), those with most of them first
 *     likeness   = the mean of how alike the traits are that the file sets, telling ones counting three times, the objects that name it six times,
 *                  less if a telling one is unlike and few name it; other ones that differ little if a telling one is alike, since people change settings
 *     a pair is said if its likeness is at least LIKELY, if any trait is alike (a telling one if the entry has names that do not resolve, or if `manage`
 *     leaves the stranger aside), and if it is clearly the best one of both objects; if several are equally good and the plan would remove them, all are said
 *     an entry that has an object by its `was` must match the stranger clearly better than that object: the old name may be somebody else's by now
 *     in the end, if one entry and one stranger of a kind are left, they are said if the entry has little but its name; of several, if all entries have,
 *     and the plan would remove the strangers
 *
 * Plan, drift and adopt all ask this module, so that what one of them takes for a rename is one for all.
 *
 * Bounds. Parts that more than MOST_SHARING strangers have are not looked up, each object has at most MOST_PARTS, and each new object is compared with
 * at most MOST_COMPARED strangers: the work grows with the number of objects, not with its square.
 */

const LIKELY = 0.6;
/** How much better the best pair must be than any other of its objects. */
const CLEARLY = 0.1;
const MOST_SHARING = 50;
const MOST_COMPARED = 10;
const MOST_PARTS = 1000;
const WEIGHT = { named: 6, telling: 3, other: 1 } as const;
/** Lists are alike only from here: in an organization of ten people, half of the groups share two thirds of their members. */
const LISTS_LIKELY = 0.8;
/** A telling trait that is less alike speaks against the pair. */
const UNLIKE = 0.3;
/** Traits that can identify an object. */
const TELLING: ReadonlySet<Trait> = new Set<Trait>(["words", "items", "value"]);
/** The evidence of one telling trait, or of two others. */
const CERTAIN = 2;
/** The weight of each common namer of such a pair: one setting that names another channel now is no rename. */
const NAMER_WEIGHT = 2;
/** A setting that differs, beside something telling that is alike: people change settings. */
const CHANGED_WEIGHT = 0.25;

export function renamesIn(
  changes: readonly Change[],
  desired: Desired,
  kinds: readonly ResourceKind[],
  realm: Realm,
): ReadonlyMap<Change, LiveObject> {
  return searched(changes, desired, kinds, realm).found;
}

interface Renamed {
  readonly found: ReadonlyMap<Change, LiveObject>;
  /** Of objects that the plan would remove: several fit a new object equally well, or it fits several. */
  readonly unclear: ReadonlyMap<Change, readonly LiveObject[]>;
  /** Those that nothing but their being the last of their kind speaks for, and of which the plan removes none: told, and not asked about. */
  readonly bare: ReadonlySet<Change>;
}

/** A renamed object can be known only by another one that was renamed, too: a folder by its channels. */
const MOST_ROUNDS = 3;

function searched(...[changes, desired, kinds, realm]: Parameters<typeof renamesIn>): Renamed {
  const found = new Map<Change, LiveObject>();
  const unclear = new Map<Change, readonly LiveObject[]>();
  const bare = new Set<Change>();
  if (!changes.some(mayBeRenamed)) return { found, unclear, bare };
  const names = new Names(desired, kinds, realm);
  for (let round = 0, known = -1; round < MOST_ROUNDS && found.size > known; round += 1) {
    known = found.size;
    unclear.clear();
    for (const kind of kinds) {
      const left = changes.filter((change) => change.kind === kind.name && !found.has(change));
      const own = renamesOf(kind, left, names);
      for (const [change, live] of own.found) found.set(change, live);
      for (const [change, lives] of own.unclear) unclear.set(change, lives);
    }
  }
  for (const kind of kinds) {
    const left = changes.filter((change) => change.kind === kind.name && !found.has(change));
    if (left.some((change) => unclear.has(change))) continue;
    const last = lastOf(kind, left, names);
    const [change] = last.keys();
    const [live, ...others] = change === undefined ? [] : (last.get(change) ?? []);
    if (change === undefined || live === undefined) continue;
    if (last.size === 1 && others.length === 0) {
      names.pair(kind, change.name, live);
      found.set(change, live);
      if (!names.removes(kind)) bare.add(change);
    } else if (names.removes(kind)) for (const [each, lives] of last) unclear.set(each, lives);
  }
  return { found, unclear, bare };
}

/** An object of the file that is new, or that `was` finds on the server (an id or the letters of a name can make a rename, too). */
const mayBeRenamed = ({ action, was }: Change): boolean => action === "create" || was !== undefined;

/**
 * The entries that are left of a kind, each with the strangers that it can be, if none of them says anything by which it could be told apart. Of one entry
 * and one stranger, these two are meant; of more, nobody can tell which.
 */
function lastOf(kind: ResourceKind, changes: readonly Change[], names: Names): ReadonlyMap<Change, LiveObject[]> {
  const found = new Map<Change, LiveObject[]>();
  const traits = traitsOf(kind);
  // What `manage` leaves aside is nobody's lost object for nothing but its being the last one.
  const strangers = names.strangers(kind).filter((live) => !names.isAside(kind, live));
  if (kind.shape === "singleton" || strangers.length === 0 || Object.keys(traits).length === 0) return found;
  for (const change of changes) {
    if (change.action !== "create") continue;
    const declared = names.ofFile(kind, change, traits);
    const isBare =
      declared?.isOpen === false &&
      [...declared.traits.values()].every(({ how, parts }) => parts.size === 0 || !TELLING.has(how));
    // One that can be told apart is no other's name, but may be the reason why a stranger is there.
    if (!isBare) return new Map();
    for (const live of strangers.slice(0, MOST_COMPARED))
      if (
        kind.diff?.areTwo?.(change.name, live.name) !== true &&
        comparison(declared, names.ofLive(kind, live, traits)) !== undefined
      )
        addTo(found, change, live);
  }
  return found;
}

/** At most this number of warnings; more would only repeat a pattern. */
const MOST_SAID = 10;

/** New objects that seem to be on the server under another name. Without `was`, the old one stays, or is removed. */
export function renameWarnings(...input: Parameters<typeof renamesIn>): readonly Diagnostic[] {
  const [, , kinds, realm] = input;
  const { found: clear, unclear, bare } = searched(...input);
  const found = [
    ...[...clear].map(([change, live]) => [change, live, []] as const),
    ...[...unclear].flatMap(([change, [live, ...others]]) =>
      live === undefined ? [] : [[change, live, others] as const],
    ),
  ];
  return found.slice(0, MOST_SAID).map(([change, live, others], index): Diagnostic => {
    const kind = kinds.find(({ name }) => name === change.kind);
    const more = index === MOST_SAID - 1 ? found.length - MOST_SAID : 0;
    const { name, id } = live;
    const rest = others.map((other) => quote(other.name, change.kind));
    const about = { name: quote(name, change.kind), id: realm.level < (kind?.diff?.keepsNameBelow ?? 0) ? null : id };
    return warning(
      "plan/looks-renamed",
      {
        ...{ noun: kind?.noun[0] ?? change.kind, object: namedOf(change), live: about, more },
        ...defined({
          was: whenDefined(change.was, (old) => quote(old, change.kind)),
          others: rest.length === 0 ? undefined : rest,
          is_bare: bare.has(change) ? (true as const) : undefined,
          is_slip: lookOf(change.name.replace(/^#+/, "")) === lookOf(name) ? (true as const) : undefined,
        }),
      },
      change.at,
    );
  });
}

function renamesOf(kind: ResourceKind, changes: readonly Change[], names: Names): Omit<Renamed, "bare"> {
  const found = new Map<Change, LiveObject>();
  const unclear = new Map<Change, LiveObject[]>();
  const created = changes.filter(mayBeRenamed);
  const strangers = names.strangers(kind);
  if (created.length === 0 || strangers.length === 0 || kind.shape === "singleton") return { found, unclear };
  const traits = traitsOf(kind);
  if (Object.keys(traits).length === 0) return { found, unclear };
  const lookup = new Lookup(strangers.map((live) => names.ofLive(kind, live, traits)));
  const pairs = created.flatMap((change) => {
    const declared = names.ofFile(kind, change, traits);
    const before = names.before(kind, change);
    if (declared === undefined || (before === undefined) !== (change.action === "create")) return [];
    const known = before === undefined ? undefined : comparison(declared, names.ofLive(kind, before, traits));
    const least = known === undefined ? LIKELY : Math.max(LIKELY, known.likeness + CLEARLY);
    return lookup.near(declared).flatMap(({ live, ...traits }) => {
      const { likeness = 0, evidence = 0, tells = false } = comparison(declared, traits) ?? {};
      const isTold = declared.isOpen || before !== undefined || (live !== undefined && names.isAside(kind, live));
      const isEnough = likeness >= least && (isTold ? tells : evidence > 0);
      if (!isEnough || live === undefined || kind.diff?.areTwo?.(change.name, live.name)) return [];
      return [{ change, live, likeness, isCertain: evidence >= CERTAIN }];
    });
  });
  const best = bestOf(pairs);
  for (const { change, live, likeness } of pairs) {
    if (!best.get(change)?.isClear(likeness) || !best.get(live)?.isClear(likeness)) continue;
    names.pair(kind, change.name, live);
    found.set(change, live);
  }
  const taken = new Set(found.values());
  if (names.removes(kind))
    for (const { change, live, likeness, isCertain } of pairs)
      if (
        isCertain &&
        !names.isAside(kind, live) &&
        !found.has(change) &&
        !taken.has(live) &&
        best.get(change)?.isNear(likeness) === true
      )
        addTo(unclear, change, live);
  return { found, unclear };
}

/** How the fields of a kind are compared: those that it lists, and its permissions. */
function traitsOf(kind: ResourceKind): { readonly [field: string]: Trait } {
  const own = kind.diff?.traits ?? {};
  const permissions = Object.entries(kind.file.fields).flatMap(([field, { isPermission }]) =>
    isPermission === true && own[field] === undefined ? [[field, "other"] as const] : [],
  );
  return Object.keys(own).length === 0 ? {} : { ...own, ...Object.fromEntries(permissions) };
}

/** One trait of an object: the value as it is compared, and its parts (words, items). */
interface Value {
  readonly how: Trait;
  readonly value: Json;
  readonly parts: ReadonlySet<string>;
  /** The list has nobody but the account that runs realmctl. */
  readonly isOwn: boolean;
}

interface Compared {
  readonly live?: LiveObject;
  readonly traits: ReadonlyMap<string, Value>;
  readonly name: ReadonlySet<string>;
  /** The objects that name it. */
  readonly namers: ReadonlySet<string>;
  /** The values of a new object. */
  readonly usual: Fields;
  /** The entry has names that do not resolve, or the account may just not see its object: nobody can tell that it was renamed. */
  readonly isOpen: boolean;
}

interface Comparison {
  /** From 0 to 1. */
  readonly likeness: number;
  readonly evidence: number;
  /** Whether a trait is alike that can identify an object. */
  readonly tells: boolean;
}

/** How alike two objects are; undefined if they cannot be one. */
function comparison(declared: Compared, live: Compared): Comparison | undefined {
  let sum = 0;
  let whole = 0;
  let evidence = 0;
  let differing = 0;
  let tells = false;
  let isUnlike = false;
  const add = (likeness: number, trait: keyof typeof WEIGHT, least = LIKELY, weight: number = WEIGHT[trait]): void => {
    if (trait === "other" && likeness === 0) {
      differing += 1;
      return;
    }
    sum += likeness * weight;
    whole += weight;
    if (likeness < least) return;
    evidence += trait === "other" ? 1 : 2;
    tells ||= trait !== "other";
  };
  for (const [field, { how, value, parts, isOwn }] of declared.traits) {
    const other = live.traits.get(field);
    if (other === undefined) continue;
    const isSame = sameJson(value, other.value);
    if (how === "fixed" && !isSame) return undefined;
    // What is empty, or what every new object has, says nothing.
    if (isSame && (parts.size === 0 || sameJson(value, live.usual[field] ?? null))) continue;
    const isByParts = how === "words" || how === "items";
    // Something that one of both does not have does not tell: a description may have been added.
    const isTelling = !isOwn && (isByParts || how === "value") && parts.size > 0 && other.parts.size > 0;
    const likeness = isByParts ? overlap(parts, other.parts) : Number(isSame);
    isUnlike ||= isTelling && likeness < UNLIKE;
    add(likeness, isTelling ? "telling" : "other", how === "items" ? LISTS_LIKELY : LIKELY);
  }
  if (declared.namers.size > 0) {
    const common = [...declared.namers].filter((namer) => live.namers.has(namer));
    const weight = isUnlike ? Math.min(WEIGHT.named, NAMER_WEIGHT * common.length) : WEIGHT.named;
    // Of one setting alone, nobody can tell whether the object was renamed, or the file chooses another one.
    const isChoice = common.length === 1 && common.every((namer) => namer.startsWith(SETTING));
    const before = evidence;
    add(common.length / declared.namers.size, isChoice ? "other" : "named", LIKELY, weight);
    if (isChoice) evidence = before;
  }
  const name = overlap(declared.name, live.name);
  if (name >= LIKELY) add(name, "other");
  whole += differing * (tells ? CHANGED_WEIGHT : WEIGHT.other);
  return { likeness: whole === 0 ? 0 : sum / whole, evidence, tells };
}

/** Twice the common parts, of the parts of both. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const part of few) if (many.has(part)) common += 1;
  return (2 * common) / (a.size + b.size);
}

/** The best likeness of an object, and the next one. */
class Best {
  private readonly found: number[] = [];

  add(likeness: number): void {
    this.found.push(likeness);
    this.found.sort((a, b) => b - a).splice(2);
  }

  isNear(likeness: number): boolean {
    return (this.found[0] ?? 0) - likeness < CLEARLY;
  }
  isClear(likeness: number): boolean {
    const [best, next = 0] = this.found;
    return likeness === best && best - next >= CLEARLY;
  }
}

function bestOf(
  pairs: readonly { readonly change: Change; readonly live: LiveObject; readonly likeness: number }[],
): ReadonlyMap<Change | LiveObject, Best> {
  const best = new Map<Change | LiveObject, Best>();
  for (const { change, live, likeness } of pairs)
    for (const object of [change, live]) {
      const known = best.get(object) ?? new Best();
      known.add(likeness);
      best.set(object, known);
    }
  return best;
}

/** Strangers by the parts of their traits. */
class Lookup {
  private readonly byPart = new Map<string, Compared[]>();

  constructor(strangers: readonly Compared[]) {
    for (const stranger of strangers) for (const part of partsOf(stranger)) addTo(this.byPart, part, stranger);
  }

  /** The strangers that have most in common with an object. */
  near(object: Compared): readonly Compared[] {
    const common = new Map<Compared, number>();
    for (const part of partsOf(object)) {
      const sharing = this.byPart.get(part) ?? [];
      if (sharing.length > MOST_SHARING) continue;
      for (const stranger of sharing) common.set(stranger, (common.get(stranger) ?? 0) + 1);
    }
    return [...common]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MOST_COMPARED)
      .map(([stranger]) => stranger);
  }
}

function* partsOf({ traits, name, namers }: Compared): Iterable<string> {
  for (const [field, { how, value, parts }] of traits)
    if (how === "words" || how === "items") for (const part of parts) yield `${field} ${part}`;
    else yield `${field} ${canonicalJson(value)}`;
  for (const word of name) yield `name ${word}`;
  for (const namer of namers) yield `namer ${namer}`;
}

/** Words; each character of a script that is written without spaces is one. */
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(WORD) ?? []).slice(0, MOST_PARTS));

function traitOf(how: Trait, value: Json, own: string): Value {
  if (how === "words") return { how, value, parts: wordsOf(String(value ?? "")), isOwn: false };
  const isEmpty = value === null || value === "" || (isList(value) && value.length === 0);
  const items = isList(value) ? value : isObject(value) ? Object.values(value).flat() : [value];
  const isOwn = items.length === 1 && items[0] === own;
  const parts = new Set(isEmpty ? [] : items.slice(0, MOST_PARTS).map((item) => canonicalJson(item)));
  return { how, value, parts, isOwn };
}

/** Begins the name of a setting that names an object. */
const SETTING = "\u0002";

/** Stands for the name of the object itself. */
const OWN_NAME = "\u0001";

/** The objects of both sides, with the names of other objects in their fields as they are on the server. */
class Names {
  /** Kind → name in the file → name on the server, if they differ. */
  private readonly onServer = new Map<string, Map<string, string>>();
  /** The live object of each entry that has one. */
  private readonly liveOf = new Map<DeclaredObject, LiveObject>();
  private readonly strangersOf = new Map<ResourceKind, readonly LiveObject[]>();
  private readonly paired = new Set<LiveObject>();
  private readonly declared = new Map<ResourceKind, ReadonlyMap<string, DeclaredObject>>();
  /** Address of an object → those that name it. */
  private readonly inFile = new Map<string, Set<string>>();
  private readonly live = new Map<string, Set<string>>();
  private readonly desired: Desired;
  private readonly realm: Realm;

  constructor(desired: Desired, kinds: readonly ResourceKind[], realm: Realm) {
    this.desired = desired;
    this.realm = realm;
    for (const kind of kinds) this.addKind(kind, desired.sections.get(kind.section) ?? []);
  }

  private addKind(kind: ResourceKind, declared: readonly DeclaredObject[]): void {
    if (!this.desired.sections.has(kind.section)) return;
    const live = liveObjects(kind, this.realm) ?? [];
    const { liveOf } = matchObjects(kind, declared, live);
    const claimed = new Set(liveOf.values());
    this.strangersOf.set(
      kind,
      live.filter((object) => !object.inactive && !claimed.has(object)),
    );
    this.declared.set(kind, new Map(declared.map((object) => [object.key, object])));
    for (const [object, live] of liveOf) {
      const { name, key, fields } = live;
      this.liveOf.set(object, live);
      if (object.name !== name) this.rename(kind, object.name, name);
      this.addNamer(kind, object, { name, key, fields });
    }
  }

  private addNamer(
    kind: ResourceKind,
    object: DeclaredObject,
    live: Pick<LiveObject, "name" | "key" | "fields">,
  ): void {
    // Each field names for itself: a setting that names another channel says nothing about one that still names this.
    const namer = `${kind.shape === "singleton" ? SETTING : ""}${kind.name}:${live.key}`;
    this.addNames(this.inFile, kind, object, namer);
    this.addNames(this.live, kind, { name: live.name, absent: false, fields: live.fields }, namer);
  }

  private addNames(to: Map<string, Set<string>>, kind: ResourceKind, object: NamingObject, namer: string): void {
    for (const { kind: other, name, field, copies } of namedIn(kind.file, object)) {
      // The server does not show what a record names (the channels of an invitation), nor whose people a list has: that it is missing says nothing.
      if (kind.file.records?.[field] !== undefined || copies === true) continue;
      if (name === undefined || (other === kind.name && name === object.name)) continue;
      const address = `${other}:${name}`;
      const known = to.get(address) ?? new Set<string>();
      if (known.size < MOST_PARTS) to.set(address, known.add(`${namer} ${field}`));
    }
  }

  private rename({ name }: ResourceKind, from: string, to: string): void {
    const known = this.onServer.get(name) ?? new Map<string, string>();
    this.onServer.set(name, known.set(from, to));
  }

  strangers(kind: ResourceKind): readonly LiveObject[] {
    return (this.strangersOf.get(kind) ?? []).filter((live) => !this.paired.has(live));
  }

  /** Whether `manage` leaves a stranger aside. Whoever renames an object by hand can make it one of these. */
  isAside(kind: ResourceKind, { name }: LiveObject): boolean {
    return asideIn(kind, this.desired)(name);
  }

  /** Whether the plan removes what the file does not mention. */
  removes({ section }: ResourceKind): boolean {
    return this.desired.manage[section] === "exact";
  }

  /** From now on, this name in the file means this object. */
  pair(kind: ResourceKind, name: string, live: LiveObject): void {
    this.rename(kind, name, live.name);
    this.paired.add(live);
    const declared = this.declared.get(kind)?.get(keyOf(kind, name));
    if (declared !== undefined) this.addNamer(kind, declared, live);
  }

  /** The object that an entry has by its `was`. */
  before(kind: ResourceKind, change: Change): LiveObject | undefined {
    const declared = this.declared.get(kind)?.get(keyOf(kind, change.name));
    const live = declared?.was === undefined ? undefined : this.liveOf.get(declared);
    return live?.key === declared?.key ? undefined : live;
  }

  ofFile(kind: ResourceKind, change: Change, traits: ReturnType<typeof traitsOf>): Compared | undefined {
    const declared = this.declared.get(kind)?.get(keyOf(kind, change.name));
    // A wrong id is an error of its own, and says nothing about a name.
    if (declared === undefined || declared.id !== undefined) return undefined;
    // What the plan worked out, without what no line asks for. What it does not change is as the object has it.
    const own = this.before(kind, change)?.fields ?? {};
    const fields = Object.fromEntries([
      ...Object.entries(own).filter(([field]) => declared.fields[field] !== undefined),
      ...change.fields.filter(({ implied, unset }) => !implied && !unset).map(({ field, after }) => [field, after]),
    ]);
    const namers = this.inFile.get(`${kind.name}:${change.name}`) ?? new Set();
    const mayBeUnseen = kind.shape !== "singleton" && kind.live.unseen?.(this.realm) !== undefined;
    const isOpen = mayBeUnseen || declared.gaps?.some(({ isGone }) => !isGone) === true;
    return this.compared(kind, { ...declared, fields }, traits, { namers, usual: {}, isOpen });
  }

  ofLive(kind: ResourceKind, live: LiveObject, traits: ReturnType<typeof traitsOf>): Compared {
    const [any] = this.declared.get(kind)?.values() ?? [];
    const { name, key, fields } = live;
    const namers = this.live.get(`${kind.name}:${name}`) ?? new Set();
    const usual = kind.shape === "singleton" ? {} : (kind.diff?.defaults?.(this.realm, live) ?? {});
    const object = any === undefined ? undefined : { ...any, name, key, fields };
    return { live, ...this.compared(kind, object ?? live, traits, { namers, usual, isOpen: false }) };
  }

  private compared(
    kind: ResourceKind,
    object: DeclaredObject | LiveObject,
    traits: ReturnType<typeof traitsOf>,
    more: Pick<Compared, "namers" | "usual" | "isOpen">,
  ): Compared {
    const nameOf = (other: string, name: string): string =>
      other === kind.name && name === object.name ? OWN_NAME : (this.onServer.get(other)?.get(name) ?? name);
    const own = this.realm.userName(this.realm.snapshot.account.user_id);
    const named = "spans" in object ? withNames(kind.file, object, nameOf) : object;
    const fields = kind.diff?.compared?.(object.name, named.fields) ?? named.fields;
    return {
      traits: new Map(
        Object.entries(traits).flatMap(([field, how]) => {
          const value = fields[field];
          return value === undefined ? [] : [[field, traitOf(how, value, own)] as const];
        }),
      ),
      name: wordsOf(object.name),
      ...more,
    };
  }
}

import type * as z from "zod";
import type { SnapshotRequest } from "./api.ts";
import type { Dependency } from "./dependency.ts";
import type { Diagnostic, Finding, Path, Span } from "./diagnostic.ts";
import type { Json } from "./json.ts";
import type {
  ExportCaveat,
  FinalFact,
  InexpressibleFact,
  LossFact,
  ReachCaveat,
  SideEffectFact,
} from "./kind-facts.ts";
import type {
  Address,
  Call,
  Change,
  Expectation,
  FieldChange,
  IdOf,
  Param,
  Purpose,
  Risk,
  SideEffects,
} from "./plan.ts";
import type { Realm } from "./realm.ts";
import type { RepositoryFile } from "./repository-file.ts";
import type { SecrecyFacet } from "./secrecy.ts";
import type { ShownPicture } from "./shown-picture.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Patience } from "./suggest.ts";
import type { Synonyms } from "./synonyms.ts";
import type { InactivityField } from "./tally.ts";

export type Policy = "ignore" | "additive" | "exact";

/** An object the server has, its fields in canonical form (names, words, sorted sets: as the file would write them). */
export interface LiveObject {
  /** What makes a declared and a live item the same object: the name as the server compares it. */
  readonly key: string;
  /** As the server shows it. */
  readonly name: string;
  /** null for objects that have none (domains, navigation views, default channels). */
  readonly id: number | null;
  readonly fields: { readonly [field: string]: Json };
  /** Archived or deactivated: still holds its name, is no surprise when the file does not mention it. */
  readonly inactive: boolean;
}

/** An item of the file, decoded and resolved: canonical fields, each with its place. A field left out is not in `fields`. */
export interface DeclaredObject {
  readonly key: string;
  readonly name: string;
  /** `was:` the name to rename from. */
  readonly was?: string;
  /** `id:` pins the object. */
  readonly id?: number;
  /** `absent: true` (a channel: `archived: true`): to be removed under any policy. */
  readonly absent: boolean;
  /** Nobody asked for its removal: nothing is left to do for it (an invitation of somebody who has joined). */
  readonly settled?: boolean;
  readonly fields: { readonly [field: string]: Json };
  /** Fields that matter only at creation (subscribers of a new channel, …), never compared. */
  readonly creation?: { readonly [field: string]: Json };
  readonly at: Span;
  /** Field → the YAML that set it (in a profile, when inherited). */
  readonly spans: { readonly [field: string]: Span };
  /** Those of `fields` that the file leaves out: they are to be what the server gives to a new object (`unset: default`). */
  readonly unset?: readonly string[];
  /** Those of `fields` that the file leaves out and the server gives to the account that makes the object. */
  readonly implied?: readonly string[];
}

/** Everything a kind may ask while it decodes an item. `realm` is undefined offline (`validate` without a server). */
export interface DecodeContext {
  readonly realm: Realm | undefined;
  /** Whether the file declares an object of that kind (not as `absent`). */
  declares(kind: string, key: string): boolean;
  /** The names that the file declares of that kind (and not `absent`), in file order: for suggestions. */
  declaredNames?(kind: string): readonly string[];
  /** The name, as the file writes it, of the object with that key that it declares (and not `absent`). */
  declaredName?(kind: string, key: string): string | undefined;
  /** Where the file itself puts away the object of that key (`absent`, `archived`, `deactivated`); undefined when it does not. */
  removedAt?(kind: string, key: string): Span | undefined;
  /** The name that the file gives to the object which has this key, or this id, on the server, when it renames it. */
  renamedTo?(kind: string, key: string, id: number): string | undefined;
  /** What is left of the work that suggestions are worth. */
  readonly patience?: Patience;
  /**
   * What is known of the file that is named at a path below the item, one of {@link ResourceKind.files}; undefined: it cannot be had,
   * which was told.
   */
  file?(path: Path): RepositoryFile | undefined;
  /** Reports an error at a path below the item. */
  problem(path: Path, problem: Finding): void;
}

/** What a kind makes of one item; errors went to `context.problem`. */
export interface Decoded {
  readonly was?: string;
  readonly id?: number;
  readonly absent: boolean;
  readonly settled?: boolean;
  readonly fields: { readonly [field: string]: Json };
  readonly creation?: { readonly [field: string]: Json };
  /** Field → path below the item whose span is the field's place, where that is not simply `[field]`. */
  readonly paths?: { readonly [field: string]: Path };
}

/**
 * One request of one change, before the planner merges, batches and orders. A call is placed after every call that `provides` one of
 * its `needs`; a state that no call provides is already so.
 */
export interface DraftCall {
  readonly operation: string;
  readonly path: { readonly [name: string]: string | number | IdOf };
  readonly params: { readonly [name: string]: Param };
  readonly for: readonly Purpose[];
  readonly expects?: readonly Expectation[];
  readonly needs?: readonly Dependency[];
  /** What makes a better order and no more: ignored where calls would wait for each other in a cycle. */
  readonly softNeeds?: readonly Dependency[];
  readonly provides?: readonly Dependency[];
  /** Settings of the organization that say who may send it, whatever their role is. */
  readonly uses?: readonly string[];
  /**
   * The same as two requests, ways to choose from where this one would wait for itself in a cycle. The planner splits as few calls as
   * possible and counts each in `least_calls`.
   */
  readonly alternatives?: readonly (readonly DraftCall[])[];
  readonly creates?: readonly Address[];
  /** Calls of one operation that are equal but for this list parameter become one call of at most `limit` elements. */
  readonly batch?: { readonly list: string; readonly limit: number };
  /**
   * Parameters that other calls may add to this one instead of going out alone: `address` is the object that this call
   * writes, `params` the names it can take.
   */
  readonly mergeTarget?: { readonly address: Address; readonly params: readonly string[] };
  /** This call is not needed when the call that is the merge target of `address` takes `params` along. */
  readonly mergeInto?: { readonly address: Address; readonly params: { readonly [name: string]: Param } };
  /** Later ranks go later among calls that nothing else orders; default 0. */
  readonly rank?: number;
}

/** A declared object and the live one that it stands for, or one of them alone. `change` when they differ. */
export interface Pair {
  readonly kind: string;
  readonly address: Address;
  readonly declared?: DeclaredObject;
  readonly live?: LiveObject;
  readonly change?: Change;
}

/** What kinds see of the whole while they check changes and turn them into calls. */
export interface PlanContext {
  /** As it is now, but for names: objects that this plan renames have their new ones, as everywhere in a plan. */
  readonly realm: Realm;
  /** Names as in `realm`; groups with the members and subgroups that they have once the plan is applied. */
  readonly after: Realm;
  readonly snapshot: Snapshot;
  /** Every change of every kind. */
  readonly changes: readonly Change[];
  /** Declared objects of a section, in file order; empty when the section is absent. */
  declared(section: string): readonly DeclaredObject[];
  /** Every object of a section: the declared ones in file order, then what only the server has. Empty when the section is absent. */
  pairs(section: string): readonly Pair[];
  pair(address: Address): Pair | undefined;
  policy(section: string): Policy | undefined;
  /** Whether the file has this section at all. */
  manages(section: string): boolean;
  /** Does the file name an object that this plan removes? That was said already, with both places. */
  isNamedInFile(address: Address): boolean;
  /** The id of an object, or the promise of one when this plan creates it. */
  idOf(address: Address): number | IdOf;
}

export interface FieldSpec {
  /** Feature level from which the server can store it; default: the floor (320). */
  readonly level?: number;
  /** It says who may do something: reports count these on their own. */
  readonly isPermission?: true;
  /** One sentence for docs and schema. */
  readonly about: string;
  /** Fields of which a reading only says that they have a value. The kind's own risks say what is lost, and export writes no empty value for them. */
  readonly isPicture?: true;
}

/** That one declared object names another, which has to stay for that. */
export interface Named {
  readonly kind: string;
  /** Its name once the plan is applied; or else its id on the server. */
  readonly name?: string;
  readonly id?: number;
  /** The field that names it; empty where the whole object does (a default channel names a channel). */
  readonly field: string;
}

/** Canonical values by field. */
export type Fields = { readonly [field: string]: Json };

/** What the names of objects are. */
export interface NameFacet {
  /** The name as the server compares it (upper-cased for channels, lower-cased for domains, the text itself for groups). */
  keyOf(name: string): string;
  /** The name as the server would store it; default: as written. */
  canonicalName?(name: string): string;
  /** The name that an object has while others take its own; default: the new one, cut to 60 characters, and the id. */
  temporaryName?(name: string, id: number): string;
  /** What a file calls an object that the server tells from others like it by its id alone; another name: the name itself. */
  nameOfAlike?(name: string): string;
  /** Objects of the server that a file may name and not declare (groups that are roles). */
  undeclarable?(snapshot: Snapshot): readonly { readonly id: number; readonly name: string }[];
}

/** What names the objects that an entry of a list stands for: one of the two is there. */
export interface EntryNameFacet<Item> extends NameFacet {
  nameOf?(item: Item): string;
  /** Of entries that stand for several objects: their names, and where below the entry each is written. */
  parts?(item: Item): readonly { readonly name: string; readonly path: Path }[];
}

/** Objects that are never deleted, but archived or deactivated. */
export interface InactivityFacet {
  /** The boolean field that says so. */
  readonly field: InactivityField;
  /** Feature level from which the server takes them back into use; default: the floor (320). */
  readonly reactivatedFrom?: number;
  /** Inactive ones do not hold their name: others may have it too (folders). */
  readonly freesName?: boolean;
}

/** How the file says it. */
export interface FileFacet<Item> {
  /** One item as the file writes it, after profiles were merged; types, JSON Schema and reference pages come from here. */
  readonly schema: z.ZodType<Item>;
  readonly fields: { readonly [field: string]: FieldSpec };
  /** What people write in place of its section, fields and values: for suggestions. */
  readonly synonyms?: Synonyms;
  /** Items may take over fields from `profiles:`; one kind of all, since profiles do not say of which one they are. */
  readonly profiles?: true;
  /** Where below an item, as it is written, files of the repository are named; they are looked at before anything is decoded. */
  files?(raw: unknown): readonly Path[];
  /** Resolves names, normalises as the server does, reports errors. */
  decode(item: Item, name: string, context: DecodeContext): Decoded;
  /** Objects that this one names; what the file names it may not remove as well. */
  names?(declared: DeclaredObject): readonly Named[];
  /** The same object with other names for the objects that it names; what it does not name is left as it is. */
  withNames?(object: DeclaredObject, nameOf: (kind: string, name: string) => string): DeclaredObject;
  /** Errors between items of the file, found without a server: cycles, items of two sections that exclude each other. */
  check?(
    declared: readonly DeclaredObject[],
    section: (name: string) => readonly DeclaredObject[],
  ): readonly Diagnostic[];
}

/** What the server has. @typeParam Found objects, or the fields of a singleton */
export interface LiveFacet<Found> {
  /** Feature level below which the server does not have this kind at all. */
  readonly level?: number;
  /** What a reading shows, objects in the server's order; undefined when the reading does not hold them. */
  read(realm: Realm): Found | undefined;
  /** The kind's part of a reading with other names for these objects, by id: of kinds that others name and that can be renamed. */
  renamed?(snapshot: Snapshot, names: ReadonlyMap<number, string>): Partial<Snapshot>;
  /**
   * What a reading must hold, beyond what it always does, for these declared objects to be planned with certainty.
   * @param realm a first reading, when there is one: what it shows may ask for a second that holds more
   */
  request?(declared: readonly DeclaredObject[], realm?: Realm): Partial<SnapshotRequest>;
}

/** How the planner compares, where comparing canonical fields is not all. */
export interface DiffFacet {
  /** Works out fields that hang on the whole plan (people in a group that it fills), before they are compared. */
  resolveDerivedFields?(declared: DeclaredObject, live: LiveObject | undefined, after: Realm): DeclaredObject;
  /**
   * The realm with these changes made, as far as other kinds look at it (who is in which group). Objects to be made get ids below zero.
   * @param realm with the changes of the kinds before it made
   * @param now as it was read
   */
  projected?(changes: readonly Change[], realm: Realm, now: Realm): Snapshot;
}

export interface ObjectDiffFacet extends DiffFacet {
  /** Whether the order of the section means something to the server (linkifiers), or when it does (folders: only where the file has them all). */
  readonly ordered?: boolean | ((policy: Policy, level: number) => boolean);
  /**
   * What this object would have if nobody had ever set anything on it: what the server gives to one that is made without the field.
   * Under `unset: default`, fields that the file leaves out are set to these. A field that is not here has no default that could be
   * known (who is subscribed), and is not watched.
   */
  defaults?(realm: Realm, live: LiveObject): Fields;
  /**
   * What the server gives to the account that makes such an object, by fields that say who may do something or whose it is: a plan shows
   * of these what its creations leave out. {@link DiffFacet.resolveDerivedFields} adds those that calls have to know of.
   */
  implied?(realm: Realm): Fields;
}

export interface SingletonDiffFacet extends DiffFacet {
  readonly ordered?: never;
  /** What a new organization has: under `unset: default` and `exact`, fields that the file leaves out are set to these. Fields without a known default are left alone. */
  defaults?(realm: Realm, live: LiveObject): Fields;
}

/** What a reviewer must know before anything is sent. */
export interface ReviewFacet {
  /** Errors that only the whole shows: levels, rights, names taken, sets that the server would refuse. */
  check?(changes: readonly Change[], context: PlanContext): readonly Diagnostic[];
  /** Does the server delete messages with the value from before that it keeps with the one after? What drift says first. */
  keepsMessages?(change: FieldChange, context: PlanContext): boolean;
  /** What a reviewer must see first. */
  risks?(change: Change, context: PlanContext): readonly Risk[];
}

/** The requests. */
export interface CallsFacet {
  /** The requests that carry out this kind's changes. */
  draft(changes: readonly Change[], context: PlanContext): readonly DraftCall[];
  /**
   * The fewest requests that can carry out these changes, worked out from the changes and not from {@link CallsFacet.draft}
   * (docs/decisions/0012-least-calls.md); default: one for each change.
   */
  least?(changes: readonly Change[], context: PlanContext): number;
  /** Side effects that people notice; `calls` are those of the whole plan, in their order. */
  sideEffects?(changes: readonly Change[], context: PlanContext, calls: readonly Call[]): Partial<SideEffects>;
  /** Every change but a removal sends one mail: what a guard rail on mails counts. */
  readonly mails?: true;
  /** False for a live value that no request can set, so that nobody promises to restore it; default: every value can be set. */
  canSet?(field: string, value: Json): boolean;
  /**
   * Does a live value show that a change was carried out, though it is not the value that the plan wants: a picture, of which a reading
   * has the version and not the file? Default: it does not.
   */
  shows?(change: FieldChange, live: Json): boolean;
}

/** What undoing a run must know, besides how to set fields. */
export interface UndoFacet {
  /** What an object that the run made gives up before it is archived or deactivated, so that what it names can go too. */
  beforeDeactivation?(live: LiveObject): Fields;
  /** What an object that is replaced, or deleted and made again, does not get back; default: its id, where it has one. */
  readonly lostOnRecreate?: LossFact;
  /** What a change took with it that undoing does not bring back; undefined: nothing. */
  lostWith?(change: Change): LossFact | undefined;
  /** What else a change did, besides its fields, that stays though it is undone: these of its fields get their values back. Undefined: nothing. */
  stays?(change: Change, restored: Fields): SideEffectFact | undefined;
  /** Why a change cannot be undone at all; undefined: it can. */
  whyStays?(change: Change): FinalFact | undefined;
}

/** From the server into a file: export and adopt. */
export interface YamlFacet {
  /** Live object → what a person would have written: defaults left out. */
  item(live: LiveObject, realm: Realm): Json;
  /**
   * A field's live value in the form of the file, where that is more than the value; default: the value itself.
   * @param raw what the item says of the field now, variables filled in; undefined when it inherits what it has
   * @param declared undefined where there is no item yet
   */
  field?(field: string, live: Json, raw: Json | undefined, declared: DeclaredObject | undefined, realm: Realm): Json;
  /** Fields that are exported only when asked for: they list people who come and go. */
  readonly asked?: readonly string[];
  /** Entries of a list that stand for several objects: entries made by {@link YamlFacet.item}, those that are alike as one. */
  join?(items: readonly Json[]): readonly Json[];
  /** Why a file may not name what the server has in a field; undefined when it may (adopt). */
  whyInexpressible?(field: string, live: Json, realm: Realm): InexpressibleFact | undefined;
  /** What no file can say of the section as it is on the server: comments in an exported file. */
  exportCaveats?(realm: Realm): readonly ExportCaveat[];
  /** Fields that belong together, in their order, for a section that is its own item. */
  readonly parts?: readonly { readonly heading: string; readonly fields: readonly string[] }[];
  /** Pictures, which no reading holds: exported as files of their own. */
  readonly pictures?: {
    of(live: LiveObject, realm: Realm): readonly ShownPicture[];
    /** The item with the path of its picture. */
    put(item: Json, field: string, path: string): Json;
  };
  /** Exported only when asked for: it is about one account, or names people who are not here yet. */
  readonly onRequest?: true;
  /** Beside the section where it is offered and cannot be counted yet, since a reading has it only when asked for: a few words. */
  readonly offeredAs?: string;
  /** The field by whose values an export of many files puts objects into files of their own. */
  readonly splitBy?: string;
}

/** Accounts that can do nothing about the section, or not all: `init` says so of the account at hand. */
export interface ReachFacet {
  /** The least role that can change any of it; default: a guest, where the server lets the one in. */
  readonly role?: "owner" | "administrator" | "member";
  /** Are bots let in? Never, or from a feature level on; default: as people are. */
  readonly bots?: "never" | number;
  /** What else this account cannot do though it may change the rest. */
  caveats?(realm: Realm): readonly ReachCaveat[];
}

/** What people read about the section. */
export interface DocsFacet {
  /** What must be known before the section is written, in a sentence or two: for the schema and the reference page. */
  readonly about?: string;
  /** Which accounts may change it. */
  readonly who: string;
  /** Fields that ask for more than that, or for something else: which accounts may change them. */
  readonly whoMay?: { readonly [field: string]: string };
  /** What a new object gets that is made without the field. A test wants one for every field that a plan compares. */
  readonly defaults: { readonly [field: string]: string };
  /** A file that is valid on its own. */
  readonly example: string;
}

/** Facets that kinds of every shape have. */
export interface AnyKind<Item> {
  /** First half of every address: `channel`. */
  readonly name: string;
  /** The key in realm.yaml that it is written under: `channels`. */
  readonly section: string;
  /** "channel" / "channels" in sentences. */
  readonly noun: readonly [one: string, many: string];
  /**
   * The file never has all of them (people): what it does not list is not looked at, nor counted as unmanaged, and `exact` is refused.
   * Nothing is made: what is declared and not there is an error.
   */
  readonly isPartial?: true;
  /** Its objects are accounts, and their ids those of users. */
  readonly isAccount?: true;
  readonly file: FileFacet<Item>;
  readonly review?: ReviewFacet;
  readonly calls: CallsFacet;
  readonly undo?: UndoFacet;
  readonly yaml?: YamlFacet;
  readonly reach?: ReachFacet;
  /** What of it other people must not see: redaction and hidden snapshots ask this, and show nothing that no kind answers for. */
  readonly secrecy: SecrecyFacet;
  readonly docs: DocsFacet;
}

/** Objects known by their names: the section is a map from names to items. */
export interface MapKind<Item = unknown> extends AnyKind<Item> {
  readonly shape: "map";
  readonly identity: NameFacet & { readonly nameOf?: never; readonly parts?: never };
  readonly inactivity?: InactivityFacet;
  readonly live: LiveFacet<readonly LiveObject[]>;
  readonly diff?: ObjectDiffFacet;
}

/** Objects that the section lists: a field of the item, or the item itself, is the name. */
export interface ListKind<Item = unknown> extends AnyKind<Item> {
  readonly shape: "list";
  readonly identity: EntryNameFacet<Item>;
  readonly inactivity?: InactivityFacet;
  readonly live: LiveFacet<readonly LiveObject[]>;
  readonly diff?: ObjectDiffFacet;
}

/**
 * What is always there, once: the section is the item. Nothing makes it, removes it, names it or brings it back; a plan has at most
 * one change of it, an update. Its address is `name:organization` ({@link SINGLETON}).
 */
export interface SingletonKind<Item = unknown> extends AnyKind<Item> {
  readonly shape: "singleton";
  readonly identity?: never;
  readonly inactivity?: never;
  readonly live: LiveFacet<Fields>;
  readonly diff?: SingletonDiffFacet;
}

/**
 * Everything realmctl knows about one kind of object, in facets (docs/decisions/0055-facets-of-a-kind.md). Nothing in it does IO;
 * kinds never import each other. The planner matches declared and live objects by id, `was` and key, compares canonical fields, and
 * asks for calls.
 */
export type ResourceKind<Item = unknown> = MapKind<Item> | ListKind<Item> | SingletonKind<Item>;

/** The name and key of what there is one of: second half of its address. */
export const SINGLETON = "organization";

/** The name as the server compares it. */
export function keyOf({ identity }: ResourceKind, name: string): string {
  return identity?.keyOf(name) ?? name;
}

/** The name as the server would store it. */
export function canonicalName({ identity }: ResourceKind, name: string): string {
  return identity?.canonicalName?.(name) ?? name;
}

const liveKnown = new WeakMap<Realm["snapshot"], Map<ResourceKind, readonly LiveObject[] | undefined>>();

/**
 * What a reading shows of a kind; a singleton is one object. Undefined when the reading does not hold it. Kinds are pure: each is asked
 * once for each reading.
 */
export function liveObjects(kind: ResourceKind, realm: Realm): readonly LiveObject[] | undefined {
  const known = liveKnown.get(realm.snapshot) ?? new Map<ResourceKind, readonly LiveObject[] | undefined>();
  if (known.has(kind)) return known.get(kind);
  const found = readLive(kind, realm);
  liveKnown.set(realm.snapshot, known.set(kind, found));
  return found;
}

function readLive(kind: ResourceKind, realm: Realm): readonly LiveObject[] | undefined {
  if (kind.shape !== "singleton") return kind.live.read(realm);
  const fields = kind.live.read(realm);
  return fields && [{ key: SINGLETON, name: SINGLETON, id: null, fields, inactive: false }];
}

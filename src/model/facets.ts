import type * as z from "zod";
import type { SnapshotRequest } from "./api.ts";
import type { UnseenWhat } from "./coverage.ts";
import type { DecodeContext, Decoded } from "./decoding.ts";
import type { Diagnostic, Path } from "./diagnostic.ts";
import type { DraftCall, ObjectState } from "./draft-call.ts";
import type { Json } from "./json.ts";
import type {
  ExportCaveat,
  FinalFact,
  InexpressibleFact,
  LossFact,
  ReachCaveat,
  SideEffectFact,
} from "./kind-facts.ts";
import type { DeclaredObject, Fields, LiveObject, Named, NamingObject, Policy } from "./objects.ts";
import type { RightScope } from "./permission-settings.ts";
import type { Call, Change, FieldChange, Risk, SideEffects } from "./plan.ts";
import type { PlanContext, PlannedChanges } from "./plan-context.ts";
import type { Realm } from "./realm.ts";
import type { ShownPicture } from "./shown-picture.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Synonyms } from "./synonyms.ts";
import type { InactivityField } from "./tally.ts";

/*
 * The facets of a kind. Each answers one question about it and is used by one part of the program
 * (docs/internals/decisions/0029-a-kind-is-facets-in-one-folder.md). They do
 * no IO.
 */

export interface FieldSpec {
  /** The feature level from which the server can store the field; default: the minimum (320). */
  readonly level?: number;
  /** Whether the field says who may do something: reports count such fields separately. */
  readonly isPermission?: true;
  /** The kind of the objects whose names it has: one or a list. {@link ACCOUNT}: a list of people. */
  readonly names?: string;
  /** One sentence, where a new file explains its lines and the schema of rules its fields; the file's own schema has more. */
  readonly about?: string;
  /**
   * Whether a reading only says if the field has a value. The kind's own risks say what is lost, and export writes no empty value for such fields.
   */
  readonly isPicture?: true;
  /** Whether only some objects of the kind have the field: the others, and readings of them, do not. */
  readonly isOfSome?: true;
  /** The operations that change this field and nothing else: `sync` can keep such a field as the file has it, and sends no other operation. */
  readonly syncedBy?: readonly string[];
}

/** People and bots, where other objects name them: by their addresses, or as `user:17`. */
export const ACCOUNT = "account";
/** The kind whose names stand in permissions and in lists of people. */
export const GROUP = "user_group";

/** The rules for the names of objects. */
export interface NameFacet {
  /** The name as the server compares it (upper-cased for channels, lower-cased for domains, the text itself for groups). */
  keyOf(name: string): string;
  /** The name as the server would store it; default: as written. */
  canonicalName?(name: string): string;
  /** The temporary name of an object while others take its own; default: the new one, cut to 60 characters, and the id. */
  temporaryName?(name: string, id: number, spare?: number): string;
  /** The name in a file of an object that the server distinguishes from similar ones only by its id; otherwise the name itself. */
  commonName?(name: string): string;
  /** The fields that tell objects apart which have no name of their own; default: the name does. */
  readonly knownBy?: readonly string[];
  /** Objects of the server that a file may name and not declare (groups that are roles). */
  undeclarable?(snapshot: Snapshot): readonly { readonly id: number; readonly name: string }[];
}

/** The fields that name the objects of a list entry: one of the two is present. */
export interface EntryNameFacet<Item> extends NameFacet {
  nameOf?(item: Item): string;
  /** For entries that stand for several objects: their names, and where below the entry each is written. */
  parts?(item: Item): readonly { readonly name: string; readonly path: Path }[];
}

/** How objects are archived or deactivated, for kinds whose objects are never deleted. */
export interface InactivityFacet {
  /** The boolean field that says whether an object is inactive. */
  readonly field: InactivityField;
  /** The feature level from which the server can reactivate objects; default: the minimum (320). */
  readonly reactivatedFrom?: number;
  /** Whether inactive objects free their names, so that other objects may have them too (folders). */
  readonly freesName?: boolean;
}

/** How the file declares objects of the kind. */
export interface FileFacet<Item> {
  /** One item as the file writes it, after profiles were merged; types, JSON Schema and reference pages come from here. */
  schema(): z.ZodType<Item>;
  readonly fields: { readonly [field: string]: FieldSpec };
  /**
   * The part of `server_supported_permission_settings` with the kind's permission settings. What a server describes there and `fields` does not have can be
   * written below `permissions`, too ({@link isOtherRight}).
   */
  readonly rights?: RightScope;
  /** Other words that people write for its section, fields and values: for suggestions. */
  synonyms?(): Synonyms;
  /** Whether items may take fields from `profiles:`. Only one kind can, since profiles do not say which kind they are for. */
  readonly profiles?: true;
  /** The paths in a raw item that name files of the repository; these are read before anything is decoded. */
  files?(raw: unknown): readonly Path[];
  /** Resolves names, normalises as the server does, reports errors. */
  decode(item: Item, name: string, context: DecodeContext): Decoded;
  /**
   * The objects that an object names by more than its fields ({@link FieldSpec.names}): the file may not remove an object that it names, and an object that
   * a live object names is in use ({@link Named.isUse}).
   */
  names?(object: NamingObject): readonly Named[];
  /**
   * Fields that only record what was asked for, and that nothing compares: lists of names, and the kind of their objects. `adopt` follows renames in
   * them, in items and in `defaults`.
   */
  readonly records?: { readonly [field: string]: string };
  /** Replaces names of other objects that are not in its fields. */
  withNames?(object: DeclaredObject, nameOf: (kind: string, name: string) => string): DeclaredObject;
  /**
   * Errors between items of the file, found without a server: cycles, items of two sections that exclude each other.
   * @param realm if it is known, the plan also checks, with more information
   */
  readonly check?: FileCheck;
}

export type FileCheck = (
  declared: readonly DeclaredObject[],
  section: (name: string) => readonly DeclaredObject[],
  realm: Realm | undefined,
) => readonly Diagnostic[];

/** How objects are read from the server. @typeParam Found objects, or the fields of a singleton */
export interface LiveFacet<Found> {
  /** The feature level below which the server does not have this kind at all. */
  readonly level?: number;
  /** The objects of a reading, in the server's order; undefined if the reading does not have them. */
  read(realm: Realm): Found | undefined;
  /** What of the kind this account does not see: it is not known whether such an object exists. Undefined if it sees all (src/kinds/readings.ts). */
  unseen?(realm: Realm): UnseenWhat | undefined;
  /**
   * Whether an object of the file that was not found may be one that this account does not see, so that it is left out instead of created.
   * @param comparesOnly nothing will be sent (drift)
   */
  mayBeUnseen?(declared: DeclaredObject, comparesOnly: boolean): boolean;
  /** What a live object names by settings that no file can have, since this version of realmctl does not know them. */
  otherNames?(object: LiveObject, realm: Realm): readonly Named[];
  /** The kind's part of a reading with other names for these objects, by id: for kinds that others name and that can be renamed. */
  renamed?(snapshot: Snapshot, names: ReadonlyMap<number, string>): Partial<Snapshot>;
  /**
   * The settings of these objects that the server has and this version does not know, by the server's names: those of {@link FileFacet.rights}, which a file may
   * have, and others, which it cannot.
   */
  newer?(realm: Realm): readonly string[];
  /** Objects that the server has and this version cannot read, in words: they are named once, and left alone. */
  newerObjects?(realm: Realm): readonly string[];
  /**
   * The parts that a reading must have, in addition to the usual ones, so that these declared objects can be planned with certainty.
   * @param realm a first reading, if there is one: it may show that a second one must have more
   */
  request?(declared: readonly DeclaredObject[], realm?: Realm): Partial<SnapshotRequest>;
  /**
   * Words of which a file has at least one if `request` needs something before there is a realm. A file without any of them is not decoded before the
   * reading. Without this list, every file is. A word that is missing in the list only costs a second reading.
   */
  readonly requestWords?: readonly string[];
}

/** How the planner compares, if comparing canonical fields is not enough. */
export interface DiffFacet {
  /** Works out fields that depend on the live object, before they are compared. */
  resolveDerivedFields?(declared: DeclaredObject, live: LiveObject | undefined): DeclaredObject;
  /**
   * Works out fields that depend on the changes of other kinds (people in a group that the plan fills). A kind with this method is compared after all
   * kinds without it that come before it. `accessIn(planned)` of src/access knows who is in which group after those changes.
   */
  resolveFromPlan?(declared: DeclaredObject, live: LiveObject | undefined, planned: PlannedChanges): DeclaredObject;
  /**
   * The same for fields that also depend on other objects of the section (members that come from other groups): all objects at once. `planned` has the
   * changes of the section, as far as they are known without these fields. Only called if an object has something in `creation`.
   */
  resolveTogether?(
    all: readonly (readonly [DeclaredObject, LiveObject | undefined])[],
    planned: PlannedChanges,
  ): readonly (readonly [DeclaredObject, LiveObject | undefined])[];
}

/**
 * How a field helps to recognize an object under another name. The first three can identify an object: by the words of a text, by the items of a list,
 * by a value that hardly two objects have. `other`: a value that many objects have. `fixed`: like it, and the server never changes it.
 */
export type Trait = "words" | "items" | "value" | "other" | "fixed";

export interface ObjectDiffFacet extends DiffFacet {
  /** The fields by which a person recognizes an object besides its name; permissions are always compared. Without it, no object looks renamed. */
  readonly traits?: { readonly [field: string]: Trait };
  /** The fields as they are compared for a rename: what only follows from the name has a form that does not depend on it. */
  compared?(name: string, fields: Fields): Fields;
  /** Whether objects with these two names cannot be one that was renamed, however alike they are. */
  areTwo?(name: string, other: string): boolean;
  /** The level below which an object cannot get another name: a file that names another one means another object, and has no `was`. */
  readonly keepsNameBelow?: number;
  /**
   * Whether the order of the section has a meaning on the server: always (linkifiers), or in some cases (folders: only if the file has all of them).
   */
  readonly ordered?: boolean | ((policy: Policy, level: number) => boolean);
  /**
   * The values that the server gives to a new object for fields that its creation leaves out. Under `unset: default`, fields that the file leaves out
   * are set to these. A field that is missing here has no known default (subscribers), and is not watched.
   */
  defaults?(realm: Realm, live: LiveObject): Fields;
  /**
   * The values of a new object that name the account that creates it: fields that say who may do something, or who owns the object. A plan shows
   * these if its creations leave them out. {@link DiffFacet.resolveDerivedFields} adds those that calls need.
   */
  implied?(realm: Realm): Fields;
}

export interface SingletonDiffFacet extends DiffFacet {
  readonly ordered?: never;
  readonly traits?: never;
  readonly compared?: never;
  readonly keepsNameBelow?: never;
  /**
   * Settings of the organization that other kinds use, as a reading shows them after these changes. Rights are not part of this: src/access has them.
   */
  settingsAfter?(changes: readonly Change[], realm: Realm): Fields;
  /**
   * The values of a new organization: under `unset: default` and `exact`, fields that the file leaves out are set to these. Fields without a known
   * default are left alone.
   */
  defaults?(realm: Realm, live: LiveObject): Fields;
}

/** A risk of a change. The planner adds the object, and where the file asks for it. */
export interface FoundRisk extends Pick<Risk, "kind" | "fact"> {
  /** The field that causes it; default: the whole change. */
  readonly field?: string | undefined;
}

/** What a reviewer must know before anything is sent: errors and risks. */
export interface ReviewFacet {
  /** Errors that only the whole plan shows: levels, rights, names that are taken, combinations that the server would refuse. */
  check?(changes: readonly Change[], context: PlanContext): readonly Diagnostic[];
  /** Whether the server deletes messages under the value before, and keeps them under the value after. Drift shows this first. */
  keepsMessages?(change: FieldChange, context: PlanContext): boolean;
  /** The texts of a list that a change renames, from the new text to the old one. An undo renames them back. */
  renamedIn?(change: Change, field: FieldChange, context: PlanContext): Readonly<Record<string, string>> | undefined;
  risks?(change: Change, context: PlanContext): readonly FoundRisk[];
}

/** An object that frees one name and takes another; names as the server compares them. */
export interface Move {
  readonly change: Change;
  readonly from: string;
  readonly to: string;
  /** The name that it takes, as it is sent; default: the object's. */
  readonly name?: string;
  /** The field with the name, if that is not the object's own name. */
  readonly of?: string;
  /** It needs two requests anyway, so a temporary name costs none. */
  readonly isTwice?: boolean;
}

/** The requests of a kind. */
export interface CallsFacet {
  /** The requests that carry out this kind's changes. */
  draft(changes: readonly Change[], context: PlanContext): readonly DraftCall[];
  /**
   * Renames by which names that are unique on the server pass from one object to another. For each cycle of them, the planner chooses an object that
   * gets a temporary name in between, and {@link PlanContext.move} tells {@link CallsFacet.draft} which.
   */
  moves?(changes: readonly Change[], context: PlanContext): readonly Move[];
  /**
   * The fewest requests that can carry out these changes, without those that break cycles (the planner counts them), worked out from the changes and not from {@link CallsFacet.draft}
   * (docs/internals/decisions/0013-fewest-requests-with-a-proof.md); default: one for each change.
   */
  least?(changes: readonly Change[], context: PlanContext): number;
  /** The side effects of changes that people notice. `calls` are those of the whole plan, in their order. */
  sideEffects?(changes: readonly Change[], context: PlanContext, calls: readonly Call[]): Partial<SideEffects>;
  /**
   * The states that together mean that a changed object has all values of the plan; default: `written`. Objects that rely on these values wait for
   * all of them.
   */
  readonly writtenStates?: readonly ObjectState[];
  /** Whether every change except a removal sends one mail; a guard rail counts mails. */
  readonly mails?: true;
  /** Whether a request can set this live value. An undo does not promise to restore a value that none can set. Default: every value can be set. */
  canSet?(field: string, value: Json): boolean;
  /**
   * Whether a live value shows that a change was carried out, although it is not the wanted value. Examples are a picture, since a reading has its
   * version and not its content, and a list of which one call adds elements and another call removes some. Default: no.
   * @param by the reading that has the value, and the call that was sent; without a call: whether calls of the plan can have left this value
   */
  shows?(change: FieldChange, live: Json, by: { readonly call?: Call; readonly realm: Realm }): boolean;
}

/** What an undo needs to know, besides how to set fields. */
export interface UndoFacet {
  /**
   * The values that an undo sets on an object of the run before it archives or deactivates the object, so that the objects that it named can be
   * removed too.
   */
  beforeDeactivation?(live: LiveObject, realm: Realm): Fields;
  /** The loss if an object is replaced, or deleted and created again; default: its id, if it has one. */
  readonly lostOnRecreate?: LossFact;
  /** The part of a change that an undo cannot restore; undefined if there is none. */
  lostWith?(change: Change): LossFact | undefined;
  /** The side effect of a change that stays although its fields get their values back (`restored`); undefined if there is none. */
  stays?(change: Change, restored: Fields): SideEffectFact | undefined;
  /** Additional declarations for an object that gets these fields back ({@link DeclaredObject.creation}). */
  declares?(restored: readonly FieldChange[]): Fields;
  /** The object of another section that a call ended without a change for this object (the bot of an owner); undefined if there is none. */
  endedAhead?(call: Call): { readonly section: string; readonly id: number } | undefined;
  /** The reason why a change cannot be undone at all; undefined if it can. */
  whyStays?(change: Change): FinalFact | undefined;
}

/** How objects of the server are written into a file, by export and adopt. */
export interface YamlFacet {
  /** The item that a person would have written for a live object, without defaults. */
  item(live: LiveObject, realm: Realm): Json;
  /**
   * A field's live value in the form of the file, if that is more than the value; default: the value itself.
   * @param raw the field in the current item, with variables filled in; undefined if it inherits its value
   * @param declared undefined if there is no item yet
   */
  field?(field: string, live: Json, raw: Json | undefined, declared: DeclaredObject | undefined, realm: Realm): Json;
  /** Whether no file can declare the object: an export leaves it out and says so, and adopt does not take it. */
  cannotDeclare?(live: LiveObject): boolean;
  /** Fields that are exported only on request, since they list people, who come and go; unless {@link YamlFacet.item} has them. */
  readonly asked?: readonly string[];
  /** Fields that an item leaves open, although what the server has there is told: adopt takes them if they are asked for by name. */
  open?(declared: DeclaredObject, live: LiveObject, realm: Realm): readonly string[];
  /** Fields that are not compared, since the file asks for them from another state than the server has; drift tells them, and so does adopt. */
  outdated?(declared: DeclaredObject, live: LiveObject): readonly string[];
  /** For list entries that stand for several objects: entries made by {@link YamlFacet.item}, with equal ones combined. */
  join?(items: readonly Json[]): readonly Json[];
  /**
   * The reason why a file cannot express the server's value of a field; undefined if it can. For adopt.
   * @param declared the entry that is to have the value, if there is one
   */
  whyInexpressible?(field: string, live: Json, realm: Realm, declared?: DeclaredObject): InexpressibleFact | undefined;
  /** Inactive objects that are exported although nobody asked for them, because somebody could get something through them. */
  keepsInactive?(live: LiveObject, realm: Realm): boolean;
  /** The parts of the section's state that no file can express. An exported file has them as comments. */
  exportCaveats?(realm: Realm): readonly ExportCaveat[];
  /** For singletons: groups of fields, in their order, with headings. */
  readonly parts?: readonly { readonly heading: string; readonly fields: readonly string[] }[];
  /** The pictures of objects, which no reading holds. Each is exported as a separate file. */
  readonly pictures?: {
    of(live: LiveObject, realm: Realm): readonly ShownPicture[];
    /** Adds the path of a picture to the item of a live object. */
    put(item: Json, field: string, path: string, live: LiveObject): Json;
  };
  /** Whether the section is exported only on request: it is about one account, or names people who have not joined yet. */
  readonly onRequest?: true;
  /** A few words that `init` shows beside the section if it cannot be counted yet, since a reading has it only on request. */
  readonly offeredAs?: string;
  /** Whether what somebody adds lets others into the organization as it is: `init` then writes that the section has everything. */
  opens?(realm: Realm): boolean;
  /** The field by whose values an export to many files distributes objects over files. */
  readonly splitBy?: string;
}

/** Which accounts can change the section, or parts of it: `init` reports this for the current account. */
export interface ReachFacet {
  /** The lowest role that can change anything in the section; default: guests, if the server allows it. */
  readonly role?: "owner" | "administrator" | "member";
  /** Whether bots can change the section: never, or from this feature level on; default: like people. */
  readonly bots?: "never" | number;
  /** Parts of the section that this account cannot change, although it can change others. */
  caveats?(realm: Realm): readonly ReachCaveat[];
}

/** Messages in which the server itself tells who changed an object. */
export interface HistoryFacet {
  /** The topic that they are in; undefined if the server posts none, or in words that {@link HistoryFacet.read} does not know. */
  topicOf(id: number, realm: Realm): Topic | undefined;
  /** What one of them says; undefined if it is about something else, or if the server's value is not the one that it tells. */
  read(content: string, live: LiveObject): LastChange | undefined;
}

/** A topic of a channel, and the account of the server that tells the truth there. */
export interface Topic {
  readonly channel: number;
  readonly topic: string;
  readonly sender: number;
}

export interface LastChange {
  readonly field: string;
  readonly user_id: number;
  readonly full_name: string;
}

/** Texts about the section for its users. */
export interface DocsFacet {
  /** One or two sentences that somebody must know before writing the section, for the schema and the reference page. */
  readonly about?: string;
  /** The accounts that may change the section. */
  readonly who: string;
  /** The accounts that may change a field, for fields that need other rights. */
  readonly whoMay?: { readonly [field: string]: string };
  /** The values of fields that a creation leaves out. A test requires one for every field that a plan compares. */
  readonly defaults: { readonly [field: string]: string };
  /** For fields that the API does not return, or not as they were sent: what plan and drift compare instead. A test requires one for each. */
  readonly unseen?: { readonly [field: string]: string };
  /** A file that is valid on its own. */
  readonly example: string;
}

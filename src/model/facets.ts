import type * as z from "zod";
import type { SnapshotRequest } from "./api.ts";
import type { DecodeContext, Decoded } from "./decoding.ts";
import type { Diagnostic, Path } from "./diagnostic.ts";
import type { DraftCall } from "./draft-call.ts";
import type { Json } from "./json.ts";
import type {
  ExportCaveat,
  FinalFact,
  InexpressibleFact,
  LossFact,
  ReachCaveat,
  SideEffectFact,
} from "./kind-facts.ts";
import type { DeclaredObject, Fields, LiveObject, Named, Policy } from "./objects.ts";
import type { Call, Change, FieldChange, Risk, SideEffects } from "./plan.ts";
import type { PlanContext, PlannedChanges } from "./plan-context.ts";
import type { Realm } from "./realm.ts";
import type { ShownPicture } from "./shown-picture.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Synonyms } from "./synonyms.ts";
import type { InactivityField } from "./tally.ts";

/*
 * The facets of a kind. Each answers one question about it and is asked by one part of the program (docs/decisions/0055-facets-of-a-kind.md).
 * Nothing in them does IO.
 */

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
  /**
   * Errors between items of the file, found without a server: cycles, items of two sections that exclude each other.
   * @param realm where it is known the plan looks as well, and knows more
   */
  check?(
    declared: readonly DeclaredObject[],
    section: (name: string) => readonly DeclaredObject[],
    realm: Realm | undefined,
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
  /**
   * Where `request` asks for something before there is a realm, the file has one of these words: a file without any is not decoded to
   * know what to read. Without it, every file may ask. A word too few costs a second reading, and nothing else.
   */
  readonly requestWords?: readonly string[];
}

/** How the planner compares, where comparing canonical fields is not all. */
export interface DiffFacet {
  /** Works out fields that hang on the live object, before they are compared. */
  resolveDerivedFields?(declared: DeclaredObject, live: LiveObject | undefined): DeclaredObject;
  /**
   * The same for fields that depend on the changes of other kinds (people in a group that the plan fills): a kind that has this is compared after all
   * kinds that do not. `accessIn(planned)` of src/access knows who is in which group after those changes.
   */
  resolveFromPlan?(declared: DeclaredObject, live: LiveObject | undefined, planned: PlannedChanges): DeclaredObject;
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
  /** Settings of the organization that other kinds look at, as a reading shows them after these changes. Who holds a right is no part of it: src/access knows that. */
  settingsAfter?(changes: readonly Change[], realm: Realm): Fields;
  /** What a new organization has: under `unset: default` and `exact`, fields that the file leaves out are set to these. Fields without a known default are left alone. */
  defaults?(realm: Realm, live: LiveObject): Fields;
}

/** What a reviewer must know before anything is sent. */
export interface ReviewFacet {
  /** Errors that only the whole shows: levels, rights, names taken, sets that the server would refuse. */
  check?(changes: readonly Change[], context: PlanContext): readonly Diagnostic[];
  /** Does the server delete messages with the value from before that it keeps with the one after? What drift says first. */
  keepsMessages?(change: FieldChange, context: PlanContext): boolean;
  /** Texts of a list that a change renames: the new one → the old one. Undoing renames them back. */
  renamedIn?(change: Change, field: FieldChange, context: PlanContext): Readonly<Record<string, string>> | undefined;
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
   * has the version and not the file; a list of which one call adds some and another removes others? Default: it does not.
   * @param by the reading that holds the value, and the call that was sent; without a call: is it a value that calls of the plan can have left?
   */
  shows?(change: FieldChange, live: Json, by: { readonly call?: Call; readonly realm: Realm }): boolean;
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
  /** What else to declare of an object that gets these fields back ({@link DeclaredObject.creation}). */
  declares?(restored: readonly FieldChange[]): Fields;
  /** An object of another section that a request ended ahead of the change that it is for, without a change of its own; undefined: none. */
  endedAhead?(call: Call): { readonly section: string; readonly id: number } | undefined;
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
  /** Fields that the API does not give back, or not as they were sent: what plan and drift compare instead. A test wants one for each. */
  readonly unseen?: { readonly [field: string]: string };
  /** A file that is valid on its own. */
  readonly example: string;
}

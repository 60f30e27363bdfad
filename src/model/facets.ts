import type * as z from "zod";
import type { SnapshotRequest } from "./api.ts";
import type { DecodeContext, Decoded } from "./decoding.ts";
import type { ObjectState } from "./dependency.ts";
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
 * The facets of a kind. Each answers one question about it and is used by one part of the program (docs/decisions/0055-facets-of-a-kind.md). They do
 * no IO.
 */

export interface FieldSpec {
  /** Feature level from which the server can store it; default: the minimum (320). */
  readonly level?: number;
  /** It says who may do something: reports count these fields separately. */
  readonly isPermission?: true;
  /** One sentence for docs and schema. */
  readonly about: string;
  /**
   * Fields for which a reading only says whether they have a value. The kind's own risks say what is lost, and export writes no empty value for them.
   */
  readonly isPicture?: true;
}

/** What the names of objects are. */
export interface NameFacet {
  /** The name as the server compares it (upper-cased for channels, lower-cased for domains, the text itself for groups). */
  keyOf(name: string): string;
  /** The name as the server would store it; default: as written. */
  canonicalName?(name: string): string;
  /** The temporary name of an object while others take its own; default: the new one, cut to 60 characters, and the id. */
  temporaryName?(name: string, id: number): string;
  /** The name in a file of an object that the server distinguishes from similar ones only by its id; otherwise the name itself. */
  commonName?(name: string): string;
  /** Objects of the server that a file may name and not declare (groups that are roles). */
  undeclarable?(snapshot: Snapshot): readonly { readonly id: number; readonly name: string }[];
}

/** The fields that name the objects of a list entry: one of the two is present. */
export interface EntryNameFacet<Item> extends NameFacet {
  nameOf?(item: Item): string;
  /** For entries that stand for several objects: their names, and where below the entry each is written. */
  parts?(item: Item): readonly { readonly name: string; readonly path: Path }[];
}

/** Objects that are never deleted, but archived or deactivated. */
export interface InactivityFacet {
  /** The boolean field that says so. */
  readonly field: InactivityField;
  /** Feature level from which the server can reactivate them; default: the minimum (320). */
  readonly reactivatedFrom?: number;
  /** Inactive objects do not occupy their names: others may have them too (folders). */
  readonly freesName?: boolean;
}

/** How the file declares it. */
export interface FileFacet<Item> {
  /** One item as the file writes it, after profiles were merged; types, JSON Schema and reference pages come from here. */
  readonly schema: z.ZodType<Item>;
  readonly fields: { readonly [field: string]: FieldSpec };
  /** Other words that people write for its section, fields and values: for suggestions. */
  readonly synonyms?: Synonyms;
  /** Items may take fields from `profiles:`; only one kind can, since profiles do not say which one they are for. */
  readonly profiles?: true;
  /** Where an item, as it is written, names files of the repository; these are read before anything is decoded. */
  files?(raw: unknown): readonly Path[];
  /** Resolves names, normalises as the server does, reports errors. */
  decode(item: Item, name: string, context: DecodeContext): Decoded;
  /** Objects that this one names; the file may not remove an object that it names. */
  names?(declared: DeclaredObject): readonly Named[];
  /** The same object with other names for the objects that it names; unknown names stay as they are. */
  withNames?(object: DeclaredObject, nameOf: (kind: string, name: string) => string): DeclaredObject;
  /**
   * Errors between items of the file, found without a server: cycles, items of two sections that exclude each other.
   * @param realm if it is known, the plan also checks, with more information
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
  /** The objects of a reading, in the server's order; undefined if the reading does not have them. */
  read(realm: Realm): Found | undefined;
  /** The kind's part of a reading with other names for these objects, by id: for kinds that others name and that can be renamed. */
  renamed?(snapshot: Snapshot, names: ReadonlyMap<number, string>): Partial<Snapshot>;
  /**
   * What a reading must have, in addition to the usual parts, so that these declared objects can be planned with certainty.
   * @param realm a first reading, if there is one: it may show that a second one must have more
   */
  request?(declared: readonly DeclaredObject[], realm?: Realm): Partial<SnapshotRequest>;
  /**
   * If `request` needs something before there is a realm, the file has one of these words: a file without any is not decoded to find out what to
   * read. Without this list, every file may need more. A missing word costs a second reading, and nothing else.
   */
  readonly requestWords?: readonly string[];
}

/** How the planner compares, if comparing canonical fields is not enough. */
export interface DiffFacet {
  /** Works out fields that depend on the live object, before they are compared. */
  resolveDerivedFields?(declared: DeclaredObject, live: LiveObject | undefined): DeclaredObject;
  /**
   * The same for fields that depend on the changes of other kinds (people in a group that the plan fills): a kind that has this is compared after all
   * kinds that do not. `accessIn(planned)` of src/access knows who is in which group after those changes.
   */
  resolveFromPlan?(declared: DeclaredObject, live: LiveObject | undefined, planned: PlannedChanges): DeclaredObject;
}

export interface ObjectDiffFacet extends DiffFacet {
  /** Whether the order of the section has a meaning on the server (linkifiers), or when it has (folders: only if the file has all of them). */
  readonly ordered?: boolean | ((policy: Policy, level: number) => boolean);
  /**
   * The values of this object if nobody had ever changed anything: what the server gives to an object that is created without the field. Under
   * `unset: default`, fields that the file leaves out are set to these. A field that is missing here has no known default (subscribers), and is not
   * watched.
   */
  defaults?(realm: Realm, live: LiveObject): Fields;
  /**
   * What the server gives to the account that creates such an object, for fields that say who may do something or who owns it: a plan shows these if
   * its creations leave them out. {@link DiffFacet.resolveDerivedFields} adds those that calls need.
   */
  implied?(realm: Realm): Fields;
}

export interface SingletonDiffFacet extends DiffFacet {
  readonly ordered?: never;
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

/** What a reviewer must know before anything is sent. */
export interface ReviewFacet {
  /** Errors that only the whole plan shows: levels, rights, names that are taken, combinations that the server would refuse. */
  check?(changes: readonly Change[], context: PlanContext): readonly Diagnostic[];
  /** Whether the server deletes messages with the value before that it keeps with the value after. Drift shows this first. */
  keepsMessages?(change: FieldChange, context: PlanContext): boolean;
  /** Texts of a list that a change renames: the new one → the old one. An undo renames them back. */
  renamedIn?(change: Change, field: FieldChange, context: PlanContext): Readonly<Record<string, string>> | undefined;
  /** What a reviewer must see first. */
  risks?(change: Change, context: PlanContext): readonly Risk[];
}

/** An object that frees one name and takes another; names as the server compares them. */
export interface Move {
  readonly change: Change;
  readonly from: string;
  readonly to: string;
  /** The name that it takes, as it is sent; default: the object's. */
  readonly name?: string;
  /** It needs two requests anyway, so a temporary name costs none. */
  readonly isTwice?: boolean;
}

/** The requests. */
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
   * (docs/decisions/0012-least-calls.md); default: one for each change.
   */
  least?(changes: readonly Change[], context: PlanContext): number;
  /** Side effects that people notice; `calls` are those of the whole plan, in their order. */
  sideEffects?(changes: readonly Change[], context: PlanContext, calls: readonly Call[]): Partial<SideEffects>;
  /** The states in which a changed object has all values of the plan, if it needs others than `written`: objects that rely on these values wait for all. */
  readonly writtenStates?: readonly ObjectState[];
  /** Every change except a removal sends one mail: a guard rail on mails counts this. */
  readonly mails?: true;
  /** False for a live value that no request can set. No undo promises to restore it. Default: every value can be set. */
  canSet?(field: string, value: Json): boolean;
  /**
   * Whether a live value shows that a change was carried out, although it is not the wanted value: a picture, of which a reading has the version and
   * not the file; or a list to which one call adds some and from which another removes others. Default: it does not.
   * @param by the reading that has the value, and the call that was sent; without a call: whether calls of the plan can have left this value
   */
  shows?(change: FieldChange, live: Json, by: { readonly call?: Call; readonly realm: Realm }): boolean;
}

/** What undoing a run must know, in addition to setting fields. */
export interface UndoFacet {
  /** What an object that the run created gives up before it is archived or deactivated, so that the objects that it names can be removed too. */
  beforeDeactivation?(live: LiveObject): Fields;
  /** What an object that is replaced, or deleted and created again, does not get back; default: its id, if it has one. */
  readonly lostOnRecreate?: LossFact;
  /** What a change removed and an undo does not restore; undefined: nothing. */
  lostWith?(change: Change): LossFact | undefined;
  /** Effects of a change besides its fields that stay although it is undone: these of its fields get their values back. Undefined: none. */
  stays?(change: Change, restored: Fields): SideEffectFact | undefined;
  /** What else to declare for an object that gets these fields back ({@link DeclaredObject.creation}). */
  declares?(restored: readonly FieldChange[]): Fields;
  /** An object of another section that a request ended before the change that it belongs to, without its own change; undefined: none. */
  endedAhead?(call: Call): { readonly section: string; readonly id: number } | undefined;
  /** Why a change cannot be undone at all; undefined: it can. */
  whyStays?(change: Change): FinalFact | undefined;
}

/** From the server into a file: export and adopt. */
export interface YamlFacet {
  /** Live object → the item that a person would have written: defaults left out. */
  item(live: LiveObject, realm: Realm): Json;
  /**
   * A field's live value in the form of the file, if that is more than the value; default: the value itself.
   * @param raw the field in the current item, with variables filled in; undefined if it inherits its value
   * @param declared undefined if there is no item yet
   */
  field?(field: string, live: Json, raw: Json | undefined, declared: DeclaredObject | undefined, realm: Realm): Json;
  /** Fields that are exported only on request: they list people, who join and leave. */
  readonly asked?: readonly string[];
  /** For list entries that stand for several objects: entries made by {@link YamlFacet.item}, with equal ones combined. */
  join?(items: readonly Json[]): readonly Json[];
  /** Why a file cannot name the server's value of a field; undefined if it can (adopt). */
  whyInexpressible?(field: string, live: Json, realm: Realm): InexpressibleFact | undefined;
  /** What no file can express of the section's state on the server: comments in an exported file. */
  exportCaveats?(realm: Realm): readonly ExportCaveat[];
  /** Fields that belong together, in their order, for a section that is its own item. */
  readonly parts?: readonly { readonly heading: string; readonly fields: readonly string[] }[];
  /** Pictures, which no reading holds: exported as files of their own. */
  readonly pictures?: {
    of(live: LiveObject, realm: Realm): readonly ShownPicture[];
    /** The item with the path of its picture. */
    put(item: Json, field: string, path: string): Json;
  };
  /** Exported only on request: it is about one account, or names people who have not joined yet. */
  readonly onRequest?: true;
  /** Shown beside the section if it is offered and cannot be counted yet, since a reading has it only on request: a few words. */
  readonly offeredAs?: string;
  /** The field by whose values an export to many files distributes objects over files. */
  readonly splitBy?: string;
}

/** Accounts that can change nothing in the section, or not everything: `init` reports this for the current account. */
export interface ReachFacet {
  /** The least role that can change any of it; default: a guest, if the server allows it. */
  readonly role?: "owner" | "administrator" | "member";
  /** Whether bots may: never, or from a feature level on; default: as people. */
  readonly bots?: "never" | number;
  /** What else this account cannot do though it may change the rest. */
  caveats?(realm: Realm): readonly ReachCaveat[];
}

/** What people read about the section. */
export interface DocsFacet {
  /** What somebody must know before writing the section, in a sentence or two: for the schema and the reference page. */
  readonly about?: string;
  /** Which accounts may change it. */
  readonly who: string;
  /** Fields that need more rights, or other ones: which accounts may change them. */
  readonly whoMay?: { readonly [field: string]: string };
  /** The value of a new object that is created without the field. A test requires one for every field that a plan compares. */
  readonly defaults: { readonly [field: string]: string };
  /** Fields that the API does not return, or not as they were sent: what plan and drift compare instead. A test requires one for each. */
  readonly unseen?: { readonly [field: string]: string };
  /** A file that is valid on its own. */
  readonly example: string;
}

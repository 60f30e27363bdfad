import { own } from "./defined.ts";
import type {
  CallsFacet,
  DocsFacet,
  EntryNameFacet,
  FileFacet,
  HistoryFacet,
  InactivityFacet,
  LiveFacet,
  NameFacet,
  ObjectDiffFacet,
  ReachFacet,
  ReviewFacet,
  SingletonDiffFacet,
  UndoFacet,
  YamlFacet,
} from "./facets.ts";
import type { Fields, LiveObject } from "./objects.ts";
import { isRightName } from "./permission-settings.ts";
import type { Realm } from "./realm.ts";
import type { FieldSecrecy, SecrecyFacet } from "./secrecy.ts";
import { temporaryName } from "./temporary-name.ts";

/** Facets that kinds of every shape have. */
export interface AnyKind<Item> {
  /** The first half of every address: `channel`. */
  readonly name: string;
  /** The key of the section in realm.yaml: `channels`. */
  readonly section: string;
  /** The nouns for sentences: "channel" and "channels". */
  readonly noun: readonly [one: string, many: string];
  /**
   * Whether the file never lists all objects (people). Then unlisted objects are ignored, do not count as unmanaged, and `exact` is refused. Nothing
   * is created: a declared object that does not exist is an error.
   */
  readonly isPartial?: true;
  /** Whether the objects are accounts, whose ids are those of users. */
  readonly isAccount?: true;
  readonly file: FileFacet<Item>;
  readonly review?: ReviewFacet;
  readonly calls: CallsFacet;
  readonly undo?: UndoFacet;
  readonly yaml?: YamlFacet;
  readonly reach?: ReachFacet;
  readonly history?: HistoryFacet;
  /** What other people must not see. Redaction and hidden snapshots ask the kind, and show only what it allows. */
  readonly secrecy: SecrecyFacet;
  readonly docs: DocsFacet;
}

/** Objects identified by their names: the section is a map from names to items. */
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
 * An object that always exists, exactly once: the section is the item. Nothing creates, removes, names or reactivates it; a plan has at most one
 * change of it, an update. Its address is `name:organization` ({@link SINGLETON}).
 */
export interface SingletonKind<Item = unknown> extends AnyKind<Item> {
  readonly shape: "singleton";
  readonly identity?: never;
  readonly inactivity?: never;
  readonly live: LiveFacet<Fields>;
  readonly diff?: SingletonDiffFacet;
}

/**
 * Everything realmctl knows about one kind of object, in facets (docs/internals/decisions/0029-a-kind-is-facets-in-one-folder.md). Nothing in it does IO;
 * kinds never import each other. The planner matches declared and live objects by id, `was` and key, compares canonical fields, and
 * asks for calls.
 */
export type ResourceKind<Item = unknown> = MapKind<Item> | ListKind<Item> | SingletonKind<Item>;

/** The name and key of a singleton: the second half of its address. */
export const SINGLETON = "organization";

/** The name as the server compares it. */
export function keyOf({ identity }: ResourceKind, name: string): string {
  return identity?.keyOf(name) ?? name;
}

/** The name as the server would store it. */
export function canonicalName({ identity }: ResourceKind, name: string): string {
  return identity?.canonicalName?.(name) ?? name;
}

/** The name of an object while another one takes its name. */
export function temporaryNameOf({ identity }: ResourceKind, name: string, id: number, spare = 0): string {
  return identity?.temporaryName?.(name, id, spare) ?? temporaryName(name, id, undefined, spare);
}

/** Whether a field is a permission setting that only a server knows ({@link FileFacet.rights}). */
export const isOtherRight = ({ file }: ResourceKind, field: string): boolean =>
  file.rights !== undefined && isRightName(field) && !Object.hasOwn(file.fields, field);

export const isRight = (kind: ResourceKind, field: string): boolean =>
  own(kind.file.fields, field)?.isPermission === true || isOtherRight(kind, field);

/** What the values of a field reveal; undefined if the kind does not say. */
export const secrecyOf = (kind: ResourceKind, field: string): FieldSecrecy | undefined =>
  own(kind.secrecy.fields ?? {}, field) ?? (isRight(kind, field) ? "groups" : undefined);

/** The settings of an organization that this version does not know, by the server's names, sorted. */
export const newerSettings = (kinds: readonly ResourceKind[], realm: Realm): readonly string[] =>
  [
    ...new Set(kinds.flatMap(({ live }) => [...(live.newer?.(realm) ?? []), ...(live.newerObjects?.(realm) ?? [])])),
  ].sort();

const REMOVALS = { archived: "archives", deactivated: "deactivates" } as const;

export function removalVerb({ inactivity }: ResourceKind): "removes" | "archives" | "deactivates" {
  return inactivity === undefined ? "removes" : REMOVALS[inactivity.field];
}

const liveKnown = new WeakMap<Realm["snapshot"], Map<ResourceKind, readonly LiveObject[] | undefined>>();

/**
 * The objects of a kind in a reading; a singleton is one object. Undefined if the reading does not have them. Kinds are pure: each is evaluated once
 * for each reading.
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

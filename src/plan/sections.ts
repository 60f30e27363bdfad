import type { Desired } from "../model/desired.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { canonicalName, liveObjects, type ResourceKind } from "../model/kind.ts";
import { type DeclaredObject, keepKey, type LiveObject, type Pair, type Policy } from "../model/objects.ts";
import type { Change, Unmanaged } from "../model/plan.ts";
import type { PlannedChanges } from "../model/plan-context.ts";
import { Realm } from "../model/realm.ts";
import { liveAcross, realmAfter } from "../model/renames.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { compareSection, type Paired } from "./compare.ts";
import { exceptOfNothing } from "./idle-excepts.ts";
import { asideIn } from "./left-aside.ts";
import { levelDiagnostics, missingSection } from "./levels.ts";
import { type Matching, matchObjects } from "./match.ts";
import { missingRemovals } from "./missing-removals.ts";
import type { Part } from "./partial.ts";
import { orderChange } from "./reorder.ts";
import { countedIn } from "./singleton.ts";
import { withSureFields } from "./sure-fields.ts";
import { unsetIn, withDefaults } from "./unset.ts";

/** One section of the file, with the objects of the server. */
export interface Section {
  readonly kind: ResourceKind;
  readonly isManaged: boolean;
  readonly pairs: readonly Pair[];
  /** Every object of the kind, active or not. */
  readonly live: readonly LiveObject[];
  readonly changes: readonly Change[];
  /** How many declared objects match the file. */
  readonly matches: number;
  readonly unmanaged: readonly Unmanaged[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The current realm, and the realm with the names after the plan. */
export interface Realms {
  readonly now: Realm;
  readonly named: Realm;
  readonly matchings: ReadonlyMap<ResourceKind, Matching>;
}

/** The realm before and after the renames of a file. Objects name each other, so all kinds are matched before any is compared. */
export function realmsOf(desired: Desired, snapshot: Snapshot, kinds: readonly ResourceKind[], part?: Part): Realms {
  const now = new Realm(snapshot);
  const matchings = new Map<ResourceKind, Matching>();
  const renames = new Map<string, Map<number, string>>();
  for (const kind of kinds) {
    const declared = desired.sections.get(kind.section);
    if (declared === undefined) continue;
    // In a cycle of renames the fields decide which object is which. The new names of other objects are not differences in these fields, so the kinds
    // of named objects (groups, folders) are matched before those that name them.
    const live = declared.some(({ was }) => was !== undefined)
      ? liveAcross(kind, now, realmAfter(now, renames, kinds))
      : liveObjects(kind, now);
    if (live === undefined) continue;
    const matching = part?.matchings.get(kind) ?? matchObjects(kind, declared, live);
    matchings.set(kind, matching);
    for (const [object, found] of matching.liveOf) {
      const name = canonicalName(kind, object.name);
      if (found.id === null || name === found.name) continue;
      const known = renames.get(kind.name) ?? new Map<number, string>();
      renames.set(kind.name, known.set(found.id, name));
    }
  }
  return { now, named: realmAfter(now, renames, kinds), matchings };
}

/** Every section of the file with its objects on the server. Kinds that examine the changes of others are compared after them. */
export function compareSections(
  desired: Desired,
  kinds: readonly ResourceKind[],
  realms: Realms,
  part: Part | undefined,
  comparesOnly = false,
): readonly Section[] {
  const compared = new Map<ResourceKind, Section>();
  const compare = (kind: ResourceKind): void => {
    const changes = dependsOnPlan(kind) ? [...compared.values()].flatMap((section) => section.changes) : [];
    const planned = { realm: realms.named, changes };
    compared.set(kind, compareKind(kind, desired, realms, { part, planned, comparesOnly, kinds }));
  };
  for (const kind of kinds) if (!dependsOnPlan(kind)) compare(kind);
  for (const kind of kinds) if (dependsOnPlan(kind)) compare(kind);
  return kinds.flatMap((kind) => compared.get(kind) ?? []);
}

const dependsOnPlan = ({ diff }: ResourceKind): boolean =>
  diff?.resolveFromPlan !== undefined || diff?.resolveTogether !== undefined;

/** How a section is compared. */
interface How {
  readonly part: Part | undefined;
  readonly planned: PlannedChanges;
  readonly comparesOnly: boolean;
  readonly kinds: readonly ResourceKind[];
}

function compareKind(
  kind: ResourceKind,
  desired: Desired,
  { now, named, matchings }: Realms,
  { part, planned, comparesOnly, kinds }: How,
): Section {
  const declared = desired.sections.get(kind.section);
  if (kind.isPartial === true && declared === undefined)
    return { kind, isManaged: false, pairs: [], live: [], changes: [], matches: 0, unmanaged: [], diagnostics: [] };
  const live = liveAcross(kind, now, named);
  const none = { kind, isManaged: declared !== undefined, pairs: [], live: live ?? [], changes: [], matches: 0 };
  if (declared === undefined) return { ...none, unmanaged: unmanagedBy(kind, live ?? []), diagnostics: [] };
  const managedAt = desired.manageAt?.[kind.section];
  if (live === undefined)
    return { ...none, unmanaged: [], diagnostics: missingSection(kind, declared, now, managedAt) };
  const policy = desired.manage[kind.section] ?? "additive";
  const { liveOf, diagnostics } = matchingAcross(kind, declared, live, matchings.get(kind));
  const isKept = desired.keeps?.has(kind.name) === true;
  const isAside = asideIn(kind, desired);
  const removes = (object: LiveObject): boolean =>
    !isKept &&
    !isAside(object.name) &&
    desired.keeps?.has(keepKey(kind.name, object)) !== true &&
    (part === undefined || part.removes(kind, object));
  const managed = { policy, at: managedAt, removes };
  const unset = unsetIn(kind, desired);
  const resolved = declared.map((object): Paired => {
    const found = liveOf.get(object);
    const own = comparesOnly ? surely(object, found, { desired, kinds, realm: named }) : object;
    return [own.isLeft === true ? own : resolvedObject(kind, own, found, { unset, named, planned }), found];
  });
  const pairs = comparedTogether(kind, resolved, planned, (objects) => compareSection(kind, objects, live, managed));
  const changes = pairs.flatMap(({ change }) => change ?? []);
  const ordered = kind.diff?.ordered;
  const isOrdered =
    desired.ordered?.has(kind.section) === true ||
    (typeof ordered === "function" ? ordered(policyOfOrder(policy, live, isAside), now.level) : ordered === true);
  const mayOrder = part === undefined || part.orders(kind);
  const reorder = isOrdered && mayOrder ? orderChange(kind, pairs, live) : undefined;
  const { matches, unmentioned } = countedIn(kind, pairs);
  return {
    kind,
    isManaged: true,
    pairs,
    live,
    changes: reorder === undefined ? changes : [...changes, reorder],
    matches,
    unmanaged: kind.isPartial === true ? [] : unmentionedBy(kind, policy, unmentioned, isAside),
    diagnostics: [
      ...diagnostics,
      ...(desired.except?.[kind.section] === undefined ? [] : exceptOfNothing(kind, desired, live, changes)),
      ...missingRemovals(kind, declared, live, { liveOf, diagnostics }),
      ...resolved.flatMap(([object, found]) => levelDiagnostics(kind, object, found, { realm: now, live })),
    ],
  };
}

/** Compares objects, and again if they have fields that depend on other objects of the section: what the others become must be known first. */
function comparedTogether(
  { diff }: ResourceKind,
  objects: readonly Paired[],
  planned: PlannedChanges,
  compare: (objects: readonly Paired[]) => readonly Pair[],
): readonly Pair[] {
  const first = compare(objects);
  if (diff?.resolveTogether === undefined || !objects.some(([{ creation }]) => creation !== undefined)) return first;
  const own = first.flatMap(({ change }) => change ?? []);
  return compare(diff.resolveTogether(objects, { ...planned, changes: [...planned.changes, ...own] }));
}

/** A file that leaves objects out does not have all of them. */
const policyOfOrder = (policy: Policy, live: readonly LiveObject[], isAside: (name: string) => boolean): Policy =>
  policy === "exact" && live.some(({ name, inactive }) => !inactive && isAside(name)) ? "additive" : policy;

function unmentionedBy(
  { section }: ResourceKind,
  policy: Policy,
  names: readonly string[],
  isAside: (name: string) => boolean,
): readonly Unmanaged[] {
  const aside = names.filter(isAside);
  const others = names.filter((name) => !isAside(name));
  return [
    { section, policy, names: others },
    ...(aside.length === 0 ? [] : [{ section, policy: "except" as const, names: aside }]),
  ];
}

/** What there is of a section that the file does not have. A singleton always exists, so nobody forgot to declare it. */
function unmanagedBy({ shape, section }: ResourceKind, live: readonly LiveObject[]): readonly Unmanaged[] {
  const objects = shape === "singleton" ? [] : live;
  const names = objects.filter(({ inactive }) => !inactive).map(({ name }) => name);
  return names.length === 0 ? [] : [{ section, policy: "absent", names }];
}

/** Most objects have no name that does not resolve: what compares the others is loaded when it is called (scripts/on-call.mjs). */
const surely = (
  object: DeclaredObject,
  found: LiveObject | undefined,
  input: Parameters<typeof withSureFields>[2],
): DeclaredObject => (object.gaps === undefined || found === undefined ? object : withSureFields(object, found, input));

/** With the fields that depend on the live object, on defaults, and on the changes of other kinds. */
function resolvedObject(
  kind: ResourceKind,
  object: DeclaredObject,
  found: LiveObject | undefined,
  {
    unset,
    named,
    planned,
  }: {
    readonly unset: ReturnType<typeof unsetIn>;
    readonly named: Realm;
    readonly planned: PlannedChanges;
  },
): DeclaredObject {
  const { resolveDerivedFields, resolveFromPlan } = kind.diff ?? {};
  const derived = resolveDerivedFields?.(object, found) ?? object;
  const own = unset === undefined ? derived : withDefaults(kind, derived, found, { ...unset, realm: named });
  return resolveFromPlan?.(own, found, planned) ?? own;
}

/**
 * The earlier matching with the current live objects. Objects without ids are found again by their names, which can belong to other objects by now
 * (default channels).
 */
function matchingAcross(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  live: readonly LiveObject[],
  before: Matching | undefined,
): Matching {
  if (before === undefined || live.some(({ id }) => id === null)) return matchObjects(kind, declared, live);
  const byId = new Map(live.map((object) => [object.id, object]));
  const liveOf = new Map<DeclaredObject, LiveObject>();
  for (const [object, found] of before.liveOf) liveOf.set(object, byId.get(found.id) ?? found);
  return { liveOf, diagnostics: before.diagnostics };
}

import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, error, type Span, tooOld, warning } from "../model/diagnostic.ts";
import { quote, runningAccount } from "../model/diagnostics/values.ts";
import { canonicalName, isOtherRight, liveObjects, type ResourceKind } from "../model/kind.ts";
import { type DeclaredObject, keepKey, type LiveObject, type Pair, type Policy } from "../model/objects.ts";
import { isRightName } from "../model/permission-settings.ts";
import type { Change, Unmanaged } from "../model/plan.ts";
import type { PlannedChanges } from "../model/plan-context.ts";
import type { PlanPart } from "../model/plan-schema.ts";
import { Realm } from "../model/realm.ts";
import { liveAcross, realmAfter } from "../model/renames.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { didYouMean, editDistance, Patience } from "../model/suggest.ts";
import { compareSection, type Paired } from "./compare.ts";
import { exceptOfNothing } from "./idle-excepts.ts";
import { asideIn } from "./left-aside.ts";
import { type Matching, matchObjects } from "./match.ts";
import { isReadOnRequest } from "./requests.ts";
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

/** What the planner plans instead of the whole file. */
export interface Part {
  readonly desired: Desired;
  readonly matchings: ReadonlyMap<ResourceKind, Matching>;
  /** Whether an object that the file does not mention may be removed. */
  removes(kind: ResourceKind, live: LiveObject): boolean;
  /** Whether the plan may reorder the section. */
  orders(kind: ResourceKind): boolean;
  /** How the plan describes its part of the file. */
  readonly says: PlanPart;
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
    return [own.isLeft === true ? own : resolvedObject(kind, own, found, unset, planned), found];
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
  unset: ReturnType<typeof unsetIn>,
  planned: PlannedChanges,
): DeclaredObject {
  const { resolveDerivedFields, resolveFromPlan } = kind.diff ?? {};
  const derived = resolveDerivedFields?.(object, found) ?? object;
  const own = unset === undefined ? derived : withDefaults(kind, derived, found, { ...unset, realm: planned.realm });
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
  return { ...before, liveOf };
}

/** Fields that the server cannot store yet, or no longer: reported at the line that sets them, and not in the middle of a run. */
export function levelDiagnostics(
  kind: ResourceKind,
  object: DeclaredObject,
  found: LiveObject | undefined,
  { realm, live }: { readonly realm: Realm; readonly live: readonly LiveObject[] },
): readonly Diagnostic[] {
  const { level, snapshot } = realm;
  return Object.entries(object.fields).flatMap(([field, value]) => {
    const needed = kind.file.fields[field]?.level;
    const at = () => object.spans.of(field) ?? object.at;
    if (needed !== undefined && needed > level) return [tooOld({ kind: "word", word: field }, needed, level, at())];
    // Of a new object, only a field that came later is looked for in others: some readings lack lists, which cost much.
    const shown = found !== undefined ? [found] : needed === undefined ? [] : live;
    const isShown = shown.some(({ fields }) => Object.hasOwn(fields, field));
    const isMissing = value !== null && shown.length > 0 && !isShown && !isUnseen(kind, field);
    const isGone = isMissing || isUndescribed(kind, field, snapshot);
    return isGone ? [error("plan/setting-gone", { setting: field, level, ...defined({ since: needed }) }, at())] : [];
  });
}

/** A permission setting that the server does not describe. A server that describes none says nothing about any. */
function isUndescribed({ file }: ResourceKind, field: string, { permission_settings }: Snapshot): boolean {
  if (file.rights === undefined || !isRightName(field)) return false;
  const described = permission_settings?.[file.rights] ?? {};
  return Object.keys(described).length > 0 && !Object.hasOwn(described, field);
}

/** A field that readings do not have, or not of every object: only its change tells anything. */
const isUnseen = ({ docs, file }: ResourceKind, field: string): boolean =>
  file.fields[field]?.isOfSome === true || Object.hasOwn(docs.unseen ?? {}, field);

/** A section that the snapshot does not hold. */
export function missingSection(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  realm: Realm,
  managedAt: Span | undefined,
): readonly Diagnostic[] {
  const at = declared[0]?.at ?? managedAt;
  if (at === undefined) return [];
  if (kind.live.level !== undefined && realm.level < kind.live.level) {
    return [tooOld({ kind: "word", word: kind.section }, kind.live.level, realm.level, at)];
  }
  const { snapshot } = realm;
  return snapshot.account.is_bot && isReadOnRequest(kind)
    ? [error("invites/bot", { account: runningAccount(snapshot) }, at)]
    : [error("plan/not-read", { section: kind.section }, at)];
}

/**
 * Objects that the file removes and that do not exist. `archived` and `deactivated` leave an object on the server, so a missing one is an error in
 * the file; if the entry also has other fields, there was such an object, and somebody renamed it. `absent` can delete an object for good, so a missing one is reported only if its name is similar to another one.
 * Objects that another entry of the file means are not suggested.
 */
export function missingRemovals(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  live: readonly LiveObject[],
  { liveOf }: Matching,
): readonly Diagnostic[] {
  const missing = declared.filter((object) => object.absent && isWritten(object) && !liveOf.has(object));
  const claimed = new Set(liveOf.values());
  const free = live.filter((object) => !claimed.has(object)).map(({ name }) => name);
  const patience = new Patience();
  const noun = kind.noun[0];
  const inactivity = kind.inactivity?.field;
  return missing.flatMap((object): readonly Diagnostic[] => {
    const written = object.was ?? object.name;
    const meant = bare(written, free) ?? nearTo(written, free, patience);
    const stays = inactivity !== undefined && object.fields[inactivity] === true;
    if (meant === undefined && !stays) return [];
    const isDescribed = stays && Object.keys(object.fields).some((field) => field !== inactivity);
    const fact = {
      noun,
      name: quote(written, kind.name),
      removal: inactivity ?? ("removed" as const),
      ...defined({
        meant: meant === undefined ? undefined : quote(meant, kind.name),
        is_described: isDescribed ? (true as const) : undefined,
        is_private: isDescribed && kind.secrecy.isHidden?.(object.fields) === true ? (true as const) : undefined,
      }),
    };
    return [warning("plan/nothing-to-remove", fact, object.spans.of("was") ?? object.at)];
  });
}

/** A similar name. The limit is stricter than in the suggestions of errors: a missing object is the normal state after a removal. */
function nearTo(written: string, names: readonly string[], patience: Patience): string | undefined {
  const meant = didYouMean(written, names, patience);
  const limit = Math.max(1, Math.floor(written.length / 6));
  if (meant === undefined) return undefined;
  return editDistance(written.toLowerCase(), meant.toLowerCase(), limit + 1) > limit ? undefined : meant;
}

/** Whether an entry still asks for something. An invitation of somebody who has joined does not. */
const isWritten = ({ settled }: DeclaredObject): boolean => settled !== true;

/** People write `#general` for the channel general. */
const bare = (written: string, names: readonly string[]): string | undefined =>
  /^[#@]/.test(written) ? names.find((name) => name === written.slice(1)) : undefined;

/**
 * The one change that puts a section in the file's order, if the order differs after everything else was applied: removed objects no longer exist,
 * new ones come last, reactivated ones keep their old places. Objects that the file does not mention keep their places.
 * @param live in the server's order
 */
export function orderChange(
  kind: ResourceKind,
  pairs: readonly Pair[],
  live: readonly LiveObject[],
): Change | undefined {
  const staying = pairs.filter((pair) => pair.change?.action !== "remove" && !isAbsent(pair) && !falls(pair, kind));
  const byLive = new Map(staying.map((pair) => [pair.live, pair]));
  const existing = live.flatMap((object) => byLive.get(object) ?? []);
  const current = [...existing, ...staying.filter((pair) => pair.live === undefined)];
  // The places of the declared objects, filled in the order of the file; these come first in the pairs.
  let next = 0;
  const ordered = current.map((pair) => (pair.declared === undefined ? pair : (staying[next++] ?? pair)));
  const moved = ordered.find((pair, index) => pair !== current[index]);
  if (moved === undefined) return undefined;
  const at = moved.declared?.at;
  return {
    action: "reorder",
    kind: kind.name,
    address: `${kind.name}:*`,
    name: kind.section,
    fields: [
      {
        field: "order",
        before: current.map(nameAfter),
        after: ordered.map(nameAfter),
        ...defined({ at }),
      },
    ],
    ...defined({ at }),
    risks: [],
  };
}

const nameAfter = (pair: Pair): string => pair.change?.name ?? pair.live?.name ?? "";
const isAbsent = (pair: Pair): boolean =>
  pair.declared?.absent === true || (pair.live?.inactive === true && !pair.change);
const falls = (pair: Pair, kind: ResourceKind): boolean =>
  pair.change?.fields.some(({ field, after }) => field === kind.inactivity?.field && after === true) === true;

/** What a plan counts in a section: objects, or the fields of a singleton. */
export function countedIn(
  kind: ResourceKind,
  pairs: readonly Pair[],
): { readonly matches: number; readonly unmentioned: readonly string[] } {
  if (kind.shape !== "singleton") {
    return {
      matches: pairs.filter(
        ({ declared, change }) => declared !== undefined && declared.gaps === undefined && change === undefined,
      ).length,
      unmentioned: pairs.flatMap(({ declared, live, change }) =>
        declared === undefined && live?.inactive === false && change === undefined ? [live.name] : [],
      ),
    };
  }
  const matched = pairs.flatMap((pair) => Object.keys(pair.declared?.fields ?? {}));
  const declared = [...matched, ...pairs.flatMap((pair) => (pair.declared?.gaps ?? []).map(({ field }) => field))];
  const changed = pairs.flatMap(({ change }) => change?.fields ?? []);
  const live = pairs
    .flatMap((pair) => Object.keys(pair.live?.fields ?? {}))
    .filter((field) => !isOtherRight(kind, field));
  return { matches: matched.length - changed.length, unmentioned: live.filter((field) => !declared.includes(field)) };
}

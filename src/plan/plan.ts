import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, type Diagnostic, error } from "../model/diagnostic.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { type Named, namedOf, type RiskFact } from "../model/facts.ts";
import { canonicalName, liveObjects, type ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, Fields, LiveObject, Pair } from "../model/objects.ts";
import {
  type Address,
  type Change,
  type FieldChange,
  PLAN_VERSION,
  type Plan,
  type PlanExtra,
  type Risk,
  type SideEffects,
  type Unmanaged,
} from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { Realm } from "../model/realm.ts";
import { liveAcross, realmAfter } from "../model/renames.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { leftOutOf, type PlanPart, type Targets } from "../model/targets.ts";
import { aroundAccounts } from "./accounts-moving.ts";
import { withAlike } from "./alike.ts";
import { assemble } from "./assemble.ts";
import { compareSection, withImplied } from "./compare.ts";
import { levelProblems, missingSection } from "./levels.ts";
import { type Matching, matchObjects } from "./match.ts";
import { missingRemovals } from "./missing-removals.ts";
import { namedAndLeaving } from "./named-and-leaving.ts";
import { namedAndRemoved } from "./named-and-removed.ts";
import { beforeRightsGo } from "./own-rights.ts";
import { type Part, partOf } from "./partial.ts";
import { renameWarnings } from "./renamed.ts";
import { orderChange } from "./reorder.ts";
import { countedIn } from "./singleton.ts";
import { unsetIn, watchOf, withDefaults } from "./unset.ts";

export interface PlanInput {
  readonly desired: Desired;
  readonly snapshot: Snapshot;
  readonly kinds: readonly ResourceKind[];
  readonly toolVersion: string;
  /** Nothing else is planned. */
  readonly targets?: Targets;
  /** An earlier reading was planned with these targets: what they name may be gone. */
  readonly isAgain?: boolean;
  /** Sections that the reading does not hold are left out with a warning: for questions, not for what is to be applied. */
  readonly leavesUnread?: boolean;
}

/**
 * What has to change so that the realm is as the file says, and the requests that do it: a pure function of what it is given.
 * Errors that only the realm shows come back instead, all at once, in the order of the file.
 */
export function planChanges(input: PlanInput): Checked<Plan> {
  const whole = planWhole(input);
  if (!whole.ok) return whole;
  const { plan, ...parts } = whole.value;
  const { targets, desired, isAgain = false } = input;
  if (targets === undefined) return { ...whole, value: plan };
  const found = partOf({ desired, ...parts }, targets, isAgain);
  if (!found.ok) return { ok: false, diagnostics: [...found.problems].sort(byPlace) };
  const { part } = found;
  const own = planWhole(input, part);
  if (!own.ok) return notAlone(own.diagnostics, part.says);
  // What is doubtful in the file is so whatever of it is planned.
  const isAbout = (section: string): boolean => part.desired.sections.get(section)?.length !== 0;
  const value = {
    ...own.value.plan,
    matches: Object.fromEntries(Object.entries(own.value.plan.matches).filter(([section]) => isAbout(section))),
    unmanaged: plan.unmanaged.filter(({ section, policy }) => policy !== "absent" && isAbout(section)),
    warnings: plan.warnings,
    extra: { ...own.value.plan.extra, partial: part.says },
  };
  return { ok: true, value, warnings: whole.warnings };
}

function notAlone(diagnostics: readonly Diagnostic[], says: PlanPart): Checked<never> {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return { ok: false, diagnostics: [error("targets/not-alone", { left_out: leftOutOf(says) }), ...errors] };
}

/** A plan with what it was made from, as far as a part of it can be planned from that. */
interface PlannedWhole {
  readonly plan: Plan;
  readonly sections: readonly Section[];
  readonly drafts: readonly DraftCall[];
  readonly matchings: Realms["matchings"];
}

/** @param part what to plan in place of the whole file */
function planWhole(
  { desired: all, snapshot, kinds, toolVersion, leavesUnread }: PlanInput,
  part?: Part,
): Checked<PlannedWhole> {
  const desired = withAlike(part?.desired ?? all, new Realm(snapshot), kinds);
  const realms = realmsOf(desired, snapshot, kinds, part);
  const sections = kinds.map((kind) => compareKind(kind, desired, realms, part));
  const named = namedAndRemoved(desired, sections);
  const context = contextOf(desired, realms, sections, named.addresses);
  const problems: Diagnostic[] = [
    ...desired.warnings,
    ...sections.flatMap((section) => section.problems),
    ...named.problems,
    ...namedAndLeaving(desired, sections, realms.now),
    ...sections.flatMap(({ kind, changes }) => kind.review?.check?.(changes, context) ?? []),
    ...renameWarnings(context.changes, desired, kinds, realms.now),
  ]
    .map((problem) => (leavesUnread === true && problem.code === "plan/not-read" ? asWarning(problem) : problem))
    .sort(byPlace);
  if (problems.some(({ severity }) => severity === "error")) return { ok: false, diagnostics: problems };

  const used = sections.filter((section) => section.isManaged);
  const kindsDrafts = used.flatMap(({ kind, changes }) => kind.calls.draft(changes, context));
  const drafts = beforeRightsGo(aroundAccounts(kindsDrafts, context, kinds), context);
  const assembled = assemble(drafts, { changes: context.changes, realm: context.realm });
  if (!assembled.ok) {
    return { ok: false, diagnostics: [...problems, cycleProblem(assembled.cycle, context)].sort(byPlace) };
  }
  const { calls, splits } = assembled;
  const effects = used.map(({ kind, changes }) => kind.calls.sideEffects?.(changes, context, calls) ?? {});
  const plan: Plan = {
    format: "realmctl.plan",
    version: PLAN_VERSION,
    tool_version: toolVersion,
    snapshot_taken_at: snapshot.taken_at,
    realm: snapshot.realm,
    server: snapshot.server,
    account: accountOf(snapshot),
    changes: used.flatMap(({ kind, changes }) => {
      const implied = impliedBy(kind, context.realm);
      return changes.map((change) => ({
        ...withKept(kind, withImplied(kind, change, implied), context),
        risks: [...(kind.review?.risks?.(change, context) ?? []), ...lostForGood(kind, change)],
      }));
    }),
    calls,
    least_calls: sum(used.map(({ kind, changes }) => kind.calls.least?.(changes, context) ?? changes.length)) + splits,
    matches: Object.fromEntries(used.map(({ kind, matches }) => [kind.section, matches])),
    unmanaged: sections.flatMap(({ unmanaged }) => unmanaged),
    guards: [],
    warnings: problems,
    side_effects: sideEffectsOf(effects),
    extra: { ...ordersBefore(used, realms.now), watch: watchOf(sections) },
  };
  return { ok: true, value: { plan, sections, drafts, matchings: realms.matchings }, warnings: problems };
}

function sideEffectsOf(effects: readonly Partial<SideEffects>[]): SideEffects {
  const direct = sum(effects.map(({ direct_messages = 0 }) => direct_messages));
  return {
    emails: sum(effects.map(({ emails = 0 }) => emails)),
    notices_in: [...new Set(effects.flatMap(({ notices_in = [] }) => notices_in))],
    ...defined({ direct_messages: direct === 0 ? undefined : direct }),
  };
}

const asWarning = (problem: Diagnostic): Diagnostic => ({ ...problem, severity: "warning" });

/** What is made once has no maker to get anything. */
const impliedBy = ({ shape, diff }: ResourceKind, realm: Realm): Fields =>
  shape === "singleton" ? {} : (diff?.implied?.(realm) ?? {});

/** Kinds say how a request of a cycle can be split; a cycle that no split opens is for a person to resolve in two steps. */
function cycleProblem(cycle: readonly DraftCall[], { changes }: PlanContext): Diagnostic {
  const addresses = new Set(cycle.flatMap((draft) => draft.for.map(({ address }) => address)));
  const within = changes.filter(({ address }) => addresses.has(address));
  const placed = within.flatMap(({ address, at }) => (at === undefined ? [] : [{ address, at }]));
  const [first, ...others] = placed;
  const notes = others.map(({ address, at }) => ({ at, note: { one_of: nameOf(address) } }));
  return error("plan/cycle", { objects: [...addresses].map(nameOf) }, first?.at, notes);
}

function nameOf(address: Address): Named {
  return { address, name: address.slice(address.indexOf(":") + 1) };
}

/** Values that are given up and that no request sets: no undo brings them back. */
function lostForGood(kind: ResourceKind, change: Change): readonly Risk[] {
  const { action, address, fields, at: whole } = change;
  if (action !== "update") return [];
  const noun = kind.noun[0];
  return (
    fields
      // Of a value that nobody can read (a picture), the kind says itself what is lost.
      .filter(({ field, before }) => before !== null && kind.calls.canSet?.(field, before) === false)
      .filter(({ field }) => kind.file.fields[field]?.isPicture !== true)
      .map(({ field, before, at = whole }) => {
        const fact: RiskFact = {
          kind: "cannot-be-set-again",
          object: namedOf(change),
          noun,
          field,
          before: { quoted: String(before) },
        };
        return { kind: "irreversible", fact, address, ...defined({ at }) };
      })
  );
}

/** Names in the server's order, where that means something and objects can vanish from it: what undoing needs. */
function ordersBefore(sections: readonly Section[], now: Realm): Pick<PlanExtra, "order"> {
  const ordered = sections.filter(
    ({ kind, changes }) =>
      kind.diff?.ordered !== undefined && kind.inactivity?.field === undefined && changes.length > 0,
  );
  if (ordered.length === 0) return {};
  return {
    order: Object.fromEntries(
      ordered.map(({ kind }) => [kind.name, (liveObjects(kind, now) ?? []).map(({ name }) => name)]),
    ),
  };
}

/** One section of the file beside what the server has of it. */
interface Section {
  readonly kind: ResourceKind;
  readonly isManaged: boolean;
  readonly pairs: readonly Pair[];
  /** Every object of its kind, in use or not. */
  readonly live: readonly LiveObject[];
  readonly changes: readonly Change[];
  /** Declared objects that are as declared. */
  readonly matches: number;
  readonly unmanaged: readonly Unmanaged[];
  readonly problems: readonly Diagnostic[];
}

/** The realm as it is, with the names of after the plan, and with the groups of after the plan. */
interface Realms {
  readonly now: Realm;
  readonly named: Realm;
  readonly after: Realm;
  readonly matchings: ReadonlyMap<ResourceKind, Matching>;
}

/**
 * Objects name each other, so all kinds are matched before any is compared. Then the kinds that say what others look at (groups)
 * are compared first, as far as they can be.
 */
function realmsOf(desired: Desired, snapshot: Snapshot, kinds: readonly ResourceKind[], part?: Part): Realms {
  const now = new Realm(snapshot);
  const matchings = new Map<ResourceKind, Matching>();
  const renames = new Map<string, Map<number, string>>();
  for (const kind of kinds) {
    const declared = desired.sections.get(kind.section);
    if (declared === undefined) continue;
    // In a cycle of renames the fields tell who is who, and what others are called after the plan is no difference in them: those that
    // objects name (groups, folders) come before them.
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
  const named = realmAfter(now, renames, kinds);
  let after = named;
  // The organization's settings name groups and channels, which the other kinds make.
  const last = (kind: ResourceKind): number => (kind.shape === "singleton" ? 1 : 0);
  for (const kind of [...kinds].sort((a, b) => last(a) - last(b))) {
    if (kind.diff?.projected === undefined || !desired.sections.has(kind.section)) continue;
    const { changes } = compareKind(kind, desired, { now, named, after, matchings }, part);
    if (changes.length > 0) after = new Realm(kind.diff?.projected(changes, after, now));
  }
  return { now, named, after, matchings };
}

function compareKind(
  kind: ResourceKind,
  desired: Desired,
  { now, named, after, matchings }: Realms,
  part: Part | undefined,
): Section {
  const declared = desired.sections.get(kind.section);
  if (kind.isPartial === true && declared === undefined)
    return { kind, isManaged: false, pairs: [], live: [], changes: [], matches: 0, unmanaged: [], problems: [] };
  const live = liveAcross(kind, now, named);
  const none = { kind, isManaged: declared !== undefined, pairs: [], live: live ?? [], changes: [], matches: 0 };
  if (declared === undefined) {
    // What is always there is nothing that somebody forgot to declare.
    const objects = kind.shape === "singleton" ? [] : (live ?? []);
    const names = objects.filter(({ inactive }) => !inactive).map(({ name }) => name);
    const unmanaged = names.length === 0 ? [] : [{ section: kind.section, policy: "absent", names } as const];
    return { ...none, unmanaged, problems: [] };
  }
  if (live === undefined) {
    return { ...none, unmanaged: [], problems: missingSection(kind, declared, now) };
  }
  const policy = desired.manage[kind.section] ?? "additive";
  const { liveOf, problems } = matchingAcross(kind, declared, live, matchings.get(kind));
  const removes = (object: LiveObject): boolean => part === undefined || part.removes(kind, object);
  const managed = { policy, at: desired.manageAt?.[kind.section], removes };
  const unset = unsetIn(kind, desired);
  const resolved = declared.map((object) => {
    const found = liveOf.get(object);
    const derived = kind.diff?.resolveDerivedFields?.(object, found, after) ?? object;
    return unset === undefined ? derived : withDefaults(kind, derived, found, { ...unset, realm: named });
  });
  const resolvedLive = new Map(
    declared.flatMap((object, index) => {
      const found = liveOf.get(object);
      const own = resolved[index];
      return found === undefined || own === undefined ? [] : [[own, found] as const];
    }),
  );
  const pairs = compareSection(kind, resolved, live, resolvedLive, managed);
  const changes = pairs.flatMap(({ change }) => change ?? []);
  const isOrdered =
    desired.ordered?.has(kind.section) === true ||
    (typeof kind.diff?.ordered === "function" ? kind.diff?.ordered(policy, now.level) : kind.diff?.ordered === true);
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
    unmanaged: kind.isPartial === true ? [] : [{ section: kind.section, policy, names: unmentioned }],
    problems: [
      ...problems,
      ...missingRemovals(kind, declared, live, { liveOf, problems }),
      ...declared.flatMap((object) => levelProblems(kind, object, now.level)),
    ],
  };
}

/** The matching made before, with the live objects as they are seen now. Objects without ids are known by names that may be others' (default channels). */
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
  return { liveOf, problems: before.problems };
}

function contextOf(
  desired: Desired,
  { named, after }: Realms,
  sections: readonly Section[],
  namedInFile: ReadonlySet<Address>,
): PlanContext {
  const pairsByAddress = new Map<Address, Pair>();
  const pairsBySection = new Map<string, readonly Pair[]>();
  for (const { kind, pairs } of sections) {
    pairsBySection.set(kind.section, pairs);
    // Declared objects come first and keep the address when an object that is not declared has the same name.
    for (const pair of pairs) if (!pairsByAddress.has(pair.address)) pairsByAddress.set(pair.address, pair);
  }
  const declared = (section: string): readonly DeclaredObject[] => desired.sections.get(section) ?? [];
  return {
    realm: named,
    after,
    snapshot: named.snapshot,
    changes: sections.flatMap(({ changes }) => changes),
    declared,
    pairs: (section) => pairsBySection.get(section) ?? [],
    pair: (address) => pairsByAddress.get(address),
    policy: (section) => (desired.sections.has(section) ? (desired.manage[section] ?? "additive") : undefined),
    isNamedInFile: (address) => namedInFile.has(address),
    manages: (section) => desired.sections.has(section),
    idOf: (address) => {
      const pair = pairsByAddress.get(address);
      if (pair?.live?.id !== undefined && pair.live.id !== null) return pair.live.id;
      if (pair?.change?.action === "create") return { idOf: address };
      throw new RangeError(`${address} is neither on the server nor made by this plan`);
    },
  };
}

function accountOf({ account }: Snapshot): Plan["account"] {
  const { email, full_name, role, is_bot } = account;
  return { email, full_name, role, is_bot };
}

/** In the order of the file; what has no place comes first. */
function byPlace({ at: a }: Diagnostic, { at: b }: Diagnostic): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1);
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Fields that are marked for keeping messages which the server deletes until then. */
function withKept({ review }: ResourceKind, change: Change, context: PlanContext): Change {
  const isKept = (field: FieldChange): boolean => review?.keepsMessages?.(field, context) === true;
  if (change.action !== "update" || !change.fields.some(isKept)) return change;
  return {
    ...change,
    fields: change.fields.map((field) => (isKept(field) ? { ...field, keeps_messages: true } : field)),
  };
}

import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, type Diagnostic, error, isFatal, type Span } from "../model/diagnostic.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Named } from "../model/facts.ts";
import { canonicalName, type ResourceKind } from "../model/kind.ts";
import type { Fields } from "../model/objects.ts";
import {
  type Address,
  type Change,
  isAboutTheAccount,
  PLAN_VERSION,
  type Plan,
  type SideEffects,
} from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { leftOutOf, type PlanPart, type Targets } from "../model/targets.ts";
import { aroundAccounts } from "./accounts-moving.ts";
import { assemble } from "./assemble.ts";
import { withImplied } from "./compare.ts";
import { contextOf } from "./context.ts";
import { withEqualObjects } from "./equal-objects.ts";
import { lostForGood, ordersBefore, withKept } from "./losses.ts";
import { namedAndLeaving } from "./named-and-leaving.ts";
import { namedAndRemoved } from "./named-and-removed.ts";
import { withRightsInTime } from "./own-rights.ts";
import { type Part, partOf } from "./partial.ts";
import { renameWarnings } from "./renamed.ts";
import { compareSections, type Realms, realmsOf, type Section } from "./sections.ts";
import { withoutHeld, withWaysOut } from "./unresolved.ts";
import { newerIn, watchOf } from "./unset.ts";

export interface PlanInput {
  readonly desired: Desired;
  readonly snapshot: Snapshot;
  readonly kinds: readonly ResourceKind[];
  readonly toolVersion: string;
  /** If present, only these objects are planned. */
  readonly targets?: Targets;
  /** An earlier reading was planned with these targets: their objects may no longer exist. */
  readonly isAgain?: boolean;
  /** Sections that the reading does not hold are left out with a warning. This is for questions, not for a plan that will be applied. */
  readonly leavesUnread?: boolean;
  /** Nothing will be sent (drift). Changes that the account may not make are compared nevertheless, and their errors become warnings. */
  readonly comparesOnly?: boolean;
}

/**
 * The changes that bring the realm to the state of the file, and the requests that make them: a pure function of its input. Errors that only the
 * realm shows are returned instead, all at once, in the order of the file.
 */
export function planChanges(input: PlanInput): Checked<Plan> {
  const whole = planWhole(input);
  if (!whole.ok) return whole;
  const { plan, ...parts } = whole.value;
  const { targets, isAgain = false } = input;
  if (targets === undefined) return { ...whole, value: plan };
  const found = partOf(parts, targets, isAgain);
  if (!found.ok) return { ok: false, diagnostics: [...found.diagnostics].sort(byPlace) };
  const { part } = found;
  const own = planOnce(input, part.desired, part).planned;
  if (!own.ok) return notAlone(own.diagnostics, part.says);
  // A doubtful value in the file is reported whatever part of the file is planned.
  const isAbout = (section: string): boolean => part.desired.sections.get(section)?.length !== 0;
  const value = {
    ...own.value.plan,
    matches: Object.fromEntries(Object.entries(own.value.plan.matches).filter(([section]) => isAbout(section))),
    unmanaged: plan.unmanaged.filter(({ section, policy }) => policy !== "absent" && isAbout(section)),
    warnings: [
      ...plan.warnings
        .filter(({ isOfObject }) => isOfObject !== true)
        .map((warning) => (isElsewhere(warning, part.desired, input.kinds) ? asNote(warning) : warning)),
      ...own.value.plan.warnings.filter(({ isOfObject }) => isOfObject === true),
    ].sort(byPlace),
    extra: { ...own.value.plan.extra, partial: part.says },
  };
  return { ok: true, value, warnings: whole.warnings };
}

/** The finding is about something else than the plan. */
function asNote(diagnostic: Diagnostic): Diagnostic {
  const { unresolved } = diagnostic;
  return asWarning(
    unresolved === undefined ? diagnostic : { ...diagnostic, unresolved: { ...unresolved, isElsewhere: true } },
  );
}

/** Whether a name does not resolve in an object that is not planned. */
function isElsewhere({ unresolved }: Diagnostic, { sections }: Desired, kinds: readonly ResourceKind[]): boolean {
  const address = unresolved?.in?.address;
  if (address === undefined) return false;
  const kind = kinds.find(({ name }) => address.startsWith(`${name}:`));
  const named = kind === undefined ? [] : (sections.get(kind.section) ?? []);
  return !named.some(({ name }) => kind !== undefined && address === `${kind.name}:${canonicalName(kind, name)}`);
}

function notAlone(diagnostics: readonly Diagnostic[], says: PlanPart): Checked<never> {
  const errors = diagnostics.filter(isFatal);
  return { ok: false, diagnostics: [error("targets/not-alone", { left_out: leftOutOf(says) }), ...errors] };
}

/** A plan with the inputs that planning a part of it needs. */
interface PlannedWhole {
  readonly plan: Plan;
  /** Without what is held. */
  readonly desired: Desired;
  readonly sections: readonly Section[];
  readonly drafts: readonly DraftCall[];
  readonly realms: Realms;
}

/** The plan without what is held; the checks of a plan can find more that is. */
function planWhole(input: PlanInput): Checked<PlannedWhole> {
  const { snapshot, kinds, comparesOnly = false } = input;
  const all = withEqualObjects(input.desired, new Realm(snapshot), kinds);
  const found = new Map<string, Diagnostic>();
  for (;;) {
    const held = withoutHeld(all, snapshot, kinds, { found: [...found.values()], comparesOnly });
    const warnings = [...held.desired.warnings, ...held.diagnostics];
    if (!comparesOnly) warnings.push(...found.values());
    const { planned, unresolved } = planOnce(input, { ...held.desired, warnings });
    const before = found.size;
    for (const diagnostic of unresolved)
      found.set(JSON.stringify([diagnostic.code, diagnostic.unresolved?.in, diagnostic.unresolved?.field]), diagnostic);
    if (comparesOnly || found.size === before) return planned;
  }
}

interface PlannedOnce {
  readonly planned: Checked<PlannedWhole>;
  /** What the checks of kinds found to be held. */
  readonly unresolved: readonly Diagnostic[];
}

/** @param part the part of the file that is planned */
function planOnce(input: PlanInput, desired: Desired, part?: Part): PlannedOnce {
  const { snapshot, kinds, comparesOnly = false } = input;
  const realms = realmsOf(desired, snapshot, kinds, part);
  const sections = compareSections(desired, kinds, realms, part);
  const named = namedAndRemoved(desired, sections);
  const context = contextOf(desired, realms, sections, named.addresses, input.desired);
  const checked = sections.flatMap(({ kind, changes }) => kind.review?.check?.(changes, context) ?? []);
  const all = [
    ...desired.warnings,
    ...sections.flatMap((section) => section.diagnostics),
    ...named.diagnostics,
    ...namedAndLeaving(desired, sections, realms.named),
    ...checked,
    ...renameWarnings(withoutErrors(context.changes, checked), desired, kinds, realms.now),
  ];
  const diagnostics = withWaysOut(all, sections, realms.named)
    .map((diagnostic) => (isNoError(diagnostic, input) ? asWarning(diagnostic) : diagnostic))
    .sort(byPlace);
  const isRefused = diagnostics.some(isFatal);
  const unresolved = checked.filter((diagnostic) => diagnostic.unresolved !== undefined);
  if (isRefused && !comparesOnly) return { planned: { ok: false, diagnostics }, unresolved };
  const compared = { desired, realms, sections, context, diagnostics, isRefused };
  return { planned: planOfChanges(input, compared), unresolved };
}

/** The changes that no error is about: what is wrong with an object may be its name. */
function withoutErrors(changes: readonly Change[], checked: readonly Diagnostic[]): readonly Change[] {
  const lines = new Set(
    checked.flatMap(({ at, severity, mayBeRenamed }) =>
      at && severity === "error" && mayBeRenamed !== true ? [lineOf(at, at.line)] : [],
    ),
  );
  if (lines.size === 0) return changes;
  return changes.filter(({ at }) => {
    const length = at === undefined ? 0 : at.endLine - at.line + 1;
    return !Array.from({ length }, (_, index) => index).some((index) => at && lines.has(lineOf(at, at.line + index)));
  });
}

const lineOf = ({ file }: Span, line: number): string => `${file}:${line}`;

interface ComparedWhole {
  readonly desired: Desired;
  readonly realms: Realms;
  readonly sections: readonly Section[];
  readonly context: PlanContext;
  readonly diagnostics: readonly Diagnostic[];
  /** The changes cannot be carried out, so they have no requests. */
  readonly isRefused: boolean;
}

function planOfChanges(
  { snapshot, kinds, toolVersion }: PlanInput,
  { desired, realms, sections, context, diagnostics, isRefused }: ComparedWhole,
): Checked<PlannedWhole> {
  const used = sections.filter((section) => section.isManaged);
  const kindsDrafts = isRefused ? [] : used.flatMap(({ kind, changes }) => kind.calls.draft(changes, context));
  const drafts = withRightsInTime(aroundAccounts(kindsDrafts, context, kinds), context);
  const assembled = assemble(drafts, { changes: context.changes, realm: context.realm });
  if (!assembled.ok) {
    return { ok: false, diagnostics: [...diagnostics, cycleDiagnostic(assembled.cycle, context)].sort(byPlace) };
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
    least_calls:
      sum(used.map(({ kind, changes }) => kind.calls.least?.(changes, context) ?? changes.length)) +
      sum(context.changes.map(({ address }) => context.move(address)?.requests ?? 0)) +
      splits,
    matches: Object.fromEntries(used.map(({ kind, matches }) => [kind.section, matches])),
    unmanaged: sections.flatMap(({ unmanaged }) => unmanaged),
    guards: [],
    warnings: diagnostics,
    side_effects: sideEffectsOf(effects),
    extra: {
      ...ordersBefore(used, realms.now),
      watch: watchOf(sections, realms.now),
      ...newerIn(sections, realms.now),
    },
  };
  const whole = { plan, desired, sections, drafts, realms };
  return { ok: true, value: whole, warnings: diagnostics };
}

function sideEffectsOf(effects: readonly Partial<SideEffects>[]): SideEffects {
  const direct = sum(effects.map(({ direct_messages = 0 }) => direct_messages));
  return {
    emails: sum(effects.map(({ emails = 0 }) => emails)),
    notices_in: [...new Set(effects.flatMap(({ notices_in = [] }) => notices_in))],
    ...defined({ direct_messages: direct === 0 ? undefined : direct }),
  };
}

function isNoError(
  diagnostic: Diagnostic,
  { leavesUnread, comparesOnly }: Pick<PlanInput, "leavesUnread" | "comparesOnly">,
): boolean {
  if (leavesUnread === true && diagnostic.code === "plan/not-read") return true;
  return comparesOnly === true && (diagnostic.unresolved !== undefined || isAboutTheAccount(diagnostic));
}

const asWarning = (diagnostic: Diagnostic): Diagnostic => ({ ...diagnostic, severity: "warning" });

/** A singleton is never created, so nobody gets rights as its creator. */
const impliedBy = ({ shape, diff }: ResourceKind, realm: Realm): Fields =>
  shape === "singleton" ? {} : (diff?.implied?.(realm) ?? {});

/** Kinds say how a request of a cycle can be split. If no split breaks the cycle, a person has to resolve it in two steps. */
function cycleDiagnostic(cycle: readonly DraftCall[], { changes }: PlanContext): Diagnostic {
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

function accountOf({ account }: Snapshot): Plan["account"] {
  const { email, full_name, role, unknown_role, is_bot } = account;
  return { email, full_name, role, ...defined({ unknown_role }), is_bot };
}

/** Compares two diagnostics by their places in the file; those without a place come first. */
function byPlace({ at: a }: Diagnostic, { at: b }: Diagnostic): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1);
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

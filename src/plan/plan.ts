import { accessIn } from "../access/of-plan.ts";
import { isChannel } from "../access/scope.ts";
import { isPrivate, objectAt } from "../access/state.ts";
import { kindOf, nameIn } from "../model/address.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { asWarning, type Checked, type Diagnostic, error, isFatal, type Span, STOPS } from "../model/diagnostic.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Named } from "../model/facts.ts";
import { canonicalName, type ResourceKind } from "../model/kind.ts";
import { once } from "../model/lazy.ts";
import type { Fields } from "../model/objects.ts";
import {
  type Address,
  type Change,
  isAboutTheAccount,
  isNotRead,
  isUnseenSection,
  leftOutOf,
  PLAN_VERSION,
  type Plan,
  type SideEffects,
  type Unmanaged,
} from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { PlanPart, Targets } from "../model/plan-schema.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { aroundAccounts } from "./accounts-moving.ts";
import { assemble } from "./assemble.ts";
import { withImplied } from "./compare.ts";
import { contextOf } from "./context.ts";
import { coverageOf } from "./coverage.ts";
import { withEqualObjects } from "./match.ts";
import { namedAndLeaving, namedAndRemoved } from "./named-and-removed.ts";
import { type HeldParts, type ObjectPart, type ObjectsAt, objectsAt } from "./objects-at.ts";
import { withRightsInTime } from "./own-rights.ts";
import { partOf, type Whole } from "./partial.ts";
import { renameWarnings } from "./renamed.ts";
import { ordersBefore, risksOf, withKept } from "./risks.ts";
import { compareSections, type Part, type Realms, realmsOf, type Section } from "./sections.ts";
import { type IsNew, withoutHeld } from "./unresolved.ts";
import { newerIn, watchOf } from "./unset.ts";
import { needsUnknownRole, withWaysOut } from "./ways-out.ts";

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
  /** The plan has the changes that the account may not make, beside their errors. This is for showing, not for a plan that will be applied. */
  readonly showsRefused?: boolean;
  /** The plan says of every field whether it is compared (`extra.coverage`). */
  readonly covers?: boolean;
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
  const { part, chosen } = found;
  const own = planOnce(input, part.desired, part).planned;
  if (!own.ok) return notAlone(own.diagnostics, part.says);
  // A doubtful value in the file is reported whatever part of the file is planned.
  const isAbout = (section: string): boolean => part.desired.sections.get(section)?.length !== 0;
  const value: Plan = {
    ...own.value.plan,
    matches: Object.fromEntries(Object.entries(own.value.plan.matches).filter(([section]) => isAbout(section))),
    unmanaged: plan.unmanaged.filter(({ section, policy }) => policy !== "absent" && isAbout(section)),
    warnings: [
      ...plan.warnings
        .filter((warning) => !isOfOwnObjects(warning))
        .map((warning) => (isElsewhere(warning, chosen) ? asNote(warning) : withoutReturn(warning, own.value.plan))),
      ...own.value.plan.warnings.filter(isOfOwnObjects),
    ].sort(byPlace),
    extra: {
      ...own.value.plan.extra,
      ...defined({ unseen: own.value.plan.extra?.unseen?.filter(({ section }) => isAbout(section)) }),
      partial: part.says,
    },
  };
  // Whether the account may do the rest of the file does not matter.
  const refused = value.warnings.filter((one) => isAboutTheAccount(one) && one.severity === "error");
  if (refused.length > 0)
    return { ok: false, diagnostics: refused.map(({ unresolved: _, ...one }): Diagnostic => one) };
  return { ok: true, value, warnings: whole.warnings };
}

/** What a part of the file says about its own objects only. */
const isOfOwnObjects = ({ isOfObject, code }: Diagnostic): boolean =>
  isOfObject === true || code === "channels/unset-privacy";

/** The finding is about something else than the plan. */
function asNote(diagnostic: Diagnostic): Diagnostic {
  const { unresolved } = diagnostic;
  return asWarning(
    unresolved === undefined ? diagnostic : { ...diagnostic, unresolved: { ...unresolved, isElsewhere: true } },
  );
}

/** A part of the file that does not reactivate the account: its name means nothing there. */
function withoutReturn(diagnostic: Diagnostic, { calls }: Plan): Diagnostic {
  if (diagnostic.unresolved?.returns !== true) return diagnostic;
  const { returns: _, ...unresolved } = diagnostic.unresolved;
  const back = calls.flatMap(({ operation, path }) => (operation === "reactivate-user" ? [path.user_id] : []));
  if (diagnostic.code === "reference/deactivated-person") {
    const { returns: __, ...fact } = diagnostic.fact;
    return back.includes(fact.person.user_id) ? diagnostic : { ...diagnostic, severity: "error", fact, unresolved };
  }
  if (diagnostic.code !== "reference/held" || back.length > 0) return diagnostic;
  const { returns: __, ...fact } = diagnostic.fact;
  return { ...diagnostic, severity: "error", fact, unresolved };
}

/** Whether it is about an object that is not in the part of the file that is planned. */
const isElsewhere = ({ unresolved }: Diagnostic, chosen: ReadonlySet<Address>): boolean =>
  unresolved?.in !== undefined && !chosen.has(unresolved.in.address);

function notAlone(diagnostics: readonly Diagnostic[], says: PlanPart): Checked<never> {
  const errors = diagnostics.filter(isFatal);
  return { ok: false, diagnostics: [error("targets/not-alone", { left_out: leftOutOf(says) }), ...errors] };
}

/** A plan with the inputs that planning a part of it needs. */
interface PlannedWhole extends Whole {
  readonly plan: Plan;
}

/** The plan without what is held; the checks of a plan can find more that is. */
function planWhole(input: PlanInput): Checked<PlannedWhole> {
  const { snapshot, kinds, comparesOnly = false } = input;
  const all = withEqualObjects(input.desired, new Realm(snapshot), kinds);
  const found = new Map<string, HeldParts>();
  const isNew = isNewIn(input, all);
  let first: Checked<unknown> | undefined;
  for (;;) {
    const held = withoutHeld(all, snapshot, kinds, { found: [...found.values()], comparesOnly, ...defined({ isNew }) });
    const warnings = [...held.desired.warnings, ...held.diagnostics];
    if (!comparesOnly) {
      warnings.push(...[...found.values()].map(({ diagnostic }) => diagnostic));
      warnings.push(...heldRenames(first, [...found.values()]));
    }
    const { planned: own, held: more } = planOnce(input, { ...held.desired, warnings });
    const planned: Checked<PlannedWhole> = own.ok ? { ...own, value: { ...own.value, left: held.left } } : own;
    first ??= planned;
    const before = found.size;
    for (const one of more) found.set(identityOf(one.diagnostic), one);
    // If nothing can be planned, also what would have been held is said.
    if (comparesOnly || found.size === before) return planned.ok ? planned : withErrorsOf(first, planned.diagnostics);
  }
}

/**
 * Which new objects are really new, if the account does not see everything: those that look like a renamed one of the server, and those of a part of the file
 * that somebody asks for by name. Nobody else can tell them from objects that the account just does not see.
 */
function isNewIn(input: PlanInput, desired: Desired): IsNew | undefined {
  const { snapshot, kinds, targets, comparesOnly = false } = input;
  const realm = new Realm(snapshot);
  const seesAll = kinds.every(({ shape, live }) => shape === "singleton" || live.unseen?.(realm) === undefined);
  if (seesAll && !desired.warnings.some(isUnseen)) return undefined;
  if (targets !== undefined && !comparesOnly) return () => true;
  const { unseen = [] } = withoutHeld(desired, snapshot, kinds, {
    found: [],
    comparesOnly,
    isNew: () => false,
  }).desired;
  if (unseen.every(({ what, names }) => what === "addresses" || names.length === 0)) return () => false;
  const { planned } = planOnce(input, desired);
  const found = planned.ok ? planned.warnings : planned.diagnostics;
  const renamed = new Set(found.flatMap((one) => (one.code === "plan/looks-renamed" ? [one.fact.object.address] : [])));
  return (address) => renamed.has(address);
}

const isUnseen = ({ unresolved }: Diagnostic): boolean => unresolved?.isUnseen === true;

/** Of a held object, too, it is told that it looks renamed: that may be all that is wrong with it. Nothing is asked about it. */
function heldRenames(first: Checked<unknown> | undefined, held: readonly HeldParts[]): readonly Diagnostic[] {
  if (first === undefined || first.ok) return [];
  const addresses = new Set<string>(held.flatMap(({ parts }) => parts.map(({ address }) => address)));
  return first.diagnostics.flatMap((one) =>
    one.code === "plan/looks-renamed" && addresses.has(one.fact.object.address)
      ? [{ ...one, fact: { ...one.fact, is_held: true as const } }]
      : [],
  );
}

function withErrorsOf(first: Checked<unknown>, diagnostics: readonly Diagnostic[]): Checked<never> {
  const known = new Set(diagnostics.map(identityOf));
  const more = first.ok ? [] : first.diagnostics.filter((one) => !known.has(identityOf(one)));
  return { ok: false, diagnostics: [...diagnostics, ...more].sort(byPlace) };
}

/** The same finding in every round, whatever else it says by then. */
const identityOf = ({ code, at, unresolved }: Diagnostic): string =>
  JSON.stringify(unresolved === undefined || unresolved.isHeld ? [code, at] : [code, unresolved.in, unresolved.field]);

interface PlannedOnce {
  readonly planned: Checked<Omit<PlannedWhole, "left">>;
  /** What the checks found to be held. */
  readonly held: readonly HeldParts[];
}

/**
 * Findings about objects that the server's state does not allow: such an object is held, and the rest is planned. Errors that the file shows alone stop
 * everything, as those do that another account would not have, and those that are about no single object.
 */
class Checks {
  readonly held: HeldParts[] = [];
  private readonly known: ReadonlySet<string>;
  private readonly objects: () => ObjectsAt;
  private readonly alone: () => ReadonlySet<string>;
  private readonly isPart: boolean;

  constructor(desired: Desired, sections: readonly Section[], input: PlanInput, isPart: boolean) {
    const isHeld = ({ unresolved }: Diagnostic): boolean => unresolved?.isHeld === true;
    const placeOf = ({ code, at }: Diagnostic): string => JSON.stringify([code, at]);
    this.known = new Set(desired.warnings.filter(isHeld).map(identityOf));
    this.objects = once(() => objectsAt(sections));
    this.alone = once(() => new Set(desired.errorsAlone?.().map(placeOf)));
    // Only what was read from a file can have mistakes that nobody made.
    this.isPart = isPart || desired.errorsAlone === undefined;
    this.isOfFile = (diagnostic) =>
      STOPS.has(diagnostic.code) ||
      (isAboutTheAccount(diagnostic) && input.targets === undefined) ||
      isNoError(diagnostic, input) ||
      this.alone().has(placeOf(diagnostic));
  }

  private readonly isOfFile: (diagnostic: Diagnostic) => boolean;

  marked(diagnostics: readonly Diagnostic[], all: readonly ObjectPart[] = []): readonly Diagnostic[] {
    return diagnostics.flatMap((diagnostic) => {
      const { unresolved } = diagnostic;
      if (unresolved?.in !== undefined) {
        this.held.push({ diagnostic, parts: [{ address: unresolved.in.address, field: unresolved.field ?? "" }] });
        return [diagnostic];
      }
      // It is still said of what is held; if something changes there nevertheless, the plan is not what it seems.
      if (this.known.has(identityOf({ ...diagnostic, unresolved: HELD })))
        return this.objects()
          .of(diagnostic)
          .some(({ isChanged }) => isChanged)
          ? [diagnostic]
          : [];
      if (this.isPart || !isFatal(diagnostic) || this.isOfFile(diagnostic)) return [diagnostic];
      const parts = all.length > 0 ? all : this.objects().of(diagnostic);
      const [first] = parts;
      if (first === undefined) return [diagnostic];
      const kind = kindOf(first.address);
      const own = { ...HELD, kind, in: nameOf(first.address), field: first.field };
      const held = { ...diagnostic, unresolved: own };
      this.held.push({ diagnostic: held, parts });
      return [held];
    });
  }
}

const HELD = { kind: "", isGone: true, isHeld: true } as const;

/** @param part the part of the file that is planned */
function planOnce(input: PlanInput, desired: Desired, part?: Part): PlannedOnce {
  const { snapshot, kinds, comparesOnly = false, showsRefused = false } = input;
  const realms = realmsOf(desired, snapshot, kinds, part);
  const sections = compareSections(desired, kinds, realms, part, comparesOnly);
  const named = namedAndRemoved(desired, sections);
  const context = contextOf(desired, realms, sections, named.addresses, input.desired);
  const checked = sections.flatMap(({ kind, changes }) => kind.review?.check?.(changes, context) ?? []);
  const checks = new Checks(desired, sections, input, part !== undefined);
  const renames = renamesTold(withoutErrors(context.changes, checked), desired, kinds, realms.now);
  const all = [
    ...withoutSlips(desired.warnings, renames),
    ...sections.flatMap((section) => checks.marked(section.diagnostics, unreadIn(section, desired))),
    ...checks.marked([...named.diagnostics, ...namedAndLeaving(desired, sections, realms.named), ...checked]),
    ...renames,
  ].filter((diagnostic) => !isUnseen(diagnostic));
  const isUnresolved = all.some(({ unresolved }) => unresolved !== undefined);
  const diagnostics = (isUnresolved ? withWaysOut(all, sections, realms.named) : all)
    .map((diagnostic) => (isNoError(diagnostic, input) ? asWarning(diagnostic) : diagnostic))
    .sort(byPlace);
  const { held } = checks;
  const isRefused =
    diagnostics.some((one) => isFatal(one) && !(showsRefused && isAboutTheAccount(one) && !needsUnknownRole(one))) ||
    held.length > 0;
  if (isRefused && !comparesOnly) return { planned: { ok: false, diagnostics }, held };
  const compared = { desired, realms, sections, context, diagnostics, isRefused };
  const planned = planOfChanges(input, compared);
  if (planned.ok) return { planned, held };
  const marked = checks.marked(planned.diagnostics);
  // Requests that have no order hide no difference.
  if (comparesOnly)
    return { planned: planOfChanges(input, { ...compared, diagnostics: marked, isRefused: true }), held };
  return { planned: { ok: false, diagnostics: marked }, held };
}

/** That the name of a channel of the server has one sign too many in the file is said once: as a rename, which is asked about. */
function withoutSlips(warnings: readonly Diagnostic[], renames: readonly Diagnostic[]): readonly Diagnostic[] {
  const slips = new Set(
    renames.flatMap(({ code, fact, at }) =>
      code === "plan/looks-renamed" && fact.is_slip ? [JSON.stringify(at)] : [],
    ),
  );
  return warnings.filter(({ code, at }) => code !== "channels/sign" || !slips.has(JSON.stringify(at)));
}

/** Only a new object can be a renamed one, or one that `was` finds, and most plans have neither: the search is loaded when it is called (scripts/on-call.mjs). */
const renamesTold: typeof renameWarnings = (changes, ...input) =>
  changes.some(({ action, was }) => action === "create" || was !== undefined) ? renameWarnings(changes, ...input) : [];

/** A section that the reading does not have, or the server: all of it is held. */
function unreadIn({ kind, isManaged, pairs }: Section, { sections }: Desired): readonly ObjectPart[] {
  if (!isManaged || pairs.length > 0) return [];
  const names = (sections.get(kind.section) ?? []).map(({ name }) => canonicalName(kind, name));
  return (names.length > 0 ? names : [kind.section]).map((name) => ({ address: `${kind.name}:${name}`, field: "" }));
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
  { snapshot, kinds, toolVersion, covers }: PlanInput,
  { desired, realms, sections, context, diagnostics, isRefused }: ComparedWhole,
): Checked<Omit<PlannedWhole, "left">> {
  const used = sections.filter((section) => section.isManaged);
  const kindsDrafts = isRefused ? [] : used.flatMap(({ kind, changes }) => kind.calls.draft(changes, context));
  const drafts = withRightsInTime(aroundAccounts(kindsDrafts, context, kinds), context);
  const assembled = assemble(drafts, { changes: context.changes, realm: context.realm });
  if (!assembled.ok) {
    return { ok: false, diagnostics: [...diagnostics, cycleDiagnostic(assembled.cycle, context, kinds)].sort(byPlace) };
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
        risks: risksOf(kind, change, context),
      }));
    }),
    calls,
    least_calls:
      sum(used.map(({ kind, changes }) => kind.calls.least?.(changes, context) ?? changes.length)) +
      sum(context.changes.map(({ address }) => context.move(address)?.requests ?? 0)) +
      splits,
    matches: Object.fromEntries(used.map(({ kind, matches }) => [kind.section, matches])),
    unmanaged: sections.flatMap(({ kind, unmanaged }) => unmanaged.map((one) => withPrivate(kind, one, context))),
    guards: [],
    warnings: diagnostics,
    side_effects: sideEffectsOf(effects),
    extra: {
      ...ordersBefore(used, realms.now),
      watch: watchOf(sections, realms.now),
      ...newerIn(sections, realms.now),
      ...defined({ coverage: covers === true ? coverageOf(sections, desired, realms.now) : undefined }),
      ...defined({ unseen: desired.unseen?.length === 0 ? undefined : desired.unseen }),
    },
  };
  const whole = { plan, desired, sections, drafts, realms, access: () => accessIn(context) };
  return { ok: true, value: whole, warnings: diagnostics };
}

/** Objects that are left out, with the number of those that are private. */
function withPrivate(kind: ResourceKind, item: Unmanaged, context: PlanContext): Unmanaged {
  if (item.policy !== "except") return item;
  const { before } = accessIn(context);
  const closed = item.names.filter((name) => {
    const object = objectAt(before, `${kind.name}:${name}`);
    return object !== undefined && isChannel(object) && isPrivate(object);
  });
  return closed.length === 0 ? item : { ...item, private: closed.length };
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
  if (leavesUnread === true && isNotRead(diagnostic)) return true;
  return comparesOnly === true && (isName(diagnostic) || isAboutTheAccount(diagnostic) || isUnseenSection(diagnostic));
}

const isName = ({ unresolved }: Diagnostic): boolean => unresolved !== undefined && unresolved.isHeld !== true;

/** A singleton is never created, so nobody gets rights as its creator. */
const impliedBy = ({ shape, diff }: ResourceKind, realm: Realm): Fields =>
  shape === "singleton" ? {} : (diff?.implied?.(realm) ?? {});

/**
 * A cycle that no split breaks (kinds say how a request can be split): a person has to resolve it in two steps. Of settings, it names the fields that the
 * requests are about: the others need no order.
 */
function cycleDiagnostic(
  cycle: readonly DraftCall[],
  { changes }: PlanContext,
  kinds: readonly ResourceKind[],
): Diagnostic {
  const singletons = new Set(kinds.flatMap(({ name, shape }) => (shape === "singleton" ? [name] : [])));
  const parts = cycle.flatMap((draft) => draft.for);
  const addresses = new Set(parts.map(({ address }) => address));
  const placed = changes.flatMap(({ kind, address, at, fields }) => {
    if (!addresses.has(address)) return [];
    const within = new Set(parts.flatMap((part) => (part.address === address ? part.fields : [])));
    const places = singletons.has(kind)
      ? fields.filter(({ field }) => within.has(field)).map((field) => field.at)
      : [at];
    return places.flatMap((place) => (place === undefined ? [] : [{ address, at: place }]));
  });
  const [first, ...others] = placed;
  const notes = others.map(({ address, at }) => ({ at, note: { one_of: nameOf(address) } }));
  return error("plan/cycle", { objects: [...addresses].map(nameOf) }, first?.at, notes);
}

function nameOf(address: Address): Named {
  return { address, name: nameIn(address) };
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

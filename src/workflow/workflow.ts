import type { PlanInputs, PlanOrigin } from "../apply/plan-file.ts";
import { sha256 } from "../apply/sha256.ts";
import type { LeftUndone } from "../apply/whole-run.ts";
import { openConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, type Diagnostic, EXIT } from "../model/diagnostic.ts";
import { canonicalText } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { type Change, type Plan, uncomparedIn } from "../model/plan.ts";
import type { Targets } from "../model/plan-schema.ts";
import type { GuardPolicy } from "../model/policy.ts";
import { Realm } from "../model/realm.ts";
import type { Drift } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { GuardedPlan } from "../plan/guard-parts.ts";
import { guarded } from "../plan/guards.ts";
import { otherRealm } from "../plan/other-realm.ts";
import { planChanges } from "../plan/plan.ts";
import { needsSubscribers } from "../plan/requests.ts";
import type { LoadOptions } from "../source/load.ts";
import { VERSION } from "../version.ts";
import { KeptFiles } from "./files.ts";
import { type GuardOptions, policiesOf } from "./guards.ts";
import type { Made } from "./later-guards.ts";
import { type FirstReading, firstReading } from "./reading.ts";
import { rehearsed } from "./rehearsal.ts";

export interface PlanOptions extends LoadOptions, GuardOptions {
  /** The server, or a source of an existing snapshot. */
  readonly reader: ZulipReader;
  readonly kinds?: readonly ResourceKind[];
  /** The objects to plan; default: the whole file. */
  readonly targets?: Targets;
  /** Parts that the reading does not hold are left out of the plan, with a warning: for questions, not for a plan that will be applied. */
  readonly leavesUnread?: boolean;
  /**
   * Nothing is sent (drift): changes that could not be carried out are compared nevertheless, and each says what was done to access.
   */
  readonly comparesOnly?: boolean;
  /** The plan has the changes that the account may not make, beside their errors: for showing, not for a plan that will be applied. */
  readonly showsRefused?: boolean;
  /** A smaller file that is planned in the place of the whole one. @throws Failure if there is none */
  readonly narrowed?: (desired: Desired, reading: Snapshot, policies: readonly GuardPolicy[]) => Desired;
  /** Whether every field is compared, and why not (`extra.coverage`). */
  readonly covers?: boolean;
  /** What earlier runs of this account on this realm left undone: what they created, as it was to become, is not asked about again. */
  readonly earlier?: (realm: string) => LeftUndone | undefined;
}

export interface Planned {
  readonly plan: Plan;
  readonly snapshot: Snapshot;
  /** The hashes of the inputs. A getter, since only a saved plan needs them and they take time for a large realm. */
  readonly origin: PlanOrigin;
  /** All inputs of planning: a saved plan holds them so that it can be planned again. */
  readonly inputs: PlanInputs;
  /** Plans the same file with a later reading. The file is not read again, so the approved content is used. */
  planAgain(snapshot: Snapshot): Promise<Checked<Plan>>;
  /** Of a plan for a part of the file: plans the whole file with a later reading. */
  planWhole?(snapshot: Snapshot): Promise<Checked<Plan>>;
  /** This plan with its result on a copy of the organization, and a guard rail that refuses it if the result differs. */
  rehearse(): Promise<Plan>;
  /**
   * The changes of this plan that a later reading does not show as done, with the same guard rails, counted on that reading.
   * @param isBegun requests of the plan were sent before the reading: then only people count who have nothing of it after the plan
   * @param made ids of objects that a run of this plan created, which the present one continues
   * @throws Failure if they would do more than the plan shows, or the same to others, unless `allow` names the guard
   */
  hold(snapshot: Snapshot, allow: readonly string[], isBegun?: boolean, made?: Made): Promise<Plan>;
}

/**
 * Configuration and realm → plan. Reports every error at once: the file is decoded against the realm even if it has errors already.
 * @throws Failure if the realm cannot be read, or the account may not see enough of it
 */
export async function planRealm(options: PlanOptions): Promise<Checked<Planned>> {
  const known = options.kinds ?? kinds;
  const files = new KeptFiles(options);
  const opened = await openConfig({ ...options, ...files.loadOptions, kinds: known });
  const found = await firstReading(opened, options.reader, known);
  if (!found.ok) return found;
  // Before this run has a journal of its own.
  const undone = options.earlier?.(found.value.snapshot.realm.url);
  const policiesWith = ({ policy }: Desired) => policiesOf(policy, { ...options, ...files.loadOptions, kinds: known });
  const { targets, ...ofWhole } = options;
  const planOn = (
    reading: Snapshot,
    isAgain: boolean,
    desired: Desired,
    asked: PlanOptions = options,
  ): Promise<Checked<Plan>> =>
    guardedPlan(reading, isAgain, desired, policiesWith, { ...asked, kinds: known, ...defined({ undone }) });
  const planLater =
    (asked: PlanOptions) =>
    async (reading: Snapshot): Promise<Checked<Plan>> => {
      const again = opened.decode(new Realm(reading));
      return again.ok ? planOn(reading, true, again.value, asked) : again;
    };
  const planAgain = planLater(options);
  const first = found.value;
  const desired = first.desired ?? opened.decode(new Realm(first.snapshot));
  if (!desired.ok) return desired;
  const firstPlan = await planOn(first.snapshot, false, desired.value);
  if (!firstPlan.ok) return firstPlan;
  const { snapshot, reads } = await enough(first, firstPlan.value, options);
  const decoded = snapshot === first.snapshot ? desired : opened.decode(new Realm(snapshot));
  const plan = decoded === desired ? firstPlan : decoded.ok ? await planOn(snapshot, false, decoded.value) : decoded;
  if (!plan.ok) return plan;
  const whole: Plan = { ...plan.value, extra: { ...plan.value.extra, reads: { ...reads } } };
  const value: Planned = {
    plan: whole,
    snapshot,
    get origin() {
      return { configuration: files.hash(), snapshot: sha256(canonicalText(snapshot)) };
    },
    get inputs() {
      const { file, policyFile, allow = [] } = options;
      return { file, ...defined({ policy_file: policyFile, targets }), allow, ...files.kept, snapshot };
    },
    planAgain,
    ...defined({ planWhole: targets === undefined ? undefined : planLater(ofWhole) }),
    rehearse: () => rehearsed(whole, { snapshot, reads, kinds: known, planAgain, allow: options.allow ?? [] }),
    hold: async (reading, allow, isBegun = false, made = {}) =>
      held(
        { plan: whole, snapshot, kinds: known },
        reading,
        { planAgain, allow, isBegun, made, ...defined({ undone }) },
        await policiesWith(desired.value),
      ),
  };
  return { ok: true, value, warnings: plan.warnings };
}

/** The reading that a plan was made from, or one with the subscribers of channels if its guards need them: at most one reading more. */
async function enough(
  { snapshot, reads }: FirstReading,
  plan: Plan,
  { reader, leavesUnread }: PlanOptions,
): Promise<Pick<FirstReading, "snapshot" | "reads">> {
  // Parts that were missing are not requested in a later reading either.
  const asked = leavesUnread === true ? { ...reads, invites: reads.invites && snapshot.invites !== null } : reads;
  if (asked.subscribers || !needsSubscribers(plan, snapshot)) return { snapshot, reads: asked };
  const all = { ...asked, subscribers: true };
  const whole = snapshot.subscribers === null ? await reader.snapshot(all) : snapshot;
  // An existing snapshot may have been made without them.
  return whole.subscribers === null ? { snapshot, reads: asked } : { snapshot: whole, reads: all };
}

/** What is left of a plan today, with its guard rails. @throws Failure if it is more than was shown, or the same for others */
async function held(
  shown: GuardedPlan,
  snapshot: Snapshot,
  {
    planAgain,
    allow,
    isBegun,
    made,
    undone,
  }: Pick<Planned, "planAgain"> & {
    readonly allow: readonly string[];
    readonly isBegun: boolean;
    readonly made: Made;
    readonly undone?: LeftUndone;
  },
  policies: Awaited<ReturnType<typeof policiesOf>>,
): Promise<Plan> {
  if (!policies.ok) throw new RangeError("guard rails that were read before cannot be read again");
  const { kinds: known } = shown;
  const { leftOf, madeBefore, refuseBeyondShown } = await import("./later-guards.ts");
  const madeIn = (reading: Snapshot) => undone && madeBefore(undone.made, reading, known, undone.changes);
  const then = { ...shown, ...defined({ made: madeIn(shown.snapshot) }) };
  const again = isBegun ? undefined : await planAgain(snapshot);
  const left = {
    ...shown,
    plan: leftOf(shown.plan, snapshot, { kinds: known, again }),
    snapshot,
    made: madeIn(snapshot) ?? madeBefore(made, snapshot, known),
  };
  const plan = guarded({ ...left, policies: policies.value, allow });
  await refuseBeyondShown(then, { ...left, plan }, again, isBegun);
  return plan;
}

/** The plan of these objects for one reading, with every guard rail that was checked. @param isAgain an earlier reading was planned before */
async function guardedPlan(
  reading: Snapshot,
  isAgain: boolean,
  desired: Desired,
  policiesWith: (desired: Desired) => ReturnType<typeof policiesOf>,
  {
    kinds: known = kinds,
    targets,
    leavesUnread,
    comparesOnly,
    showsRefused,
    covers,
    allow = [],
    narrowed,
    undone,
  }: PlanOptions & { readonly undone?: LeftUndone },
): Promise<Checked<Plan>> {
  const elsewhere = otherRealm(desired, reading);
  if (elsewhere !== undefined) return { ok: false, diagnostics: [elsewhere] };
  const policies = await policiesWith(desired);
  const own = narrowed !== undefined && policies.ok ? narrowed(desired, reading, policies.value) : desired;
  const plan = planChanges({
    desired: own,
    snapshot: reading,
    kinds: known,
    toolVersion: VERSION,
    isAgain,
    ...defined({ targets, leavesUnread, comparesOnly, showsRefused, covers }),
  });
  if (!policies.ok || !plan.ok) return allErrors(policies, plan);
  const later = undone && (await import("./later-guards.ts"));
  const made = undone && later?.madeBefore(undone.made, reading, known, undone.changes);
  const input = { plan: plan.value, snapshot: reading, kinds: known, policies: policies.value, allow };
  const counted = guarded({ ...input, ...defined({ made }) });
  const open = narrowed === undefined ? await openListsIn(own, counted, reading, known, policies.value) : [];
  const value = open.length === 0 ? counted : { ...counted, warnings: [...counted.warnings, ...open] };
  const warnings = [...plan.warnings, ...open];
  if (comparesOnly !== true) return { ok: true, value, warnings };
  const { withDrifted } = await import("../plan/drifted.ts");
  return { ok: true, value: withDrifted(value, new Realm(reading)), warnings };
}

/** Few policies say what `sync` keeps, so the check is loaded on demand. */
async function openListsIn(
  desired: Desired,
  { changes }: Plan,
  snapshot: Snapshot,
  known: readonly ResourceKind[],
  policies: readonly GuardPolicy[],
): Promise<readonly Diagnostic[]> {
  const parts = policies.flatMap(({ sync }) => (sync === undefined ? [] : [sync]));
  if (parts.length === 0) return [];
  const { openLists } = await import("../plan/open-lists.ts");
  return openLists({ desired, snapshot, changes, kinds: known, parts });
}

function allErrors(...parts: readonly Checked<unknown>[]): Checked<never> {
  return { ok: false, diagnostics: parts.flatMap((part) => (part.ok ? part.warnings : part.diagnostics)) };
}

/**
 * Objects that no longer match the file. Unmanaged objects alone are not drift: that section leaves them alone.
 * @param plan made with `comparesOnly`: others do not say what was done to access
 */
export function driftOf(plan: Plan): Drift {
  // Objects that are planned only because others need them are not part of the question.
  const taken = new Set(plan.extra?.partial?.taken_along.map(({ object }) => object.address));
  const differences = plan.changes.filter(({ address }) => !taken.has(address)).map(perhapsUnseen(plan));
  const uncompared = uncomparedIn(plan);
  return {
    plan,
    differences,
    uncompared,
    unmanaged: plan.unmanaged.filter(({ names, policy }) => names.length > 0 && policy !== "absent"),
    exitCode: differences.length + uncompared.length > 0 ? EXIT.changesPending : EXIT.done,
  };
}

/** Who does not see all objects of a kind cannot tell whether one is missing. */
function perhapsUnseen({ extra }: Plan): (change: Change) => Change {
  const sections = new Set(extra?.unseen?.flatMap(({ what, section }) => (what === undefined ? [] : [section])));
  const unseen = new Set(kinds.flatMap(({ name, section }) => (sections.has(section) ? [name] : [])));
  return (change) =>
    change.action === "create" && unseen.has(change.kind) ? { ...change, may_be_unseen: true } : change;
}

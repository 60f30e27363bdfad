import { checksumOf, type PlanFile, type PlanInputs, parsePlanFile } from "../apply/plan-file.ts";
import { readOwnPolicy } from "../config/policy.ts";
import { kinds } from "../kinds/registry.ts";
import { defined } from "../model/defined.ts";
import { type Checked, EXIT, failure } from "../model/diagnostic.ts";
import type { PlanDifference } from "../model/diagnostics/runs.ts";
import { quote } from "../model/diagnostics/values.ts";
import { canonicalText } from "../model/json.ts";
import type { Call, Plan, PlanExtra } from "../model/plan.ts";
import type { GuardPolicy } from "../model/policy.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { otherNames } from "../plan/held-names.ts";
import { VERSION } from "../version.ts";
import { isSinceBase } from "./base.ts";
import { filesOf } from "./files.ts";
import type { Made } from "./later-guards.ts";
import { unsupportedIn } from "./realm.ts";
import { type Planned, planRealm } from "./workflow.ts";

/** A saved plan that follows from its own configuration and snapshot. */
export interface SavedPlan extends PlanFile {
  readonly checksum: string;
  /** The plan, computed again from its inputs. */
  readonly planned: Planned;
}

/**
 * Reads a saved plan and plans again from the configuration and the snapshot in it: every change, every call, every guard must be equal. Somebody who
 * edits the file can compute a checksum again, but cannot change this.
 * @throws Failure if it is not a plan, was edited, or was saved by a realmctl that plans differently
 */
export async function readSavedPlan(text: string, file: string): Promise<SavedPlan> {
  const parsed = parsePlanFile(text, file);
  const { plan } = parsed;
  const from = { file, saved_by: quote(plan.tool_version), this_version: VERSION };
  const names = unsupportedIn(plan);
  if (names !== undefined)
    throw failure("plan-file/other-tool", { ...from, because: { of: "names", ...names } }, EXIT.conflict);
  const again = await planInputs(parsed.inputs);
  // The rehearsal in a plan must be equal to a new one.
  const whole = again.ok && plan.extra?.rehearsal !== undefined ? await again.value.rehearse() : undefined;
  const difference = again.ok
    ? differenceOf(plan, planOf({ plan: whole ?? again.value.plan, origin: again.value.origin }, plan))
    : ({ is: "errors" } as const);
  if (again.ok && difference === undefined) return { ...parsed, planned: again.value, checksum: checksumOf(parsed) };
  const found = difference ?? { is: "errors" };
  // Another version may plan differently; the same one does not.
  throw plan.tool_version === VERSION
    ? failure("plan-file/not-its-own", { file, difference: found })
    : failure("plan-file/other-tool", { ...from, because: { of: "difference", difference: found } }, EXIT.conflict);
}

/** What vouches for the `--allow` of a saved plan. */
export interface OpenSavedOptions {
  /** Guards that it may let through, if it was saved with `--allow` for them. Default: none. */
  readonly allow?: readonly string[];
  /**
   * The guard rails that stand wherever it is from: its own limits answer nothing that these leave open, and do not raise what these set. Default: the
   * default limits.
   */
  readonly policies?: readonly GuardPolicy[];
  /** Somebody looked at it: its checksum or its signature is known, so everything that it was saved with counts. */
  readonly isVouchedFor?: boolean;
}

/**
 * Reads a saved plan to carry it out, like {@link readSavedPlan}. As in `apply PLAN --yes`, its own `--allow` counts only as far as the caller repeats it, and
 * the limits of its own policy only as far as `policies` has them, unless something vouches for the file: whoever may write the file could have allowed anything in it.
 * @throws Failure as {@link readSavedPlan} does
 */
export async function openSavedPlan(
  text: string,
  file: string,
  { allow = [], policies = [], isVouchedFor = false }: OpenSavedOptions = {},
): Promise<SavedPlan> {
  const saved = await readSavedPlan(text, file);
  return isVouchedFor ? saved : allowingOnly(saved, allow, async () => policies);
}

export function planInputs(inputs: PlanInputs, policies: readonly GuardPolicy[] = []): Promise<Checked<Planned>> {
  const { policy_file, allow, snapshot, targets } = inputs;
  return planRealm({
    ...filesOf(inputs),
    reader: { snapshot: async () => snapshot },
    allow,
    policies,
    ...defined({ policyFile: policy_file, targets }),
  });
}

/**
 * A saved plan with no more allowed than this. A file says nothing about who wrote its `--allow` and its policy: they count where somebody confirms the
 * plan, or names it by its checksum or its signature.
 * @param standing the guard rails that stand wherever the plan is from; read only if it has a policy of its own
 */
export async function allowingOnly(
  saved: SavedPlan,
  allow: readonly string[],
  standing: () => Promise<readonly GuardPolicy[]>,
): Promise<SavedPlan> {
  const { plan, inputs } = saved;
  const repeated = inputs.allow.filter((name) => allow.includes(name));
  const hasPolicy = await hasOwnPolicy(inputs);
  if (repeated.length === inputs.allow.length && !hasPolicy) return saved;
  const policies = hasPolicy ? await standing() : [];
  const again = await planInputs(
    { ...inputs, allow: repeated },
    hasPolicy && policies.length === 0 ? [{ limits: {}, protect: [] }] : policies,
  );
  if (!again.ok) throw new RangeError("a plan that was made again cannot be made without its --allow");
  const { guards } = plan.extra?.rehearsal === undefined ? again.value.plan : await again.value.rehearse();
  return { ...saved, plan: { ...plan, guards }, planned: again.value };
}

/** Whether a plan was made with guard rails that its own inputs brought. */
async function hasOwnPolicy(inputs: PlanInputs): Promise<boolean> {
  if (inputs.policy_file !== undefined) return true;
  const own = await readOwnPolicy({ ...filesOf(inputs), kinds });
  return own.ok && own.value.policy !== undefined;
}

/** A plan as it is saved, without its checksum; the version of the tool is taken from `saved`. */
function planOf({ plan, origin }: Pick<Planned, "plan" | "origin">, saved: Pick<Plan, "tool_version">): Plan {
  return { ...plan, tool_version: saved.tool_version, extra: { ...plan.extra, origin: { ...origin } } };
}

/** The first difference between a plan and its second computation: a call first, since calls are sent. Undefined: none. */
function differenceOf(saved: Plan, again: Plan): PlanDifference | undefined {
  const { checksum: _, ...extra }: PlanExtra = saved.extra ?? {};
  const found = { ...saved, extra, warnings: saved.warnings.filter((one) => !isSinceBase(one)) };
  if (canonicalText(found) === canonicalText(again)) return undefined;
  return callDifference(saved.calls, again.calls) ?? partDifference(found, again);
}

function callDifference(saved: readonly Call[], again: readonly Call[]): PlanDifference | undefined {
  const known = new Set(again.map(workOf));
  const extra = saved.find((call) => !known.has(workOf(call)));
  if (extra !== undefined) return { is: "extra-call", call: extra.n, operation: extra.operation };
  const there = new Set(saved.map(workOf));
  const missing = again.find((call) => !there.has(workOf(call)));
  if (missing !== undefined) return { is: "missing-call", call: missing.n, operation: missing.operation };
  const moved = saved.find((call, index) => canonicalText(call) !== canonicalText(again[index] ?? {}));
  return moved === undefined ? undefined : { is: "other-call", call: moved.n, operation: moved.operation };
}

function partDifference(saved: Plan, again: Plan): PlanDifference {
  const [left, right] = [saved, again].map((plan) => new Map<string, unknown>(Object.entries(plan)));
  const keys = [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])];
  const other = keys.filter((key) => canonicalText([left?.get(key)]) !== canonicalText([right?.get(key)]));
  return { is: "parts", parts: other };
}

/** The parts of a call that the server receives. */
const workOf = ({ operation, path, params }: Call): string => canonicalText({ operation, path, params });

/**
 * Checks a saved plan with the current organization, before anything is sent: its objects must have the names that were reviewed, and its guard rails
 * must allow what is left of it there. Only the reading says what is done: a journal could say anything. What the plan was saved with `--allow` for is
 * allowed as far as it showed, and no further.
 * @param options.allow guards that the command allows, whatever they count today
 * @param options.isBegun requests of the plan were sent, so names may be its own
 * @param options.made ids of objects that an interrupted run of the plan created: they do not count as there before
 * @returns the plan as it is today
 * @throws Failure if one of them does not
 */
export async function checkSavedPlan(
  { plan, inputs, planned }: SavedPlan,
  now: Snapshot,
  {
    allow,
    isBegun = false,
    made,
  }: { readonly allow: readonly string[]; readonly isBegun?: boolean; readonly made?: Made },
): Promise<Plan> {
  if (isBegun) return planned.hold(now, allow, isBegun, made);
  const others = otherNames(plan, { before: inputs.snapshot, now, kinds });
  const objects = others.map(({ kind, id, planned: name, now: live }) => ({
    noun: kind.replaceAll("_", " "),
    id,
    planned: quote(name, kind),
    now: quote(live, kind),
  }));
  if (objects.length > 0) throw failure("plan/other-names", { objects }, EXIT.conflict);
  return planned.hold(now, allow, false, made);
}

import { changesLeft } from "../apply/goals.ts";
import { readOwnPolicy } from "../config/policy.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Checked, error } from "../model/diagnostic.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { Address, Change, Guard, Plan } from "../model/plan.ts";
import type { GuardPolicy, PolicyEntry } from "../model/policy.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { MadeBefore } from "../plan/guard-gains.ts";
import type { GuardedPlan } from "../plan/guard-parts.ts";
import { type GuardInput, guarded } from "../plan/guards.ts";
import { standsFor } from "../plan/other-realm.ts";
import type { LoadOptions } from "../source/load.ts";
import { isAbsent } from "./base.ts";
import { refuseChangedSince } from "./changed-since.ts";
import { type GuardOptions, policiesOf, unknownProtections } from "./guards.ts";
import { readsOf, refuseOtherRealm } from "./realm.ts";
import { refuseMoreThanShown, refuseStrangers } from "./refusals.ts";

/*
 * Guard rails of a plan that was made before: a saved plan, what is left of a run, and an undo. Plans of a file alone need none of this.
 */

/** Checks a saved plan with a current policy and the current realm, in addition to the guards that it was saved with. */
export async function guardSaved(
  plan: Plan,
  options: LoadOptions &
    GuardOptions & {
      readonly reader: ZulipReader;
      readonly planAgain: PlanAgain;
      readonly kinds?: readonly ResourceKind[];
      /** Ids of objects that earlier runs of the plan created. */
      readonly made?: Made;
    },
): Promise<Checked<Plan>> {
  const { allow = [], made = {} } = options;
  const known = options.kinds ?? kinds;
  const violated = plan.guards.filter((guard) => guard.violated).map(({ name }) => name);
  // If nothing refuses, nothing has to be allowed.
  const unknown = options.policyFile === undefined && violated.length > 0 ? unknownProtections(allow, violated) : [];
  if (unknown.length > 0) return { ok: false, diagnostics: unknown };
  const before = plan.guards.map((guard) => (allow.includes(guard.name) ? letThrough(guard) : guard));
  if (options.policyFile === undefined) return { ok: true, value: { ...plan, guards: before }, warnings: [] };
  const policies = await policiesOf(undefined, { ...options, kinds: known, alsoKnown: violated });
  if (!policies.ok) return policies;
  const snapshot = await options.reader.snapshot(readsOf(plan));
  refuseOtherRealm(plan, snapshot, "plan");
  const left = leftOf(plan, snapshot, { kinds: known, again: await options.planAgain(snapshot) });
  const now = guarded({
    ...{ plan: left, snapshot, kinds: known, policies: policies.value, allow },
    made: madeBefore(made, snapshot, known),
  });
  const guards = [...before.filter(({ violated }) => violated), ...now.guards];
  return { ok: true, value: { ...plan, guards }, warnings: policies.warnings };
}

type PlanAgain = (reading: Snapshot) => Promise<Checked<Plan>>;

/**
 * What a reading does not show as done, with the risks of today: a channel that an invitation names may be private by now. A risk of a kind that only the
 * saved plan has stays, so another file or organization never makes a guard count less.
 * @param options.again the plan of this reading; absent while its requests are being sent: the risks are those that were shown
 */
export function leftOf(
  plan: Plan,
  reading: Snapshot,
  { kinds: known, again }: { readonly kinds: readonly ResourceKind[]; readonly again?: Checked<Plan> | undefined },
): Plan {
  const left = changesLeft(plan, reading, known);
  const today = new Map(again?.ok === true ? again.value.changes.map(({ address, risks }) => [address, risks]) : []);
  const changes = left.map((change) => {
    const risks = today.get(change.address) ?? [];
    const found = new Set(risks.map(({ fact }) => fact.kind));
    return { ...change, risks: [...risks, ...change.risks.filter(({ fact }) => !found.has(fact.kind))] };
  });
  return { ...plan, changes };
}

/** Ids of objects that a run of the plan created, by address, as its own journal has them. */
export type Made = { readonly [address: Address]: number };

/**
 * What interrupted runs created that has this id and this name today: a journal could name any other object.
 * @param made ids, as journals have them
 * @param left what was confirmed with these objects and not done; absent if it is the plan itself
 */
export function madeBefore(
  made: Made,
  reading: Snapshot,
  known: readonly ResourceKind[],
  left?: readonly Change[],
): MadeBefore {
  const realm = new Realm(reading);
  const ids = new Map(Object.entries(made));
  const found = known.flatMap((kind) => {
    if (![...ids.keys()].some((address) => address.startsWith(`${kind.name}:`))) return [];
    return (liveObjects(kind, realm) ?? []).flatMap(({ id, name }) => {
      const address: Address = `${kind.name}:${name}`;
      return id !== null && ids.get(address) === id ? [address] : [];
    });
  });
  return { objects: new Set(found), ...defined({ left }) };
}

/** Allows a guard: naming it on the command line is an approval, too. */
function letThrough({ fact: { asks: _, ...fact }, ...guard }: Guard): Guard {
  return { ...guard, fact, violated: false };
}

/**
 * The guard rails that stand wherever a plan is from: those that the command names, and `policy:` of the file as it lies in the directory. One that cannot be
 * read says nothing: then the defaults count.
 */
export async function standingPolicies(
  plan: Plan,
  options: LoadOptions & GuardOptions,
): Promise<readonly GuardPolicy[]> {
  const own = await ownPolicy(plan, { ...options, kinds, named: false });
  const policies = await policiesOf(own.ok ? own.value : undefined, { ...options, kinds, allow: [] });
  return policies.ok ? policies.value : [];
}

/** The guard rails that apply to the undo of a run, and where they come from. */
export interface UndoGuardOptions extends LoadOptions, GuardOptions {
  /** Whether somebody named the file: then it must exist, and be for this organization. */
  readonly named: boolean;
  /** Nothing shows that a run of this account wrote the journal. */
  readonly isForeign?: boolean;
  readonly kinds?: readonly ResourceKind[];
}

export interface GuardedUndo {
  readonly plan: Plan;
  /** The files whose guard rails were applied. */
  readonly heldAgainst: readonly string[];
  /**
   * The changes of the undo that a later reading does not show as done, with the same guard rails, counted on that reading.
   * @param isBegun requests of the plan were sent before the reading: then only people count who have nothing of it after the plan
   * @throws Failure if they would do more than the plan shows, or the same to others, unless `allow` names the guard
   */
  hold(reading: Snapshot, planAgain: (reading: Snapshot) => Promise<Checked<Plan>>, isBegun?: boolean): Promise<Plan>;
}

/**
 * The plan that undoes a run, checked with the guard rails of the file that describes the organization, and of the command: like the plan of a file,
 * with the default limits where they have none.
 * @param snapshot the reading that the plan was made from
 */
export async function guardUndo(
  plan: Plan,
  snapshot: Snapshot,
  options: UndoGuardOptions,
): Promise<Checked<GuardedUndo>> {
  const known = options.kinds ?? kinds;
  const own = await ownPolicy(plan, { ...options, kinds: known });
  if (!own.ok) return own;
  const policies = await policiesOf(own.value, { ...options, kinds: known });
  if (!policies.ok) return policies;
  const guardedOn = (made: Plan, reading: Snapshot): Plan =>
    withGuardsOfUndo({
      plan: made,
      snapshot: reading,
      kinds: known,
      policies: policies.value,
      allow: options.allow ?? [],
      undoes,
    });
  const undoes = undoneBy(options.isForeign);
  const whole = guardedOn(plan, snapshot);
  const hold = async (reading: Snapshot, planAgain: PlanAgain, isBegun = false): Promise<Plan> => {
    const again = isBegun ? undefined : await planAgain(reading);
    const left = leftOf(plan, reading, { kinds: known, again });
    const today = guardedOn(left, reading);
    const shown = { plan: whole, snapshot, kinds: known, undoes };
    await refuseBeyondShown(shown, { ...shown, plan: today, snapshot: reading }, again, isBegun);
    return today;
  };
  const heldAgainst = [own.value === undefined ? [] : options.file, options.policyFile ?? []].flat();
  return { ok: true, value: { plan: whole, heldAgainst, hold }, warnings: [...own.warnings, ...policies.warnings] };
}

/**
 * Counts the guard rails again, right before a plan is carried out or while it is, and compares what the plan relies on.
 * @param again the plan of the same file or run for the new reading, made before the first request
 * @throws Failure if it would do more than was shown, or the same to others, or if what it relies on changed
 */
export async function refuseBeyondShown(
  shown: GuardedPlan,
  today: GuardedPlan,
  again: Checked<Plan> | undefined,
  isBegun: boolean,
): Promise<void> {
  await (isBegun ? refuseStrangers : refuseMoreThanShown)(shown, today);
  if (again?.ok === true) refuseChangedSince(shown, today, again.value);
}

/** Whose run an undo is about. */
export const undoneBy = (isForeign = false): "own-run" | "foreign-run" => (isForeign ? "foreign-run" : "own-run");

/** The plan of an undo with the guard rails of these policies. */
export function withGuardsOfUndo(input: GuardInput & { readonly undoes: "own-run" | "foreign-run" }): Plan {
  const whole = guarded(input);
  // No line of a file asked for the change of an undo: the object identifies it.
  return { ...whole, guards: whole.guards.map(({ at: _, ...guard }) => guard) };
}

/** `policy:` of the file, if the file exists and is for this organization. */
async function ownPolicy(
  plan: Plan,
  options: UndoGuardOptions & { readonly kinds: readonly ResourceKind[] },
): Promise<Checked<PolicyEntry | undefined>> {
  const none = { ok: true, value: undefined, warnings: [] } as const;
  if (!options.named && (await isAbsent(options))) return none;
  const own = await readOwnPolicy(options);
  if (!own.ok) return own;
  const { realm, policy } = own.value;
  if (realm === undefined || standsFor(plan.realm, realm.url)) return { ...own, value: policy };
  if (!options.named) return none;
  return {
    ok: false,
    diagnostics: [error("realm/other-realm", { what: "undo-file", url: realm.url, found: plan.realm.url }, realm.at)],
  };
}

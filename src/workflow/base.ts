import { openConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { SnapshotRequest } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { isMissing } from "../model/unreadable.ts";
import { otherRealm } from "../plan/other-realm.ts";
import { planChanges } from "../plan/plan.ts";
import { requestOf } from "../plan/requests.ts";
import { takenOut } from "../plan/taken-out.ts";
import { alreadyDifferent } from "../plan/three-way.ts";
import type { LoadOptions } from "../source/load.ts";
import { VERSION } from "../version.ts";

/** The plan of an earlier version of the file. Neither `plan` nor `absent`: that version has errors. */
export interface BasePlan {
  readonly plan?: Plan;
  readonly desired?: Desired;
  /** Whether that version has no such file, so that everything is new. */
  readonly absent?: boolean;
}

/** Whether the file does not exist. One that cannot be read must not be ignored. */
export async function isAbsent({ readFile, file }: LoadOptions): Promise<boolean> {
  try {
    await readFile(file);
    return false;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

/** What an earlier version of the file needs of a reading: the present one may no longer ask for it. */
export async function baseReads(base: LoadOptions): Promise<Partial<SnapshotRequest>> {
  if (await isAbsent(base)) return {};
  const offline = (await openConfig({ ...base, kinds })).decode();
  const { invites, subscribers } = requestOf(offline.ok ? offline.value : undefined, kinds);
  return defined({ invites: invites || undefined, subscribers: subscribers || undefined });
}

/** Plans an earlier version of the file against the reading of the present one. */
export async function basePlan(base: LoadOptions, snapshot: Snapshot): Promise<BasePlan> {
  if (await isAbsent(base)) return { absent: true };
  const config = await openConfig({ ...base, kinds });
  const desired = config.decode(new Realm(snapshot));
  if (!desired.ok || otherRealm(desired.value, snapshot) !== undefined) {
    const offline = config.decode();
    return defined({ desired: offline.ok ? offline.value : undefined });
  }
  // The base's differences count, whatever guard rails say about them.
  const plan = planChanges({ desired: desired.value, snapshot, kinds, toolVersion: VERSION });
  return { desired: desired.value, ...defined({ plan: plan.ok ? plan.value : undefined }) };
}

/**
 * What a plan says about the file of an earlier commit. It does not follow from what a saved plan holds, since that file is not in it.
 * @param base the name of the commit
 */
export function warningsSince({ plan, absent }: BasePlan, now: Plan, base: string): readonly Diagnostic[] {
  if (absent === true) return [];
  if (plan === undefined) return [warning("plan/no-base", { base, cause: "errors" })];
  return alreadyDifferent(plan, now, base);
}

/**
 * What the file of an earlier commit watches, and the present one does not.
 * @param head the present file, of which `now` is the plan
 */
export async function takenOutSince(
  { plan, desired }: BasePlan,
  head: LoadOptions,
  now: Plan,
  snapshot: Snapshot,
): Promise<readonly Diagnostic[]> {
  if (plan === undefined || desired === undefined) return [];
  const present = (await openConfig({ ...head, kinds })).decode(new Realm(snapshot));
  const partial = now.extra?.partial === undefined ? undefined : now;
  return present.ok ? takenOut(desired, present.value, { snapshot, kinds, partial }) : [];
}

export const isSinceBase = ({ code }: Diagnostic): boolean =>
  code === "plan/no-base" || code === "plan/taken-out" || code === "plan/already-different";

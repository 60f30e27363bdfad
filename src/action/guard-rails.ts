import { loadPolicy, readOwnPolicy } from "../config/policy.ts";
import { kinds } from "../kinds/registry.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { GuardPolicy } from "../model/policy.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { guardsOf } from "../plan/guards.ts";
import { policiesOf } from "../workflow-guards.ts";
import type { Files } from "./files.ts";
import type { Job } from "./job.ts";
import type { Versions } from "./revisions.ts";

/**
 * The guard rails that the input `policy` names. On a pull request those of the base: whoever asks for something does not say what may
 * be asked for. Only a file that the base does not have yet is the pull request's.
 */
export async function namedPolicies(job: Job, versions?: Versions): Promise<Checked<readonly GuardPolicy[]>> {
  const { policy: file } = job.inputs;
  if (file === undefined) return { ok: true, value: [], warnings: [] };
  const from = versions === undefined ? job.files : (await has(versions.base, file)) ? versions.base : versions.head;
  const policy = await loadPolicy({ ...from, file, kinds });
  return policy.ok ? { ...policy, value: [policy.value] } : policy;
}

/**
 * A pull request's plan, held against what the base's own file says of guard rails, too: it cannot loosen them and use that at once.
 * A base whose guard rails cannot be read has none.
 */
export async function heldAgainstBase(plan: Plan, snapshot: Snapshot, base: Files): Promise<Plan> {
  const own = await readOwnPolicy({ ...base, kinds });
  if (!own.ok || own.value.policy === undefined) return plan;
  const policies = await policiesOf(own.value.policy, { ...base, kinds });
  if (!policies.ok) return plan;
  const guards = new Map(plan.guards.map((guard) => [guard.name, guard]));
  for (const guard of guardsOf({ plan, snapshot, kinds, policies: policies.value, allow: [] })) {
    if (!guard.hit || guards.get(guard.name)?.hit === true) continue;
    const message = `${guard.message}; the base has this guard rail: loosen it in a pull request of its own first`;
    guards.set(guard.name, { ...guard, message });
  }
  return { ...plan, guards: [...guards.values()] };
}

async function has(files: Files, path: string): Promise<boolean> {
  try {
    await files.readFile(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

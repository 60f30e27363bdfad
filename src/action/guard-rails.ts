import { loadPolicy, readOwnPolicy } from "../config/policy.ts";
import { kinds } from "../kinds/registry.ts";
import { defined } from "../model/defined.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { GuardAbout } from "../model/facts.ts";
import type { Plan } from "../model/plan.ts";
import type { GuardPolicy } from "../model/policy.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { guardOf } from "../plan/guard-found.ts";
import { guardsOf } from "../plan/guards.ts";
import { policiesOf } from "../workflow/guards.ts";
import { type Files, hasFile } from "./files.ts";
import type { Job } from "./job.ts";
import type { Versions } from "./revisions.ts";

/**
 * The guard rails that the input `policy` names. On a pull request these are the base's: the author of a change does not decide which changes are
 * allowed. The pull request's own file is used only if the base does not have it yet.
 */
export async function namedPolicies(job: Job, versions?: Versions): Promise<Checked<readonly GuardPolicy[]>> {
  const { policy: file } = job.inputs;
  if (file === undefined) return { ok: true, value: [], warnings: [] };
  const from =
    versions === undefined ? job.files : (await hasFile(versions.base, file)) ? versions.base : versions.head;
  const policy = await loadPolicy({ ...from, file, kinds });
  return policy.ok ? { ...policy, value: [policy.value] } : policy;
}

/**
 * Checks a pull request's plan against the guard rails of the base's own file, too: a pull request cannot loosen them and use that at once. If they
 * cannot be read, nobody knows whether it does, so the plan is refused.
 */
export async function heldAgainstBase(plan: Plan, snapshot: Snapshot, base: Files): Promise<Plan> {
  const rails = await railsOf(base);
  const guards = new Map(plan.guards.map((guard) => [guard.name, guard]));
  if (!rails.ok) {
    const [first] = rails.diagnostics;
    const place = defined({ place: first?.at && `${first.at.file}:${first.at.line}` });
    const about: GuardAbout = { kind: "base-unreadable", code: first?.code ?? "unknown", ...place };
    guards.set("base-policy", guardOf({ name: "base-policy", about, violated: true }));
  } else if (rails.value.length > 0)
    for (const guard of guardsOf({ plan, snapshot, kinds, policies: rails.value, allow: [] })) {
      if (!guard.violated || guards.get(guard.name)?.violated === true) continue;
      guards.set(guard.name, { ...guard, fact: { ...guard.fact, of_base: true } });
    }
  return { ...plan, guards: [...guards.values()] };
}

async function railsOf(base: Files): Promise<Checked<readonly GuardPolicy[]>> {
  const own = await readOwnPolicy({ ...base, kinds });
  return own.ok ? await policiesOf(own.value.policy, { ...base, kinds }) : own;
}

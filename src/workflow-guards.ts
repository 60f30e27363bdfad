import { loadPolicy } from "./config/policy.ts";
import { kinds } from "./kinds/registry.ts";
import type { ZulipReader } from "./model/api.ts";
import type { Checked, Diagnostic } from "./model/diagnostic.ts";
import type { ResourceKind } from "./model/kind.ts";
import type { Plan } from "./model/plan.ts";
import type { GuardPolicy, PolicyEntry } from "./model/policy.ts";
import { guarded } from "./plan/guards.ts";
import type { LoadOptions } from "./source/load.ts";
import { directoryOf, join } from "./source/paths.ts";
import { readsOf, refuseOtherRealm } from "./workflow-realm.ts";

/** Which guard rails hold beside those of the file, and which of them the person who runs this lets through. */
export interface GuardOptions {
  /** A policy file that holds whatever the file says. */
  readonly policyFile?: string;
  /** Names of guards. */
  readonly allow?: readonly string[];
}

/** Every policy that a file is held against: its own, and the one that the command names. */
export async function policiesOf(
  own: PolicyEntry | undefined,
  options: LoadOptions & GuardOptions & { readonly kinds: readonly ResourceKind[] },
): Promise<Checked<readonly GuardPolicy[]>> {
  const policies: GuardPolicy[] = [];
  const warnings: Diagnostic[] = [];
  const files: string[] = [];
  if (own !== undefined && "file" in own) files.push(join(directoryOf(options.file.replaceAll("\\", "/")), own.file));
  else if (own !== undefined) policies.push(own);
  if (options.policyFile !== undefined) files.push(options.policyFile);
  for (const file of files) {
    const policy = await loadPolicy({ ...options, file });
    if (!policy.ok) return policy;
    policies.push(policy.value);
    warnings.push(...policy.warnings);
  }
  return { ok: true, value: policies, warnings };
}

/** A saved plan held against a policy of today and the realm of today, beside the guards that it was saved with. */
export async function guardSaved(
  plan: Plan,
  options: LoadOptions & GuardOptions & { readonly reader: ZulipReader; readonly kinds?: readonly ResourceKind[] },
): Promise<Checked<Plan>> {
  const { allow = [] } = options;
  const known = options.kinds ?? kinds;
  const before = plan.guards.map((guard) => (allow.includes(guard.name) ? { ...guard, hit: false } : guard));
  if (options.policyFile === undefined) return { ok: true, value: { ...plan, guards: before }, warnings: [] };
  const policies = await policiesOf(undefined, { ...options, kinds: known });
  if (!policies.ok) return policies;
  const snapshot = await options.reader.snapshot(readsOf(plan));
  refuseOtherRealm(plan, snapshot, "this plan");
  const now = guarded({ plan, snapshot, kinds: known, policies: policies.value, allow });
  const guards = [...before.filter(({ hit }) => hit), ...now.guards];
  return { ok: true, value: { ...plan, guards }, warnings: policies.warnings };
}

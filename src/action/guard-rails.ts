import { loadPolicy, readOwnPolicy } from "../config/policy.ts";
import { kinds } from "../kinds/registry.ts";
import { defined } from "../model/defined.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { GuardAbout } from "../model/facts.ts";
import type { Guard, Plan } from "../model/plan.ts";
import type { GuardPolicy } from "../model/policy.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { guardsOf } from "../plan/guards.ts";
import { policiesOf } from "../workflow/guards.ts";
import { guardKey } from "../workflow/refusals.ts";
import { CommitTree, type Versions } from "./commit-tree.ts";
import { type Files, hasFile } from "./files.ts";
import type { Job } from "./job.ts";

/** The guard rails that the input `policy` names, and whose they are. */
export interface NamedPolicies {
  readonly policies: readonly GuardPolicy[];
  /** The pull request brings the file: the base does not have it yet. */
  readonly areOfHead: boolean;
}

/**
 * The guard rails that the input `policy` names. On a pull request these are the base's: the author of a change does not decide which changes are
 * allowed. The pull request's own file is used only if the base does not have it yet.
 */
export async function namedPolicies(
  job: Job,
  versions?: Pick<Versions, "head" | "base">,
): Promise<Checked<NamedPolicies>> {
  const { policy: file } = job.inputs;
  if (file === undefined) return { ok: true, value: { policies: [], areOfHead: false }, warnings: [] };
  const areOfHead = versions !== undefined && !(await hasFile(versions.base, file));
  const from = versions === undefined ? job.files : areOfHead ? versions.head : versions.base;
  const policy = await loadPolicy({ ...from, file, kinds });
  return policy.ok ? { ...policy, value: { policies: [policy.value], areOfHead } } : policy;
}

/** The guard rails of a pull request's base. */
interface BaseRails {
  readonly files: Files;
  /** The base does not have the organization's file yet. */
  readonly isAbsent: boolean;
  readonly named: Checked<NamedPolicies>;
}

/**
 * Checks a pull request's plan against the guard rails of its base, too: a pull request cannot loosen them and use that at once, nor answer what they ask
 * with a number of its own. Where the base says nothing, that is the defaults. If they cannot be read, nobody knows what they say, so the plan is refused.
 */
export async function heldAgainstBase(plan: Plan, snapshot: Snapshot, base: BaseRails): Promise<Plan> {
  const rails = await railsOf(base);
  if (!rails.ok) {
    const [first] = rails.diagnostics;
    const place = defined({ place: first?.at && `${first.at.file}:${first.at.line}` });
    const about: GuardAbout = { kind: "base-unreadable", code: first?.code ?? "unknown", ...place };
    return { ...plan, guards: [...plan.guards, { name: "base-policy", fact: { about }, violated: true }] };
  }
  const guards = new Map(plan.guards.map((guard) => [guardKey(guard), guard]));
  for (const guard of guardsOf({ plan, snapshot, kinds, policies: rails.value, allow: [] })) {
    const own = guards.get(guardKey(guard));
    if (strictness(guard) > strictness(own))
      guards.set(guardKey(guard), { ...guard, fact: { ...guard.fact, of_base: true } });
  }
  return { ...plan, guards: [...guards.values()] };
}

/**
 * Checks what a push brings against the guard rails from before it, too, if no review of a pull request did: what is merged cannot loosen them and use that at
 * once. A job that no push started has none from before.
 */
export async function heldAgainstPush(job: Job, plan: Plan, snapshot: Snapshot): Promise<Plan> {
  const { before } = job.event;
  if (before === undefined) return plan;
  if (before === null) return heldAgainstBase(plan, snapshot, { files: job.files, isAbsent: true, named: NONE });
  const files = new CommitTree(job.github().branches, before).files(job.inputs.file);
  const named = await namedPolicies(job, { head: job.files, base: files });
  return heldAgainstBase(plan, snapshot, { files, isAbsent: !(await hasFile(files, job.inputs.file)), named });
}

const NONE: Checked<NamedPolicies> = { ok: true, value: { policies: [], areOfHead: false }, warnings: [] };

/** What refuses is stricter than what asks. */
function strictness(guard: Guard | undefined): number {
  if (guard?.violated === true) return 2;
  return guard?.fact.asks === true ? 1 : 0;
}

async function railsOf({ files, isAbsent, named }: BaseRails): Promise<Checked<readonly GuardPolicy[]>> {
  if (!named.ok) return named;
  const ofBase = named.value.areOfHead ? [] : named.value.policies;
  if (isAbsent) return { ok: true, value: ofBase, warnings: [] };
  const own = await readOwnPolicy({ ...files, kinds });
  return own.ok ? await policiesOf(own.value.policy, { ...files, policies: ofBase, kinds }) : own;
}

import { loadPolicy, readOwnPolicy } from "../config/policy.ts";
import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined, whenDefined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, type Diagnostic, error, type Span } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Guard, Plan } from "../model/plan.ts";
import type { GuardPolicy, PolicyEntry } from "../model/policy.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { didYouMean } from "../model/suggest.ts";
import { guarded } from "../plan/guards.ts";
import { standsFor } from "../plan/other-realm.ts";
import type { LoadOptions } from "../source/load.ts";
import { directoryOf, join } from "../source/paths.ts";
import { readsOf, refuseOtherRealm } from "./realm.ts";

/** Which guard rails hold beside those of the file, and which of them the person who runs this lets through. */
export interface GuardOptions {
  /** A policy file that holds whatever the file says. */
  readonly policyFile?: string;
  /** Guard rails that hold whatever the file says, read already. */
  readonly policies?: readonly GuardPolicy[];
  /** Names of guards. */
  readonly allow?: readonly string[];
  /** Names of guards that a saved plan has besides those of the policies. */
  readonly alsoKnown?: readonly string[];
}

/** Every policy that a file is held against: its own, and the one that the command names. */
export async function policiesOf(
  own: PolicyEntry | undefined,
  options: LoadOptions & GuardOptions & { readonly kinds: readonly ResourceKind[] },
): Promise<Checked<readonly GuardPolicy[]>> {
  const policies: GuardPolicy[] = [...(options.policies ?? [])];
  const warnings: Diagnostic[] = [];
  const ownFile =
    own !== undefined && "file" in own ? join(directoryOf(options.file.replaceAll("\\", "/")), own.file) : undefined;
  const files = ownFile === undefined ? [] : [ownFile];
  if (own !== undefined && !("file" in own)) policies.push(own);
  if (options.policyFile !== undefined) files.push(options.policyFile);
  for (const file of files) {
    const policy = await loadPolicy({ ...options, file });
    if (!policy.ok)
      return {
        ok: false,
        diagnostics: policy.diagnostics.map((found) => (file === ownFile ? placed(found, placeOf(own)) : found)),
      };
    policies.push(policy.value);
    warnings.push(...policy.warnings);
  }
  const known = policies.flatMap(({ protect }) => protect.map(({ pattern }) => `protect:${pattern}`));
  const unknown = unknownProtections(options.allow ?? [], [...known, ...(options.alsoKnown ?? [])]);
  if (unknown.length > 0) return { ok: false, diagnostics: unknown };
  return { ok: true, value: policies, warnings };
}

const placeOf = (own: PolicyEntry | undefined): Span | undefined =>
  own !== undefined && "file" in own ? own.at : undefined;

/** That the file cannot be read is an error of the line that names it. */
function placed(found: Diagnostic, at: Span | undefined): Diagnostic {
  if (found.code !== "config/cannot-read" || at === undefined || found.fact === undefined) return found;
  return error("policy/cannot-read", found.fact, at);
}

/** A protection that is let through and that nobody wrote is a slip of the pen: the one that was meant would refuse all the same. */
function unknownProtections(allow: readonly string[], known: readonly string[]): readonly Diagnostic[] {
  return allow
    .filter((name) => name.startsWith("protect:") && !known.includes(name))
    .map((name) => {
      const meant = didYouMean(name, known);
      return error("guard/unknown", {
        guard: { pattern: name },
        protected: known.map((pattern) => ({ pattern })),
        ...defined({ meant: whenDefined(meant, (pattern) => ({ pattern })) }),
      });
    });
}

/** The errors of a file that no realm has to be known for, with those of the file that its `policy:` names. */
export async function readWhole(
  options: LoadOptions & { readonly kinds: readonly ResourceKind[] },
): Promise<Checked<Desired>> {
  const desired = await readConfig(options);
  if (!desired.ok) return desired;
  const policies = await policiesOf(desired.value.policy, options);
  if (!policies.ok) return { ok: false, diagnostics: [...desired.warnings, ...policies.diagnostics] };
  return { ...desired, warnings: [...desired.warnings, ...policies.warnings] };
}

/** A saved plan held against a policy of today and the realm of today, beside the guards that it was saved with. */
export async function guardSaved(
  plan: Plan,
  options: LoadOptions & GuardOptions & { readonly reader: ZulipReader; readonly kinds?: readonly ResourceKind[] },
): Promise<Checked<Plan>> {
  const { allow = [] } = options;
  const known = options.kinds ?? kinds;
  const violated = plan.guards.filter((guard) => guard.violated).map(({ name }) => name);
  // Where nothing refuses, nothing has to be let through.
  const unknown = options.policyFile === undefined && violated.length > 0 ? unknownProtections(allow, violated) : [];
  if (unknown.length > 0) return { ok: false, diagnostics: unknown };
  const before = plan.guards.map((guard) => (allow.includes(guard.name) ? letThrough(guard) : guard));
  if (options.policyFile === undefined) return { ok: true, value: { ...plan, guards: before }, warnings: [] };
  const policies = await policiesOf(undefined, { ...options, kinds: known, alsoKnown: violated });
  if (!policies.ok) return policies;
  const snapshot = await options.reader.snapshot(readsOf(plan));
  refuseOtherRealm(plan, snapshot, "plan");
  const now = guarded({ plan, snapshot, kinds: known, policies: policies.value, allow });
  const guards = [...before.filter(({ violated }) => violated), ...now.guards];
  return { ok: true, value: { ...plan, guards }, warnings: policies.warnings };
}

/** Whoever names it answers for it, too. */
function letThrough({ fact: { asks: _, ...fact }, ...guard }: Guard): Guard {
  return { ...guard, fact, violated: false };
}

/** Which guard rails hold for undoing a run, and whose they are. */
interface UndoGuardOptions extends LoadOptions, GuardOptions {
  /** Somebody named the file: it must be there, and be for this organization. */
  readonly named: boolean;
  readonly kinds?: readonly ResourceKind[];
}

interface GuardedUndo {
  readonly plan: Plan;
  /** The files whose guard rails it was held against. */
  readonly heldAgainst: readonly string[];
}

/**
 * What undoes a run, held against the guard rails of the file that describes the organization, and of the command. Limits that nobody wrote
 * do not hold: what gives back what was there must not be stopped by a number that nobody chose.
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
  const whole = guarded({
    plan,
    snapshot,
    kinds: known,
    policies: policies.value,
    withoutDefaults: true,
    allow: options.allow ?? [],
  });
  const heldAgainst = [own.value === undefined ? [] : options.file, options.policyFile ?? []].flat();
  // No line of a file asked for what an undo does: the object says which it is.
  const guards = whole.guards.map(({ at: _, ...guard }) => guard);
  return {
    ok: true,
    value: { plan: { ...whole, guards }, heldAgainst },
    warnings: [...own.warnings, ...policies.warnings],
  };
}

/** `policy:` of the file, when there is one and it is for this organization. */
async function ownPolicy(
  plan: Plan,
  options: UndoGuardOptions & { readonly kinds: readonly ResourceKind[] },
): Promise<Checked<PolicyEntry | undefined>> {
  const none = { ok: true, value: undefined, warnings: [] } as const;
  if (!options.named && !(await isThere(options))) return none;
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

/** A file that exists but cannot be read must not be ignored. */
async function isThere({ file, readFile }: LoadOptions): Promise<boolean> {
  try {
    await readFile(file);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

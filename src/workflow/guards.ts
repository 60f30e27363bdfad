import { loadNamedPolicy, loadPolicy } from "../config/policy.ts";
import { readConfig } from "../config/read-config.ts";
import { defined, whenDefined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, type Diagnostic, error, type Span } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { GuardPolicy, PolicyEntry } from "../model/policy.ts";
import { didYouMean } from "../model/suggest.ts";
import type { LoadOptions } from "../source/load.ts";
import { directoryOf, join } from "../source/paths.ts";

/** The guard rails that apply in addition to those of the file, and those that the person who runs the command allows. */
export interface GuardOptions {
  /** An additional policy file. */
  readonly policyFile?: string;
  /** Additional guard rails. */
  readonly policies?: readonly GuardPolicy[];
  /** The names of allowed guards. */
  readonly allow?: readonly string[];
  /** Names of guards that a saved plan has besides those of the policies. */
  readonly alsoKnown?: readonly string[];
}

/** Every policy that a file is checked with: its own, and the one that the command names. */
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
    const policy = await (file === ownFile ? loadPolicy : loadNamedPolicy)({ ...options, file });
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

/** A diagnostic at the line that names the policy file. */
function placed(found: Diagnostic, at: Span | undefined): Diagnostic {
  if (found.code !== "config/cannot-read" || at === undefined || found.fact === undefined) return found;
  return error("policy/cannot-read", found.fact, at);
}

/** An allowed protection that nobody wrote is a typing error: the intended one would refuse nevertheless. */
export function unknownProtections(allow: readonly string[], known: readonly string[]): readonly Diagnostic[] {
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

/** The errors of a file that need no realm, with those of the file that its `policy:` names. */
export async function readWhole(
  options: LoadOptions & { readonly kinds: readonly ResourceKind[] },
): Promise<Checked<Desired>> {
  const desired = await readConfig(options);
  if (!desired.ok) return desired;
  const policies = await policiesOf(desired.value.policy, options);
  if (!policies.ok) return { ok: false, diagnostics: [...desired.warnings, ...policies.diagnostics] };
  return { ...desired, warnings: [...desired.warnings, ...policies.warnings] };
}

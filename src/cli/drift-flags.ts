import { connectionWords, ending, fileOptionWords, fileWords, guardWords, valued } from "./command-words.ts";
import type { ConnectionFlags } from "./flags.ts";
import type { GuardFlags } from "./guard-flags.ts";
import type { ManyFlags } from "./organizations/flags.ts";
import { type TargetFlags, targetWords } from "./target-flags.ts";
import type { ValueFlags } from "./value-flags.ts";

export interface DriftFlags
  extends ConnectionFlags,
    Pick<GuardFlags, "policy">,
    Omit<TargetFlags, "withNeeds">,
    ValueFlags,
    ManyFlags {
  readonly snapshot?: string;
  readonly format: "text" | "json" | "html";
  readonly all?: boolean;
  readonly watch?: boolean;
  readonly who?: boolean;
  readonly coverage?: boolean;
  readonly rules?: string;
}

/** The arguments of the suggested commands that revert or keep the drift. */
export function waysOn(
  file: string,
  flags: DriftFlags,
): {
  readonly argument: string;
  readonly applyAsOther: string;
  readonly adoptWith: string;
} {
  const connection = connectionWords(flags);
  const what = [...fileWords(file, flags), ...targetWords(flags)];
  return {
    argument: ending(...what, ...connection, ...guardWords(flags)),
    applyAsOther: ending(...what, ...guardWords(flags)),
    adoptWith: ending(...fileOptionWords(file, flags), ...valued("--snapshot", flags.snapshot), ...connection),
  };
}

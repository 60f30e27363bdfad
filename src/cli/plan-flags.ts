import type { ConnectionFlags } from "./flags.ts";
import type { GuardFlags } from "./guard-flags.ts";
import type { ManyFlags } from "./organizations/flags.ts";
import type { TargetFlags } from "./target-flags.ts";
import type { ValueFlags } from "./value-flags.ts";

export interface PlanFlags extends ConnectionFlags, GuardFlags, TargetFlags, ValueFlags, ManyFlags {
  readonly snapshot?: string;
  readonly out?: string;
  readonly signWith?: string;
  readonly force?: boolean;
  readonly format: "text" | "json" | "html";
  readonly detailedExitCode?: boolean;
  readonly all?: boolean;
  readonly who?: boolean;
  readonly rehearse?: boolean;
  readonly base?: string;
}

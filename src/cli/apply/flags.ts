import type { ConnectionFlags } from "../flags.ts";
import type { GuardFlags } from "../guard-flags.ts";
import type { ManyFlags } from "../organizations/flags.ts";
import type { TargetFlags } from "../target-flags.ts";
import type { ValueFlags } from "../value-flags.ts";

/** The options of `realmctl apply`. */
export interface ApplyFlags extends ConnectionFlags, GuardFlags, TargetFlags, ValueFlags, ManyFlags {
  readonly yes?: boolean;
  readonly plan?: string;
  readonly checksum?: string;
  readonly verifyWith?: string;
  /** A journal; `true` (no value) means the last run. */
  readonly undo?: string | true;
  readonly foreignJournal?: boolean;
  readonly onConflict: "refuse" | "replan";
  readonly format: "text" | "json" | "jsonl";
  readonly all?: boolean;
  readonly who?: boolean;
  readonly showLinks?: boolean;
  readonly rehearse?: boolean;
}

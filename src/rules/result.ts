import type { Snapshot } from "../model/snapshot.ts";
import type { Ground } from "./bind.ts";
import type { RuleOutcome } from "./check.ts";

/** The result of checking rules. */
export interface RulesResult {
  readonly outcomes: readonly RuleOutcome[];
  readonly ground: Ground;
  /** The basis of the check: the file alone, a reading with the changes that the file asks for, or the current reading. */
  readonly against: "file" | "plan" | "reading";
  /** The reading; undefined for the file alone. */
  readonly snapshot: Snapshot | undefined;
}

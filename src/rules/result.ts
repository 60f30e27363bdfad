import type { Snapshot } from "../model/snapshot.ts";
import type { Ground } from "./bind.ts";
import type { RuleOutcome } from "./check.ts";

/** What became of the rules. */
export interface RulesResult {
  readonly outcomes: readonly RuleOutcome[];
  readonly ground: Ground;
  /** The file alone, a reading with the changes that the file asks for, or a reading as it is. */
  readonly against: "file" | "plan" | "reading";
  /** The reading; undefined for the file alone. */
  readonly snapshot: Snapshot | undefined;
}

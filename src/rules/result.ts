import type { Snapshot } from "../model/snapshot.ts";
import type { Ground } from "./bind.ts";
import type { RuleOutcome } from "./check.ts";

/** How many rules hold, how many do not, and of how many it is not known. */
export type RuleCounts = Readonly<Record<"held" | "broken" | "undecided", number>>;

export function ruleCounts(outcomes: readonly RuleOutcome[]): RuleCounts {
  const those = (wanted: RuleOutcome["verdict"]): number => outcomes.filter(({ verdict }) => verdict === wanted).length;
  return { held: those("holds"), broken: those("broken"), undecided: those("undecided") };
}

/** The result of checking rules. */
export interface RulesResult {
  readonly outcomes: readonly RuleOutcome[];
  readonly ground: Ground;
  /** The basis of the check: the file alone, a reading with the changes that the file asks for, or the current reading. */
  readonly against: "file" | "plan" | "reading";
  /** The reading; undefined for the file alone. */
  readonly snapshot: Snapshot | undefined;
}

import type { PlanPart } from "./target-forms.ts";

export type { PlanPart, Targets } from "./target-forms.ts";

/** How many changes the file asks for that a partial plan leaves out. */
export function leftOutOf({ left_out }: PlanPart): number {
  return left_out.reduce((sum, { changes }) => sum + changes, 0);
}

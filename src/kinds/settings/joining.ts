import { JOINING_LIMITS } from "../../access/joining-limits.ts";
import type { FieldChange } from "../../model/plan.ts";

/** Whether this change lets people join who could not before. */
export function opensJoining({ field, after }: Pick<FieldChange, "field" | "after">): boolean {
  return after === false && JOINING_LIMITS.some((barrier) => barrier === field);
}

import type { Change, FieldChange } from "./plan.ts";

/** The fields that make an object inactive, of all kinds whose objects cannot be deleted. */
export const INACTIVITY_FIELDS = ["archived", "deactivated"] as const;
export type InactivityField = (typeof INACTIVITY_FIELDS)[number];

export const isInactivityField = (field: string): boolean => INACTIVITY_FIELDS.some((known) => known === field);

/** The field by which a change archives or deactivates an existing object; undefined if it does not. */
export function inactivityIn({ action, fields }: Pick<Change, "action" | "fields">): FieldChange | undefined {
  if (action === "create" || action === "reorder") return undefined;
  return fields.find(({ field, after }) => after === true && isInactivityField(field));
}

/** Whether an object is deleted, archived or deactivated. */
export function isRemoval(change: Pick<Change, "action" | "fields">): boolean {
  return change.action === "remove" || inactivityIn(change) !== undefined;
}

/** Whether an object that was archived or deactivated is put back into use. */
export function isReactivation({ action, fields }: Pick<Change, "action" | "fields">): boolean {
  return action === "update" && fields.some(isReactivatedBy);
}

/** Whether this field puts its object back into use. */
export const isReactivatedBy = ({ field, before, after }: FieldChange): boolean =>
  isInactivityField(field) && before === true && after === false;

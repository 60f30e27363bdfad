import type { Change, FieldChange } from "./plan.ts";

/** The fields that make an object inactive, of all kinds whose objects cannot be deleted. */
export const INACTIVITY_FIELDS = ["archived", "deactivated"] as const;
export type InactivityField = (typeof INACTIVITY_FIELDS)[number];

/** The number of objects in changes, by action. Every report and every guard rail counts with {@link tallyOf}. */
export interface Tally {
  /** The number of changes; each is of one object, or reorders one section. */
  readonly changes: number;
  readonly created: number;
  /** Objects that get other values. An object that is also archived or deactivated counts as removed, too. */
  readonly updated: number;
  /** Objects that are renamed; they also count as updated. */
  readonly renamed: number;
  /** Objects that are reactivated; they also count as updated. */
  readonly reactivated: number;
  /** Objects that are deleted, archived or deactivated. */
  readonly removed: number;
  /** Objects that count as both updated and removed: `{archived: true, folder: Company}`. */
  readonly updatedAndRemoved: number;
  readonly reordered: number;
}

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

/** Whether an object that is not deleted gets other values, besides being archived or deactivated. */
function isUpdate(change: Pick<Change, "action" | "fields">): boolean {
  if (change.action !== "update") return false;
  const away = inactivityIn(change);
  return away === undefined || change.fields.some((field) => field !== away);
}

/** Whether an object that was archived or deactivated is put back into use. */
export function isReactivation({ action, fields }: Pick<Change, "action" | "fields">): boolean {
  return action === "update" && fields.some(isReactivatedBy);
}

/** Whether this field puts its object back into use. */
export const isReactivatedBy = ({ field, before, after }: FieldChange): boolean =>
  isInactivityField(field) && before === true && after === false;

function isRename({ action, was, name }: Pick<Change, "action" | "was" | "name">): boolean {
  return action === "update" && was !== undefined && was !== name;
}

export function tallyOf(changes: readonly Change[]): Tally {
  const number = (is: (change: Change) => boolean): number => changes.filter(is).length;
  return {
    changes: changes.length,
    created: number(({ action }) => action === "create"),
    updated: number(isUpdate),
    renamed: number(isRename),
    reactivated: number(isReactivation),
    removed: number(isRemoval),
    updatedAndRemoved: number((change) => isUpdate(change) && isRemoval(change)),
    reordered: number(({ action }) => action === "reorder"),
  };
}

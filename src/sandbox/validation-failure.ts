import { ApiError } from "./errors.ts";

/**
 * What is wrong with the fields of an object, found all at once: `errors` names every field, `__all__` what concerns
 * several, and the message is the first of them (zulip-api.md §6.3).
 */
export class ValidationFailure {
  private readonly byField = new Map<string, string[]>();

  /** Problems of fields are to be added before those under `__all__`. */
  add(field: string, problem: string): void {
    this.byField.set(field, [...(this.byField.get(field) ?? []), problem]);
  }
  has(field: string): boolean {
    return this.byField.has(field);
  }

  /** @throws ApiError when anything was added */
  throwIfAny(): void {
    const [first] = [...this.byField.values()].flat();
    if (first !== undefined) throw new ApiError(first, { extra: { errors: Object.fromEntries(this.byField) } });
  }
}
export const BLANK = "This field cannot be blank.";
export const INVALID_URL_TEMPLATE = "Invalid URL template.";
/** Where problems lie that concern several fields. */
export const ALL_FIELDS = "__all__";

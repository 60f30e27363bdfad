import { ApiError } from "./errors.ts";

/**
 * Collects all errors in the fields of an object. `errors` has a key for every field and `__all__` for errors that concern several; the message is
 * the first error (zulip-api.md §6.3).
 */
export class ValidationFailure {
  private readonly byField = new Map<string, string[]>();

  /** Add errors of single fields before those under `__all__`. */
  add(field: string, reason: string): void {
    this.byField.set(field, [...(this.byField.get(field) ?? []), reason]);
  }
  has(field: string): boolean {
    return this.byField.has(field);
  }

  /** @throws ApiError if an error was added */
  throwIfAny(): void {
    const [first] = [...this.byField.values()].flat();
    if (first !== undefined) throw new ApiError(first, { extra: { errors: Object.fromEntries(this.byField) } });
  }
}
export const BLANK = "This field cannot be blank.";
export const INVALID_URL_TEMPLATE = "Invalid URL template.";
/** The key of errors that concern several fields. */
export const ALL_FIELDS = "__all__";

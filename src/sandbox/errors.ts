import { defined } from "../model/defined.ts";
import type { Json } from "../model/json.ts";

/** A refusal in the server's words (zulip-api.md §13.3). It undoes everything that the call wrote since its last commit. */
export class ApiError extends Error {
  readonly status: number;
  /** The code of the error; null: the answer has no `code` (405, 500). */
  readonly code: string | null;
  readonly extra: { readonly [key: string]: Json };
  /** HTML that is the answer instead of JSON. */
  readonly page: string | undefined;
  /** The target of a redirect. */
  readonly location: string | undefined;

  constructor(message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.name = "ApiError";
    this.status = options.status ?? 400;
    this.code = options.code === undefined ? "BAD_REQUEST" : options.code;
    this.extra = options.extra ?? {};
    this.page = options.page;
    this.location = options.location;
  }

  /** The body. Extra fields come before `code`, as on the server. */
  body(): { readonly [key: string]: Json } {
    return {
      result: "error",
      msg: this.message,
      ...this.extra,
      ...defined({ code: this.code === null ? undefined : this.code }),
    };
  }
}
interface ApiErrorOptions {
  readonly status?: number;
  readonly code?: string | null;
  readonly extra?: { readonly [key: string]: Json };
  readonly page?: string;
  readonly location?: string;
}

export const insufficientPermission = (): ApiError => new ApiError("Insufficient permission");
export const unauthorized = (message: string): ApiError => new ApiError(message, { status: 401, code: "UNAUTHORIZED" });
/** An error that the server does not expect. */
export const internalError = (): ApiError => new ApiError("Internal server error", { status: 500, code: null });
export const missingArgument = (name: string): ApiError =>
  new ApiError(`Missing '${name}' argument`, { code: "REQUEST_VARIABLE_MISSING", extra: { var_name: name } });
/** A number or word out of range. `shown` is the value as the server prints it. */
export const badValue = (name: string, shown: string | number): ApiError =>
  new ApiError(`Bad value for '${name}': ${shown}`, {
    code: "REQUEST_VARIABLE_INVALID",
    extra: { var_name: name, bad_value: shown },
  });
export const expectationMismatch = (fieldName: string): ApiError =>
  new ApiError(`'${fieldName}' value does not match the expected value.`, {
    code: "EXPECTATION_MISMATCH",
    extra: { field_name: fieldName },
  });
export const mustBe = (who: "owner" | "administrator"): ApiError =>
  new ApiError(`Must be an organization ${who}`, { code: "UNAUTHORIZED_PRINCIPAL" });
/** A value that the server's parser refuses. @param path the parameter's name */
export const valueError = (path: string, reason: string): ApiError =>
  new ApiError(`Invalid ${path}: Value error, ${reason}`);
export const notPossible = (path: string): ApiError => valueError(path, "Not in the list of possible values");
export const notFound = (message: string): ApiError => new ApiError(message, { status: 404 });
/** A redirect: what the client requests is at another URL. */
export const redirect = (location: string): ApiError =>
  new ApiError("", { status: 302, code: null, page: "", location });

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

import type * as z from "zod";
import type { FormCause } from "../model/diagnostics/form-cause.ts";
import { quoteAll } from "../model/diagnostics/values.ts";

/** The error in a part of an answer or a file, as a fact without the texts of the validation library. */
export function formCauseOf(issue: z.core.$ZodIssue): FormCause {
  switch (issue.code) {
    case "invalid_type":
      return { is: "type", expected: issue.expected };
    case "unrecognized_keys":
      return { is: "unknown", keys: quoteAll(issue.keys) };
    case "invalid_value":
      return { is: "value", allowed: issue.values.map((value) => JSON.stringify(value) ?? String(value)) };
    default:
      return { is: "other" };
  }
}

import type { ValueForm } from "./diagnostics/fields.ts";
import { isObject } from "./json.ts";

/** Errors are explained by code that is loaded on its own (scripts/on-call.mjs), which has another copy of any class: the mark is the same in both. */
const MARK = Symbol.for("realmctl.form-issue");

/** What a schema returns with its own issue, instead of a sentence. `src/config/issues.ts` makes a diagnostic of it. */
interface FormIssue {
  readonly [MARK]: true;
  readonly form: ValueForm;
}

const issueOf = (form: ValueForm): FormIssue => ({ [MARK]: true, form });

export const isFormIssue = (value: unknown): value is FormIssue => isObject(value) && MARK in value;

/** For `refine`: the form that the value does not have. Later checks of the schema are skipped. */
export const wrongForm = (form: ValueForm) => ({ params: { issue: issueOf(form) }, abort: true });

/** For `addIssue`. */
export const formIssue = (form: ValueForm) => ({ code: "custom" as const, params: { issue: issueOf(form) } });

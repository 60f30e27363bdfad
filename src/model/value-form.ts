import type { ValueForm } from "./diagnostics/config.ts";

/** What a schema returns with its own issue, instead of a sentence. `src/config/issues.ts` makes a diagnostic of it. */
export class FormIssue {
  readonly form: ValueForm;
  constructor(form: ValueForm) {
    this.form = form;
  }
}

/** For `refine`: the form that the value does not have. Later checks of the schema are skipped. */
export const wrongForm = (form: ValueForm) => ({ params: { issue: new FormIssue(form) }, abort: true });

/** For `addIssue`. */
export const formIssue = (form: ValueForm) => ({ code: "custom" as const, params: { issue: new FormIssue(form) } });

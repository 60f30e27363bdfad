import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { CODE_LANGUAGE, languageIn } from "../code-language.ts";

/** Whether the setting must stay: yes, if the playground only changes, or if the file names the language. */
export function isKept(change: Change, context: PlanContext): boolean {
  if (isSetAnew(context)) return false;
  const wanted = context.pair("settings:organization")?.declared?.fields[CODE_LANGUAGE];
  const language = languageIn(change.name);
  if (wanted !== undefined) return wanted === language;
  // A playground of the language that only changes restores the setting.
  return context.changes.some(
    ({ kind, action, name }) => kind === change.kind && action === "update" && languageIn(name) === language,
  );
}

/** Whether the plan itself sets another default language of code blocks, or none. Then the server clears nothing that should stay. */
export function isSetAnew(context: PlanContext): boolean {
  return context.pair("settings:organization")?.change?.fields.some(({ field }) => field === CODE_LANGUAGE) === true;
}

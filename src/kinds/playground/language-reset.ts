import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { CODE_LANGUAGE, languageIn } from "../code-language.ts";

/** Must the setting stay? Yes, if the playground only changes, or if the file names the language. */
export function isKept(change: Change, context: PlanContext): boolean {
  if (isSetAnew(context)) return false;
  const wanted = context.pair("settings:organization")?.declared?.fields[CODE_LANGUAGE];
  const language = languageIn(change.name);
  if (wanted !== undefined) return wanted === language;
  // One of the language that only changes brings the setting back.
  return context.changes.some(
    ({ kind, action, name }) => kind === change.kind && action === "update" && languageIn(name) === language,
  );
}

/** Does the plan itself give code blocks another default language, or none? Then the server takes nothing that was to stay. */
export function isSetAnew(context: PlanContext): boolean {
  return context.pair("settings:organization")?.change?.fields.some(({ field }) => field === CODE_LANGUAGE) === true;
}

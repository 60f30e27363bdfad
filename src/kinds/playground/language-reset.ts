import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { languageIn } from "./name.ts";

const SETTING = "default_code_block_language";

/** The language that code blocks have by default, where removing the playground takes it away (zulip-api.md §12.5). */
export function languageTakenBy({ name }: Change, { realm }: PlanContext): string | undefined {
  const language = realm.setting(SETTING);
  return language === languageIn(name) ? language : undefined;
}

/** Is the setting to stay as it is? When the playground only changes, or the file says which language it is to be. */
export function isKept(change: Change, context: PlanContext): boolean {
  if (isSetAnew(context)) return false;
  const wanted = context.pair("settings:organization")?.declared?.fields[SETTING];
  const language = languageIn(change.name);
  if (wanted !== undefined) return wanted === language;
  // One of the language that only changes brings the setting back.
  return context.changes.some(
    ({ kind, action, name }) => kind === change.kind && action === "update" && languageIn(name) === language,
  );
}

/** Does the plan itself give code blocks another default language, or none? Then the server takes nothing that was to stay. */
export function isSetAnew(context: PlanContext): boolean {
  return context.pair("settings:organization")?.change?.fields.some(({ field }) => field === SETTING) === true;
}

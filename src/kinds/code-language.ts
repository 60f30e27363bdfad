import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";

/** The setting that is cleared with a playground of its language. */
export const CODE_LANGUAGE = "default_code_block_language";
/** The value of the setting after that. */
export const NO_LANGUAGE = "";

/** The language in the name of a playground. */
export const languageIn = (name: string): string => name.slice(0, name.indexOf(": "));

/** The default language of code blocks, if removing the playground clears it (zulip-api.md §12.5). */
export function languageTakenBy({ name }: Change, { realm }: PlanContext): string | undefined {
  const language = realm.setting(CODE_LANGUAGE);
  return language === languageIn(name) ? language : undefined;
}

/** Whether the default language of code blocks is cleared by a playground that the plan removes, or removes and adds again. */
export function isLanguageTaken(context: PlanContext): boolean {
  return context.changes.some(
    (change) =>
      change.kind === "playground" && change.action !== "create" && languageTakenBy(change, context) !== undefined,
  );
}

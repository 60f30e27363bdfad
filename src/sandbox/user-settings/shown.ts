import type { JsonObject } from "../../model/json.ts";
import { existsAt, RECENT_RENAMED } from "./table.ts";

/** Settings of an account, or a realm's defaults, as the level shows them: without settings that it does not know yet. */
export function shownSettings(settings: JsonObject, level: number): JsonObject {
  const entries = Object.entries({ dense_mode: true, ...settings });
  const known = Object.fromEntries(entries.filter(([name]) => existsAt(name, level)));
  const view = settings.web_home_view;
  if (view !== "recent" && view !== "recent_topics") return known;
  return { ...known, web_home_view: level >= RECENT_RENAMED ? "recent" : "recent_topics" };
}

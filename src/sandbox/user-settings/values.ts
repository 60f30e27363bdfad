import type { Json, JsonObject } from "../../model/json.ts";
import { ApiError, internalError } from "../errors.ts";
import { isLanguage } from "../languages.ts";
import { NOTIFICATION_SOUNDS } from "../server-defaults.ts";

/** The valid choices, and "none". */
const SOUNDS: ReadonlySet<Json> = new Set([...NOTIFICATION_SOUNDS, "none"]);
const MAX_BATCHING_SECONDS = 604_800;

/** Checks that need all parameters, in the server's order. @throws ApiError */
export function checkValues(sent: { readonly [name: string]: Json | undefined }): void {
  const { default_language: language, notification_sound: sound } = sent;
  if (typeof language === "string" && !isLanguage(language)) throw new ApiError("Invalid default_language");
  if (sound !== undefined && !SOUNDS.has(sound)) throw new ApiError(`Invalid notification sound '${sound}'`);
  const period = sent.email_notifications_batching_period_seconds;
  if (typeof period === "number" && (period <= 0 || period > MAX_BATCHING_SECONDS))
    throw new ApiError(`Invalid email batching period: ${period} seconds`);
}

/** The settings that were sent with a value other than the current one. */
export function changesTo(
  now: JsonObject,
  sent: { readonly [name: string]: Json | undefined },
  names: readonly string[],
): [name: string, value: Json][] {
  const changes: [string, Json][] = [];
  for (const name of names) {
    const value = sent[name];
    if (value !== undefined && value !== now[name]) changes.push([name, value]);
  }
  return changes;
}

const SMALL_INTEGERS: ReadonlySet<string> = new Set(["web_font_size_px", "web_line_height_percent"]);
const MAX_SMALL_INTEGER = 32_767;
/** The server does not check these two before the database does. @throws ApiError 500 */
export function checkStorable(name: string, value: Json): void {
  if (SMALL_INTEGERS.has(name) && typeof value === "number" && (value < 0 || value > MAX_SMALL_INTEGER))
    throw internalError();
}

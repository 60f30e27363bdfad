import { internalError } from "./errors.ts";
import { codePoints } from "./params.ts";

/** Limits of the server's language and database. The server does not check them itself, so it fails with an internal error. */

/** The years 1 to 9999, in UNIX seconds. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** @throws ApiError 500 for times outside the server's calendar */
export function checkInCalendar(seconds: number): void {
  if (seconds < FIRST_SECOND || Math.floor(seconds) > LAST_SECOND) throw internalError();
}

const MAX_BOT_CONFIG_LENGTH = 10_000;
/** @throws ApiError 500 if all keys and values of a bot together are too long */
export function checkBotConfigFits(config: { readonly [key: string]: unknown }): void {
  const lengths = Object.entries(config).map(([key, value]) => codePoints(key) + codePoints(String(value)));
  if (lengths.reduce((sum, length) => sum + length, 0) > MAX_BOT_CONFIG_LENGTH) throw internalError();
}

/** @throws ApiError 500 for null bytes, which the database cannot store in text */
export function checkNoNullBytes(...texts: readonly unknown[]): void {
  if (texts.some((text) => typeof text === "string" && text.includes("\0"))) throw internalError();
}

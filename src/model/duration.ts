const UNIT_S = { s: 1, m: 60, h: 3600 } as const;
/** What a run may be given. */
export const LONGEST_RUN_S = 24 * 3600;
/** What an answer may be given. */
export const LONGEST_ANSWER_S = 3600;

/**
 * Seconds that a time means: 90, 90s, 1.5m, 2h; without a unit they are seconds. Undefined: it is no time, or none that is more than zero and
 * at most the longest one.
 */
export function secondsIn(written: string, longestSeconds: number): number | undefined {
  const [, number = "", unit = "s"] = /^(\d{1,6}(?:\.\d{1,3})?)([smh]?)$/.exec(written.trim()) ?? [];
  const seconds = Number(number) * (unit === "m" || unit === "h" ? UNIT_S[unit] : UNIT_S.s);
  return seconds > 0 && seconds <= longestSeconds ? seconds : undefined;
}

const UNIT_S = { s: 1, m: 60, h: 3600 } as const;
export const LONGEST_RUN_S = 24 * 3600;
export const LONGEST_ANSWER_S = 3600;

/**
 * The number of seconds of a time: 90, 90s, 1.5m, 2h; without a unit it means seconds. Undefined: it is not a time, or not between zero and the
 * maximum.
 */
export function secondsIn(written: string, longestSeconds: number): number | undefined {
  const [, number = "", unit = "s"] = /^(\d{1,6}(?:\.\d{1,3})?)([smh]?)$/.exec(written.trim()) ?? [];
  const seconds = Number(number) * (unit === "m" || unit === "h" ? UNIT_S[unit] : UNIT_S.s);
  return seconds > 0 && seconds <= longestSeconds ? seconds : undefined;
}

const UNIT_S = { s: 1, m: 60, h: 3600 } as const;
const LONGEST_S = 24 * 3600;

/** Seconds that a time such as 90s, 10m or 2h means; undefined: no time that a run may be given. */
export function secondsIn(written: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d{1,5})([smh])$/.exec(written) ?? [];
  if (unit !== "s" && unit !== "m" && unit !== "h") return undefined;
  const seconds = Number(number) * UNIT_S[unit];
  return seconds > 0 && seconds <= LONGEST_S ? seconds : undefined;
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
type Unit = keyof typeof SECONDS;
/** The units, from the longest on. Weeks are missing: the settings pages say 14 days. */
const WRITTEN: readonly Unit[] = ["d", "h", "m", "s"];

/** Seconds of `90s`, `10m`, `36h`, `7d`, `2w`; undefined for anything else, and for no time at all. */
export function parseTimeSpan(text: string): number | undefined {
  const found = /^([1-9][0-9]{0,9})([smhdw])$/.exec(text);
  const unit = found?.[2];
  return found === null || !isUnit(unit) ? undefined : Number(found[1]) * SECONDS[unit];
}

/** Seconds as a person writes them, in the longest unit that fits: `10m`, `7d`, `90s`. */
export function formatTimeSpan(seconds: number): string {
  const unit = WRITTEN.find((candidate) => seconds % SECONDS[candidate] === 0) ?? "s";
  return `${seconds / SECONDS[unit]}${unit}`;
}

function isUnit(text: string | undefined): text is Unit {
  return text !== undefined && text in SECONDS;
}

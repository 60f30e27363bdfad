const MINUTES = { m: 1, h: 60, d: 1440, w: 10_080 } as const;
/** Ten years. For more, a file says "never". */
const MOST_MINUTES = 3650 * MINUTES.d;

/** Minutes of `10d`, `36h`, `90m`, `2w`; null for `never`; undefined for anything else, and for no time at all. */
export function parseDuration(text: string): number | null | undefined {
  if (text === "never") return null;
  const found = /^([1-9][0-9]{0,6})([mhdw])$/.exec(text);
  const unit = found?.[2];
  if (found === null || !isUnit(unit)) return undefined;
  const minutes = Number(found[1]) * MINUTES[unit];
  return minutes > MOST_MINUTES ? undefined : minutes;
}

function isUnit(text: string | undefined): text is keyof typeof MINUTES {
  return text !== undefined && text in MINUTES;
}

/** The first release of each series by the level it reports (zulip-api.md §0.2). */
const RELEASES = [
  { level: 277, release: "9" },
  { level: 371, release: "10" },
  { level: 421, release: "11" },
  { level: 478, release: "12" },
  { level: 502, release: "13" },
] as const;

/** "Zulip 12 (feature level 441)": the first release that certainly has the level. */
export function releaseOf(level: number): string {
  const release = RELEASES.find((candidate) => candidate.level >= level);
  return release === undefined
    ? `a newer server (feature level ${level})`
    : `Zulip ${release.release} (feature level ${level})`;
}

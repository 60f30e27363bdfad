/**
 * Zulip's releases: how a table and a sentence call them, and the last level that each or its maintenance releases report (zulip-api.md §0.2). The level of
 * 12.0 itself was not seen.
 */
export const RELEASES = [
  { name: "10.x", word: "Zulip 10", last: 376 },
  { name: "11.x", word: "Zulip 11", last: 424 },
  { name: "12.0", word: "Zulip 12", last: 498 },
  { name: "12.1, 12.2", word: "Zulip 12.1", last: 501 },
] as const;
/** What is not released: the main branch of the server, which Zulip Cloud runs. */
export const NEXT_RELEASE = { name: "13.0 (in development, Zulip Cloud)", word: "Zulip 13" } as const;

/** The first release that has the level. */
export const releaseOf = (level: number): { readonly name: string; readonly word: string } =>
  RELEASES.find(({ last }) => level <= last) ?? NEXT_RELEASE;

/** "Zulip 12 (feature level 441)". */
export const releaseWords = (level: number): string => `${releaseOf(level).word} (feature level ${level})`;

/** A release of Zulip with its maintenance releases. */
interface Release {
  /** How a table and a sentence call it. */
  readonly name: string;
  readonly word: string;
  /** The version that a server says, from each of these levels on. */
  readonly versions: readonly (readonly [level: number, version: string])[];
}

/** Zulip's releases, with the last level that each may report (zulip-api.md §0.2). The level of 12.0 itself was not seen. */
export const RELEASES: readonly (Release & { readonly last: number })[] = [
  {
    name: "10.x",
    word: "Zulip 10",
    last: 376,
    versions: [
      [0, "10.0-dev+git"],
      [371, "10.0"],
      [372, "10.1"],
    ],
  },
  {
    name: "11.x",
    word: "Zulip 11",
    last: 424,
    versions: [
      [377, "11.0-dev+git"],
      [421, "11.0"],
    ],
  },
  {
    name: "12.0",
    word: "Zulip 12",
    last: 498,
    versions: [
      [425, "12.0-dev+git"],
      [498, "12.0"],
    ],
  },
  { name: "12.1, 12.2", word: "Zulip 12.1", last: 501, versions: [[499, "12.1"]] },
];
/** What is not released: the main branch of the server, which Zulip Cloud runs. */
export const NEXT_RELEASE: Release = {
  name: "13.0 (in development, Zulip Cloud)",
  word: "Zulip 13",
  versions: [[502, "13.0-dev+git"]],
};

/** The first release that has the level. */
export const releaseOf = (level: number): Release => RELEASES.find(({ last }) => level <= last) ?? NEXT_RELEASE;

/** The version that a server of the level says. */
export const versionAt = (level: number): string =>
  releaseOf(level).versions.findLast(([from]) => from <= level)?.[1] ?? "";

/** "Zulip 12 (feature level 441)". */
export const releaseWords = (level: number): string => `${releaseOf(level).word} (feature level ${level})`;

/** The newest feature level whose changes this version knows. Servers may be newer. */
export const NEWEST_KNOWN_LEVEL = 512;

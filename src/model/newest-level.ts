/** The newest feature level whose changes this version knows (docs/levels.md). Servers may be newer. */
export const NEWEST_KNOWN_LEVEL = 512;

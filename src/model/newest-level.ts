/** The newest feature level whose changes this version knows. Servers may be newer. */
export const NEWEST_KNOWN_LEVEL = 512;

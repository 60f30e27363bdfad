import { releaseOf } from "../../model/releases.ts";

/** "Zulip 12 (feature level 441)". */
export const releaseWords = (level: number): string => `${releaseOf(level).word} (feature level ${level})`;

import { effectsOf, pageOf } from "../support/forge-page.mjs";

/** What a forge would do with a text besides showing it; empty if it only shows it. */
export const alive = (markdown: string): readonly string[] => effectsOf(pageOf(markdown));

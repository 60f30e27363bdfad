import { clean } from "../style.ts";

/** Titles on GitHub are not Markdown, but they must not notify anybody. */
export const plainTitle = (text: string): string => clean(text).replaceAll("@", "(at)");

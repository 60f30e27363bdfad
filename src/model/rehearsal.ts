import type { Rehearsal } from "./rehearsal-form.ts";

export type { Rehearsal, Unrehearsed } from "./rehearsal-form.ts";

/** Every call succeeds, and the end is what the file says. */
export const isClean = ({ failed, remaining }: Rehearsal): boolean => failed === undefined && remaining === undefined;

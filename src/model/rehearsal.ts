import type { Rehearsal } from "./rehearsal-form.ts";

export type { Rehearsal, Unrehearsed } from "./rehearsal-form.ts";

/** Whether every call succeeded, and the result matches the file. */
export const isClean = ({ failed, remaining }: Rehearsal): boolean => failed === undefined && remaining === undefined;

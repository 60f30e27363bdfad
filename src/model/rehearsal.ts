import type { Rehearsal } from "./rehearsal-form.ts";

export type { Rehearsal } from "./rehearsal-form.ts";

/** What a rehearsal cannot tell, since the sandbox starts from a reading: a reading holds no more than the server shows one account. */
export const UNREHEARSED = ["subscribers", "memberships", "pictures", "webhooks", "mail-limits"] as const;

export type Unrehearsed = (typeof UNREHEARSED)[number];

/** Every call succeeds, and the end is what the file says. */
export const isClean = ({ failed, remaining }: Rehearsal): boolean => failed === undefined && remaining === undefined;

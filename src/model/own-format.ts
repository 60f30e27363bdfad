/** The formats of files that realmctl writes, that a command line can name, and that nobody edits. */
export type OwnFormat = "plan" | "snapshot" | "sandbox-data" | "sandbox-accounts" | "sandbox-zuliprc" | "sync-status";

/** Every file that realmctl writes. */
export type WrittenFile = OwnFormat | "journal";

export const PLAN_VERSION = 5;

/**
 * Version of the journal's format: 1 had sentences for the results of calls, 2 for missing answers; 3 had facts for both, and only checksums; 4 has
 * codes. All are read, but those without codes only for an undo that was requested in so many words.
 */
export const JOURNAL_VERSION = 4;

const NAMES: { readonly [format in WrittenFile]: string } = {
  plan: "plan that realmctl saved",
  snapshot: "snapshot that realmctl took",
  journal: "journal of a run (realmctl apply --undo takes it)",
  "sandbox-data": "organization that a sandbox saved",
  "sandbox-accounts": "list of a sandbox's accounts",
  "sandbox-zuliprc": "zuliprc of a sandbox",
  "sync-status": "state of a realmctl sync",
};

export const writtenName = (format: WrittenFile): string => NAMES[format];

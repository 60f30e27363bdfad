/** The formats of files that realmctl writes, that a command line can name, and that nobody edits. */
export type OwnFormat = "plan" | "snapshot" | "sandbox-data" | "sandbox-accounts" | "sandbox-zuliprc" | "sync-status";

/** Every file that realmctl writes. */
export type WrittenFile = OwnFormat | "journal";

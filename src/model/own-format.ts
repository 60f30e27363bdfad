/** What realmctl writes into files that the command line names, and nobody edits. */
export type OwnFormat = "plan" | "snapshot" | "sandbox-data" | "sandbox-accounts" | "sandbox-zuliprc";

/** Every file that realmctl writes by itself. */
export type WrittenFile = OwnFormat | "journal";

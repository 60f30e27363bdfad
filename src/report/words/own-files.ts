import type { WrittenFile } from "../../model/own-format.ts";

const NAMES: { readonly [format in WrittenFile]: string } = {
  plan: "plan that realmctl saved",
  snapshot: "snapshot that realmctl took",
  journal: "journal of a run (realmctl apply --undo takes it)",
  "sandbox-data": "organization that a sandbox saved",
  "sandbox-accounts": "list of a sandbox's accounts",
  "sandbox-zuliprc": "zuliprc of a sandbox",
  "sync-status": "state of a realmctl sync",
};

/** The name of a file format that realmctl writes. */
export const writtenName = (format: WrittenFile): string => NAMES[format];

import type { Catalogue } from "../page.ts";

/** Codes of commands over several organizations. */
export const ORGANIZATION_CODES = {
  "organizations/same-realm": [
    "Two files are for the same organization.",
    "Name one file for each organization, and include what they share.",
  ],
  "organizations/no-realm": [
    "Several files are given, and one of them does not say which organization it is for.",
    "Write `realm: https://chat.example.org` at its top.",
  ],
  "organizations/same-name": [
    "Two files have the same name for variables with credentials: `ZULIP_API_KEY__ACME` would belong to both.",
    "Give the files names that differ in more than case and punctuation.",
  ],
  "organizations/none": [
    "No file in the directory is for an organization.",
    "Name the files, or another directory. A file is for an organization when it has `realm:`.",
  ],
  "organizations/for-one": [
    "An option or a format for one organization is given with several files.",
    "Leave it out, or run the command for one file.",
  ],
  "organizations/unasked": [
    "`apply` asks about each organization before it sends anything, and nobody can be asked: there is no terminal, or `--format` or `--jobs` leave no room for questions.",
    "Look at the plans first, then apply the same files with `--yes`. At a terminal, leave out `--format` and `--jobs`: `apply` then asks about each organization in turn.",
  ],
  "organizations/shard-of-one": [
    "`--shard` distributes several files, but only one is given.",
    "Name a directory, or several files.",
  ],
  "organizations/too-many": [
    "More files are given than one command takes.",
    "Name fewer, or distribute them over several commands.",
  ],
} as const satisfies Catalogue;

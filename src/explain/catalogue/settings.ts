import type { Catalogue } from "../page.ts";

/** Codes about the organization's settings and the defaults of new accounts. */
export const SETTINGS_CODES = {
  "settings/archived-channel": [
    "The channel that the setting names is archived, so nothing can be posted in it.",
    "Unarchive it under `channels` (`archived: false`), or name another channel.",
  ],
  "settings/group-not-allowed": [
    "The server does not allow this group for this permission: some permissions cannot be everyone, others cannot be nobody, and some can only be roles.",
    "Name another group; the reference says which.",
  ],
  "settings/language": [
    "A server accepts only languages into which enough of Zulip is translated, and the list changes from release to release. At feature level 442 the list is known and this is an error; at others it is a warning.",
    "Use one of the languages that the organization's settings page offers: `de`, `pt-br`.",
  ],
  "settings/last-sign-in": [
    "No sign-in method would be left, so nobody could sign in, not even owners.",
    "Leave one method enabled that people use.",
  ],
  "settings/limited-plan": [
    "The organization's plan on Zulip Cloud does not have this.",
    "Delete it from the file, or upgrade the plan.",
  ],
  "settings/moderation-channel": [
    "Reports of messages arrive in a private channel only, and this one is not.",
    "Make it private under `channels`, or name another channel.",
  ],
  "settings/no-domain": [
    "Only people with an address of an allowed domain could join, and no domain is allowed: nobody could join.",
    "Add a domain under `domains`, or leave `emails_restricted_to_domains` off.",
  ],
  "settings/not-allowed": [
    "The account may not change settings of the organization, or the defaults of new accounts: only administrators may.",
    "Use the key of an administrator.",
  ],
  "settings/not-offered": [
    "The server does not have this choice: it is not configured for it, or it runs another release.",
    "Choose one that it has.",
  ],
  "settings/workplace-group": [
    "Who counts as a workplace user decides who is billed. So the server accepts a group for `workplace_users_group` only if owners or administrators alone can change its members: `can_manage_all_groups` and each right on the group and on the groups in it must be `role:nobody`, `role:owners` or `role:administrators`. This is a warning, since servers may differ in the rights that they look at. A rehearsal refuses what is known to be refused: `can_manage_all_groups` for others, and a group with the rights of a new one.",
    "Set the right to one of these roles, or name a role instead of the group.",
  ],
  "settings/owner-only": [
    "Some settings decide who can join and what is deleted. Only owners may change them.",
    "Use the key of an owner, or leave the field out.",
  ],
  "settings/picture-version": [
    "`replaces` names the version of the picture that the file's picture replaces. The organization's picture has neither this version nor the next one, which the file's picture would get: somebody uploaded another picture since, or removed it, or the version never existed. The plan leaves it as it is. `version`, which `export` writes, is the version of the file's own picture: with another one, somebody uploaded another picture, or the file was made for another organization.",
    "Write the current version to upload the file's picture again, or delete `replaces` to keep the organization's picture. If it has none, write only the path. Where the file has `version`, write the current one.",
  ],
  "settings/unknown-channel": [
    "The organization has no channel with this name, and the file does not declare one.",
    "Correct the name, or declare it under `channels`.",
  ],
  "settings/unknown-method": [
    "The server has no sign-in method with this name. Names are the server's, and upper and lower case matter.",
    "Correct the name.",
  ],
  "user_defaults/sound": [
    "The server has no sound with this name. Names are the server's, and upper and lower case matter.",
    "Use one of the names that it has, or `none`.",
  ],
} as const satisfies Catalogue;

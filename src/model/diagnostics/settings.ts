import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import { type GroupRefused, groupRefused, type UnknownChannel, unknownChannel } from "./names.ts";
import type { Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, didYouMean, orList, q, say } from "./words.ts";

const WHAT: { readonly [section: string]: string } = {
  settings: "the organization's settings",
  user_defaults: "the defaults of new accounts",
};

/** Errors in the settings of the organization and the defaults of new accounts. */
export const settings = {
  /** @property owner_only those of the changed fields that only owners may change */
  "settings/not-allowed": diagnostic<{ account: Person; section: Word; owner_only?: readonly Word[] }>({
    says: ({ account, section }) => `${accountThatRuns(account)} may not change ${WHAT[section] ?? section}`,
    help: ({ owner_only }) =>
      owner_only === undefined
        ? "only administrators of the organization may"
        : `only administrators of the organization may, and ${listNames(owner_only, 5)} only owners`,
    means:
      "The account may not change settings of the organization, or the defaults of new accounts: only administrators may.",
    out: "Use the key of an administrator.",
  }),
  "settings/owner-only": diagnostic<{ account: Person; field: Word }>({
    says: ({ account, field }) => `${accountThatRuns(account)} may not change ${field}`,
    help: "only owners of the organization may; administrators may not",
    means: "Some settings decide who can join and what is deleted. Only owners may change them.",
    out: "Use the key of an owner, or leave the field out.",
  }),
  "settings/limited-plan": diagnostic<{ field: Word; method?: Quoted; needs?: Word }>({
    says: ({ field, method, needs }) =>
      method === undefined
        ? `${field} is not in this organization's plan${needs === undefined ? "" : `: it needs Zulip Cloud ${needs}`}`
        : `signing in with ${q(method)} is not in this organization's plan`,
    help: "delete it from the file, or upgrade the organization's plan",
    means: "The organization's plan on Zulip Cloud does not have this.",
    out: "Delete it from the file, or upgrade the plan.",
  }),
  "settings/group-not-allowed": diagnostic<{ field: Word } & GroupRefused>({
    says: (fact) => groupRefused(fact, fact.field),
    means:
      "The server does not allow this group for this permission: some permissions cannot be everyone, others cannot be nobody, and some can only be roles.",
    out: "Name another group; the reference says which.",
  }),
  "settings/not-offered": diagnostic<{ field: Word; value: Word; offered: readonly Word[]; is_certain: boolean }>({
    says: ({ field, value, is_certain }) =>
      is_certain ? `this server does not offer ${field}: ${value}` : `${value} is not a known value of ${field}`,
    help: ({ offered, is_certain }) =>
      is_certain
        ? `it offers ${listNames(offered, 10)}`
        : `known are ${listNames(offered, 10)}; only a server can tell`,
    means: "The server does not have this choice: it is not configured for it, or it runs another release.",
    out: "Choose one that it has.",
  }),
  /** A group that others than administrators can change may be refused as the group of workplace users. */
  "settings/workplace-group": diagnostic<{ group: Quoted; right: Word; allowed: readonly Word[] }>({
    says: ({ group, right }) =>
      `the server may refuse the group ${q(group)} for workplace_users_group: others than administrators can change its members, through ${right}`,
    help: ({ right, allowed }) => `set ${right} to ${orList(allowed)}, or name a role`,
    means:
      "Who counts as a workplace user decides who is billed. So the server accepts a group for `workplace_users_group` only if owners or administrators alone can change its members: `can_manage_all_groups` and each right on the group and on the groups in it must be `role:nobody`, `role:owners` or `role:administrators`. This is a warning, since servers may differ in the rights that they look at. A rehearsal refuses what is known to be refused: `can_manage_all_groups` for others, and a group with the rights of a new one.",
    out: "Set the right to one of these roles, or name a role instead of the group.",
  }),
  "settings/language": diagnostic<{ language: Quoted; level: number; known: readonly Word[]; is_certain: boolean }>({
    says: ({ language, level }) => `${q(language)} is not a language of servers of feature level ${level}`,
    help: ({ known, is_certain }) =>
      is_certain
        ? `their languages are ${known.join(", ")}`
        : "other levels have other languages; the server rejects the whole request if it does not have the language",
    means:
      "A server accepts only languages into which enough of Zulip is translated, and the list changes from release to release. At feature level 442 the list is known and this is an error; at others it is a warning.",
    out: "Use one of the languages that the organization's settings page offers: `de`, `pt-br`.",
  }),
  "settings/unknown-method": diagnostic<{ method: Quoted; meant?: Quoted; known: readonly Word[] }>({
    says: ({ method }) => `this server has no sign-in method ${q(method)}`,
    help: ({ meant, known }) => didYouMean(meant, `it has ${listNames(known, 20)}; upper and lower case matter`),
    means: "The server has no sign-in method with this name. Names are the server's, and upper and lower case matter.",
    out: "Correct the name.",
  }),
  "settings/last-sign-in": diagnostic<{ enabled: readonly Word[] }>({
    says: "nobody could sign in: this disables the last sign-in method",
    help: ({ enabled }) => `keep one of them enabled: ${listNames(enabled, 10)}`,
    means: "No sign-in method would be left, so nobody could sign in, not even owners.",
    out: "Leave one method enabled that people use.",
  }),
  /**
   * The current picture is not the one that the file replaces: somebody else uploaded one since, or that version never existed. @property is null if
   * the organization has no picture
   */
  "settings/picture-version": diagnostic<
    | { picture: Word; replaces: number; is: number | null }
    /** The version that the file says the picture has. */
    | { picture: Word; version: number; is: number }
  >({
    says: (fact) => {
      const { picture } = fact;
      if ("version" in fact)
        return say(
          `the organization's ${picture} has version ${fact.is}, and that of the file has version ${fact.version}: somebody uploaded another one`,
          `write replaces: ${fact.is} instead of version to upload the file's picture, or save the current picture in its file and write version: ${fact.is}`,
        );
      const { replaces, is } = fact;
      return is === null
        ? say(
            `the organization has no ${picture}, so there is no version ${replaces} to replace`,
            `write ${picture}: with the path alone to upload the picture`,
          )
        : say(
            is > replaces
              ? `the organization's ${picture} has version ${is}: somebody changed it after the file's picture took the place of version ${replaces}`
              : `the organization's ${picture} has version ${is}, and there has been no version ${replaces} yet`,
            `write replaces: ${is} to upload the file's picture, or delete replaces to keep the current picture`,
          );
    },
    means:
      "`replaces` names the version of the picture that the file's picture replaces. The organization's picture has neither this version nor the next one, which the file's picture would get: somebody uploaded another picture since, or removed it, or the version never existed. The plan leaves it as it is. `version`, which `export` writes, is the version of the file's own picture: with another one, somebody uploaded another picture, or the file was made for another organization.",
    out: "Write the current version to upload the file's picture again, or delete `replaces` to keep the organization's picture. If it has none, write only the path. Where the file has `version`, write the current one.",
  }),
  "settings/unknown-channel": diagnostic<{ name: Quoted } & UnknownChannel>({
    says: unknownChannel,
    means: "The organization has no channel with this name, and the file does not declare one.",
    out: "Correct the name, or declare it under `channels`.",
  }),
  "settings/archived-channel": diagnostic<{ channel: Quoted }>({
    says: ({ channel }) => `the channel ${q(channel)} is archived`,
    help: "unarchive it under channels (archived: false), or name another one",
    means: "The channel that the setting names is archived, so nothing can be posted in it.",
    out: "Unarchive it under `channels` (`archived: false`), or name another channel.",
  }),
  "settings/moderation-channel": diagnostic<{ channel: Quoted }>({
    says: ({ channel }) =>
      `the channel ${q(channel)} is not private, and moderation requests go to private channels only`,
    help: "make it private under channels, or name another one",
    means: "Reports of messages arrive in a private channel only, and this one is not.",
    out: "Make it private under `channels`, or name another channel.",
  }),
  "settings/no-domain": diagnostic<{ none: true }>({
    says: "emails_restricted_to_domains allows no address at all: no domain is allowed",
    help: "add a domain under domains, or leave the restriction off",
    means: "Only people with an address of an allowed domain could join, and no domain is allowed: nobody could join.",
    out: "Add a domain under `domains`, or leave `emails_restricted_to_domains` off.",
  }),
  "user_defaults/sound": diagnostic<{ sound: Quoted; meant?: Word; known: readonly Word[] }>({
    says: ({ sound }) => `this server has no sound ${q(sound)}`,
    help: ({ meant, known }) => didYouMean(meant, `it has ${listNames(known, 40)}; none means no sound`),
    means: "The server has no sound with this name. Names are the server's, and upper and lower case matter.",
    out: "Use one of the names that it has, or `none`.",
  }),
};

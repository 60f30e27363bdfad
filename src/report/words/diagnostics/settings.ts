import type { SettingsFacts } from "../../../model/diagnostics/settings.ts";
import { listNames } from "../list-names.ts";
import { groupRefused } from "./names.ts";
import { unknownChannel } from "./unknown-channel.ts";
import { accountThatRuns, didYouMean, orList, q, say, type WordsOf } from "./words.ts";

const WHAT: { readonly [section: string]: string } = {
  settings: "the organization's settings",
  user_defaults: "the defaults of new accounts",
};

export const settingsWords: WordsOf<SettingsFacts> = {
  "settings/not-allowed": ({ account, section, owner_only }) =>
    say(
      `${accountThatRuns(account)} may not change ${WHAT[section] ?? section}`,
      owner_only === undefined
        ? "only administrators of the organization may"
        : `only administrators of the organization may, and ${listNames(owner_only, 5)} only owners`,
    ),
  "settings/owner-only": ({ account, field }) =>
    say(
      `${accountThatRuns(account)} may not change ${field}`,
      "only owners of the organization may; administrators may not",
    ),
  "settings/limited-plan": ({ field, method, needs }) =>
    say(
      method === undefined
        ? `${field} is not in this organization's plan${needs === undefined ? "" : `: it needs Zulip Cloud ${needs}`}`
        : `signing in with ${q(method)} is not in this organization's plan`,
      "delete it from the file, or upgrade the organization's plan",
    ),
  "settings/group-not-allowed": groupRefused,
  "settings/not-offered": ({ field, value, offered, is_certain }) =>
    say(
      is_certain ? `this server does not offer ${field}: ${value}` : `${value} is not a known value of ${field}`,
      is_certain
        ? `it offers ${listNames(offered, 10)}`
        : `known are ${listNames(offered, 10)}; only a server can tell`,
    ),
  "settings/workplace-group": ({ group, right, allowed }) =>
    say(
      `the server may refuse the group ${q(group)} for workplace_users_group: others than administrators can change its members, through ${right}`,
      `set ${right} to ${orList(allowed)}, or name a role`,
    ),
  "settings/language": ({ language, level, known, is_certain }) =>
    say(
      `${q(language)} is not a language of servers of feature level ${level}`,
      is_certain
        ? `their languages are ${known.join(", ")}`
        : "other levels have other languages; the server rejects the whole request if it does not have the language",
    ),
  "settings/unknown-method": ({ method, meant, known }) =>
    say(
      `this server has no sign-in method ${q(method)}`,
      didYouMean(meant, `it has ${listNames(known, 20)}; upper and lower case matter`),
    ),
  "settings/last-sign-in": ({ enabled }) =>
    say(
      "nobody could sign in: this disables the last sign-in method",
      `keep one of them enabled: ${listNames(enabled, 10)}`,
    ),
  "settings/picture-version": (fact) => {
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
  "settings/unknown-channel": unknownChannel,
  "settings/archived-channel": ({ channel }) =>
    say(`the channel ${q(channel)} is archived`, "unarchive it under channels (archived: false), or name another one"),
  "settings/moderation-channel": ({ channel }) =>
    say(
      `the channel ${q(channel)} is not private, and moderation requests go to private channels only`,
      "make it private under channels, or name another one",
    ),
  "settings/no-domain": () =>
    say(
      "emails_restricted_to_domains allows no address at all: no domain is allowed",
      "add a domain under domains, or leave the restriction off",
    ),
  "user_defaults/sound": ({ sound, meant, known }) =>
    say(
      `this server has no sound ${q(sound)}`,
      didYouMean(meant, `it has ${listNames(known, 40)}; none means no sound`),
    ),
};

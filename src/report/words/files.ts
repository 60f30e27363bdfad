import { cases } from "../../model/cases.ts";
import { commandLine } from "../../model/command-line.ts";
import type { ExportCaveat, InexpressibleFact, ReachCaveat } from "../../model/kind-facts.ts";
import { count, listNames } from "../../model/words.ts";

/** Why a file cannot name the server's value: a clause. */
export const inexpressibleText = cases<InexpressibleFact, "why">("why", {
  "groups-not-in-use": ({ groups }) => {
    const names = groups.map(({ quoted }) => quoted);
    return `the ${names.length === 1 ? "group" : "groups"} ${listNames(names)} ${names.length === 1 ? "is" : "are"} not in use on the server`;
  },
  "excepted-group": ({ groups }) =>
    `somebody who is there is in ${listNames(groups.map(({ quoted }) => quoted))}, which except leaves out`,
  "folder-not-in-use": ({ folder }) => `the folder ${folder.quoted} is not in use on the server`,
  "channel-not-in-use": ({ channel }) => `the channel ${channel.quoted} is not in use, or this account does not see it`,
  "account-deactivated": ({ email }) =>
    `the account ${email.quoted} is deactivated; name another one, or delete the field to leave it as it is`,
  "role-unknown": ({ role }) => `this version does not know role ${role}`,
  "value-unknown": ({ is, field }) =>
    `this version does not know the value ${is.quoted} of ${field}; delete the field to leave it as it is`,
  "name-in-file": ({ name, together }) =>
    `another entry of the file is called ${name.quoted}; take them together: ${commandLine(["adopt", ...together.map(({ address }) => address)])}`,
  picture: ({ field, is }) =>
    `the server does not give back the file of a picture; save it (realmctl export --kinds settings --out FILE does) and write ${field}: ${/^version \d+$/.test(is) ? `{image: PATH, ${is.replace(" ", ": ")}}` : "PATH"}, or delete ${field} to leave the picture alone`,
  "part-of-entry": "its entry is also about others; write an entry of its own for it",
  "addresses-unseen": ({ field }) =>
    `this account does not see everybody's address, so those in ${field} may be right; take it with an administrator's account`,
  unseen: ({ noun }) =>
    `this account does not see every ${noun}, so it is not known whether it is still there; take it with an administrator's account`,
});

/** What an exported file cannot express: a line of a comment. */
export const exportCaveatText = cases<ExportCaveat, "caveat">("caveat", {
  "terms-of-links": "the server does not show channels, groups and welcome texts of links",
  "terms-of-invitations":
    "the server does not show channels, groups and welcome texts of invitations, nor how long they were valid",
  "links-elsewhere": ({ number, section }) =>
    `${count(number, "invitation link", "invitation links")} not listed: they are in a separate section, ${section}`,
  "subscribers-unknown": ({ number }) =>
    `subscribers of ${count(number, "private channel", "private channels")} not listed: this reading does not have them, so who reads ${number === 1 ? "it" : "them"} cannot be told`,
  "invitations-without-address": ({ number }) =>
    `${count(number, "invitation", "invitations")} without an address not listed`,
});

/** What an account cannot do in a section, after the section's name. */
export const REACH_CAVEATS: { readonly [caveat in ReachCaveat]: string } = {
  "owners-change-owners": "only owners can change who is an owner",
  "owners-change-some-settings": "only owners can change some of the settings",
  "owners-change-retention": "only owners can change message_retention_days",
  "privacy-from-inside":
    "to make a private channel public, or to set who may join it, the account must be subscribed, or be named in the channel's groups",
  "channels-that-name-it":
    "it can change only channels that name it in can_administer_channel_group, and it does not see every private channel",
};

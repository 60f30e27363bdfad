import { commandLine } from "../../model/command-line.ts";
import type { ExportCaveat, InexpressibleFact, ReachCaveat } from "../../model/kind-facts.ts";
import { count, listNames } from "../../model/words.ts";

/** Why a file cannot name the server's value: a clause. */
export function inexpressibleText(fact: InexpressibleFact): string {
  switch (fact.why) {
    case "groups-not-in-use": {
      const names = fact.groups.map(({ quoted }) => quoted);
      return `the ${names.length === 1 ? "group" : "groups"} ${listNames(names)} ${names.length === 1 ? "is" : "are"} not in use on the server`;
    }
    case "excepted-group":
      return `somebody who is there is in ${listNames(fact.groups.map(({ quoted }) => quoted))}, which except leaves out`;
    case "folder-not-in-use":
      return `the folder ${fact.folder.quoted} is not in use on the server`;
    case "channel-not-in-use":
      return `the channel ${fact.channel.quoted} is not in use, or this account does not see it`;
    case "account-deactivated":
      return `the account ${fact.email.quoted} is deactivated; name another one, or delete the field to leave it as it is`;
    case "role-unknown":
      return `this version does not know role ${fact.role}`;
    case "value-unknown":
      return `this version does not know the value ${fact.is.quoted} of ${fact.field}; delete the field to leave it as it is`;
    case "name-in-file":
      return `another entry of the file is called ${fact.name.quoted}; take them together: ${commandLine(["adopt", ...fact.together.map(({ address }) => address)])}`;
    case "picture":
      return `the server does not give back the file of a picture; save it (realmctl export --kinds settings --out FILE does) and write ${fact.field}: ${/^version \d+$/.test(fact.is) ? `{image: PATH, ${fact.is.replace(" ", ": ")}}` : "PATH"}, or delete ${fact.field} to leave the picture alone`;
    case "part-of-entry":
      return "its entry is also about others; write an entry of its own for it";
    case "addresses-unseen":
      return `this account does not see everybody's address, so those in ${fact.field} may be right; take it with an administrator's account`;
    case "unseen":
      return `this account does not see every ${fact.noun}, so it is not known whether it is still there; take it with an administrator's account`;
  }
}

/** What an exported file cannot express: a line of a comment. */
export function exportCaveatText(fact: ExportCaveat): string {
  switch (fact.caveat) {
    case "terms-of-links":
      return "the server does not show channels, groups and welcome texts of links";
    case "terms-of-invitations":
      return "the server does not show channels, groups and welcome texts of invitations, nor how long they were valid";
    case "links-elsewhere":
      return `${count(fact.number, "invitation link", "invitation links")} not listed: they are in a separate section, ${fact.section}`;
    case "subscribers-unknown":
      return `subscribers of ${count(fact.number, "private channel", "private channels")} not listed: this reading does not have them, so who reads ${fact.number === 1 ? "it" : "them"} cannot be told`;
    case "invitations-without-address":
      return `${count(fact.number, "invitation", "invitations")} without an address not listed`;
  }
}

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

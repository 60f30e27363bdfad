import type { InviteFacts, InviteRight } from "../../../model/diagnostics/invites.ts";
import type { Quoted } from "../../../model/diagnostics/values.ts";
import { unknownChannel } from "./unknown-channel.ts";
import { accountThatRuns, bare, listOf, q, say, type Words, type WordsOf } from "./words.ts";

export const inviteWords: WordsOf<InviteFacts> = {
  "invites/address": ({ address, has_name }) =>
    say(
      `${q(address)} is not an e-mail address`,
      has_name ? "write the address alone, without the name" : "write it like ada@example.org",
    ),
  "invites/archived-channel": ({ name }) =>
    say(
      `the channel ${q(name)} is archived`,
      "nobody can be invited to it: delete it, or unarchive it under channels (archived: false)",
    ),
  "invites/bot": ({ account }) =>
    say(
      `${accountThatRuns(account)} is a bot, and bots may neither see nor send invitations`,
      "use the API key of a person who is an administrator, or move invites to a file that a person applies",
    ),
  "invites/deactivated-account": ({ address }) =>
    say(
      `${bare(address)} has a deactivated account here, and cannot be invited`,
      "reactivate the account in the organization's settings, or delete the address",
    ),
  "invites/differs": ({ address, field, found, wanted }) =>
    say(
      `${bare(address)} is already invited, with ${field} ${found} instead of ${wanted}`,
      "an invitation cannot be changed; to revoke it and send another e-mail, write replace: true, and send_until: with a day",
    ),
  "invites/expires-in": ({ duration }) =>
    say(
      `expires_in cannot be ${q(duration)}`,
      "write a number of minutes, hours, days or weeks (90m, 36h, 10d, 2w; at most ten years), or never",
    ),
  "invites/hidden-addresses": ({ account, hidden, addresses }) =>
    say(
      `${accountThatRuns(account)} does not see the addresses of ${hidden} ${hidden === 1 ? "account" : "accounts"}, so it is not known whether ${listOf(addresses, 4)} ${addresses.length === 1 ? "has" : "have"} one`,
      "the server does not invite people who have an account, and says so; the invitation then stays in the plan",
    ),
  "invites/leads-elsewhere": ({ invitation, name, led, is_new }) =>
    led === undefined
      ? say(
          `the invitation ${q(invitation)} is open and does not lead into ${bare(name)}, which this plan makes: it leads where it was made for`,
          `write where it leads; to lead into the new ${bare(name)}, revoke it and make another`,
        )
      : say(
          `the invitation ${q(invitation)} is open and leads into what is called ${bare(led)} after this plan; ${bare(name)} is ${is_new ? "a new object" : "another one"} then`,
          `write ${bare(led)}${is_new ? "" : ", if it was made for that one"}; to lead into the new ${bare(name)}, revoke it and make another`,
        ),
  "invites/not-allowed": ({ account, right }) => notAllowed(accountThatRuns(account), right),
  "invites/not-asked-for": ({ address, tomorrow = "YYYY-MM-DD", over }) =>
    say(
      `${bare(address)} has neither an account nor an open invitation, and ${over === undefined ? "the file does not ask for an e-mail" : `send_until (${bare(over)}) is over: nothing is sent`}`,
      `to send one, write send_until: ${tomorrow}${over === undefined ? "" : " or a later day"}; otherwise delete the address`,
    ),
  "invites/send-until": (fact) =>
    fact.cause === "no-day"
      ? noDay("send_until", fact.text, "like 2026-11-28")
      : say(
          `send_until is later than the end of the invitation (${bare(fact.holds)}): everybody who does not accept it is invited again until then`,
          "write an earlier day; to invite somebody again later, write a new day then",
        ),
  "invites/outside-domains": (fact) =>
    fact.cause === "plus"
      ? say(
          `${bare(fact.address)} cannot be invited: addresses with a "+" may not join where domains are restricted`,
          `write the address without the "+" and what follows it`,
        )
      : say(
          `${bare(fact.address)} cannot be invited: addresses of ${bare(fact.domain)} may not join`,
          "add the domain under domains, or delete the address",
        ),
  "invites/made-inactive": ({ name }) =>
    say(
      `this file archives or deactivates ${bare(name)}, so nobody can be invited to it`,
      "delete it from the invitation, or keep it",
    ),
  "invites/system-group": ({ name }) =>
    say(`${bare(name)} is a role, and roles have no members of their own`, "invite_as says which role people get"),
  "invites/unknown-channel": unknownChannel,
};

/** @param form what else the field may be */
export function noDay(field: string, text: Quoted, form: string): Words {
  const isForm = /^\d{4}-\d{2}-\d{2}$/.test(bare(text));
  return say(
    isForm ? `${field} cannot be ${q(text)}: the calendar has no such day` : `${field} cannot be ${q(text)}`,
    `write a day as YYYY-MM-DD, ${form}`,
  );
}

const ADMINISTRATOR = "it must be an administrator of the organization";
const IN_CHANNEL = "somebody in the channel must subscribe this account, or add it to can_add_subscribers_group";

function notAllowed(who: string, right: InviteRight): Words {
  switch (right.to) {
    case "invite-anybody":
      return say(
        `${who} may not invite people`,
        `it must be in the organization's ${right.setting}, now or by this plan; no role is exempt`,
      );
    case "invite-owner":
      return say(`${who} may not invite owners`, "it must be an owner of the organization");
    case "invite-as":
      return say(`${who} may not invite a ${right.role}`, ADMINISTRATOR);
    case "welcome-message":
      return say(`${who} may not choose the welcome message`, ADMINISTRATOR);
    case "add-to-group":
      return say(
        `${who} may not add members to ${bare(right.group)}`,
        "it must be in that group's can_add_members_group",
      );
    case "read-channel":
      return right.is_known
        ? say(`${who} cannot read the private channel #${bare(right.channel)}`, IN_CHANNEL)
        : say(
            `${who} must be in the private channel #${bare(right.channel)}, and this snapshot does not say whether it is`,
            IN_CHANNEL,
          );
    case "read-created-channel":
      return say(
        `${who} cannot read the private channel #${bare(right.channel)} that this plan creates, so it cannot invite people into it`,
        "add the account to the channel's subscribers, or to its can_subscribe_group",
      );
    case "add-subscribers":
      return say(
        `${who} may not add subscribers to #${bare(right.channel)}`,
        "it must be in can_add_subscribers_group, of the channel or of the organization, or administer the channel",
      );
    case "revoke":
      if (typeof right.needs === "object")
        return say(
          `the invitation ${q(right.address)} is as role ${right.needs.role}, which this version of realmctl does not know`,
          "revoke it in Zulip, or use a newer version of realmctl",
        );
      return say(
        `${who} may not revoke the invitation of ${bare(right.address)}`,
        `it must be an ${right.needs} of the organization: somebody else sent it`,
      );
  }
}

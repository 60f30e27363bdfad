import { cases, type FactIn } from "../cases.ts";
import type { UnknownRole } from "./accounts.ts";
import { diagnostic } from "./definition.ts";
import { type UnknownChannel, unknownChannel } from "./names.ts";
import type { Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, bare, listOf, q, say, type Words } from "./words.ts";

/** A right that the account does not have. */
const notAllowed = cases("to", {
  "invite-anybody": ({ setting }: { setting: Word }, who: string) =>
    say(
      `${who} may not invite people`,
      `it must be in the organization's ${setting}, now or by this plan; no role is exempt`,
    ),
  "invite-owner": (_: object, who: string) =>
    say(`${who} may not invite owners`, "it must be an owner of the organization"),
  "invite-as": ({ role }: { role: Word }, who: string) => say(`${who} may not invite a ${role}`, ADMINISTRATOR),
  "welcome-message": (_: object, who: string) => say(`${who} may not choose the welcome message`, ADMINISTRATOR),
  "add-to-group": ({ group }: { group: Quoted }, who: string) =>
    say(`${who} may not add members to ${bare(group)}`, "it must be in that group's can_add_members_group"),
  /** @property is_known false: the snapshot does not say whether the account is in the channel */
  "read-channel": ({ is_known, channel }: { channel: Quoted; is_known: boolean }, who: string) =>
    is_known
      ? say(`${who} cannot read the private channel #${bare(channel)}`, IN_CHANNEL)
      : say(
          `${who} must be in the private channel #${bare(channel)}, and this snapshot does not say whether it is`,
          IN_CHANNEL,
        ),
  "read-created-channel": ({ channel }: { channel: Quoted }, who: string) =>
    say(
      `${who} cannot read the private channel #${bare(channel)} that this plan creates, so it cannot invite people into it`,
      "add the account to the channel's subscribers, or to its can_subscribe_group",
    ),
  "add-subscribers": ({ channel }: { channel: Quoted }, who: string) =>
    say(
      `${who} may not add subscribers to #${bare(channel)}`,
      "it must be in can_add_subscribers_group, of the channel or of the organization, or administer the channel",
    ),
  revoke: ({ needs, address }: { address: Quoted; needs: "owner" | "administrator" | UnknownRole }, who: string) => {
    if (typeof needs === "object")
      return say(
        `the invitation ${q(address)} is as role ${needs.role}, which this version of realmctl does not know`,
        "revoke it in Zulip, or use a newer version of realmctl",
      );
    return say(
      `${who} may not revoke the invitation of ${bare(address)}`,
      `it must be an ${needs} of the organization: somebody else sent it`,
    );
  },
});
export type InviteRight = FactIn<typeof notAllowed>;

/** Why an address cannot join an organization that is restricted to some domains. */
export type RestrictionCause = { readonly cause: "plus" } | { readonly cause: "unlisted"; readonly domain: Quoted };

export const invites = {
  "invites/address": diagnostic<{ address: Quoted; has_name: boolean }>({
    says: ({ address }) => `${q(address)} is not an e-mail address`,
    help: ({ has_name }) => (has_name ? "write the address alone, without the name" : "write it like ada@example.org"),
    means: "This is not an e-mail address.",
    out: "Write the address alone, like `ada@example.org`.",
  }),
  "invites/archived-channel": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `the channel ${q(name)} is archived`,
    help: "nobody can be invited to it: delete it, or unarchive it under channels (archived: false)",
    means: "Nobody can be invited to an archived channel.",
    out: "Remove it from the list, or unarchive the channel.",
  }),
  "invites/bot": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} is a bot, and bots may neither see nor send invitations`,
    help: "use the API key of a person who is an administrator, or move invites to a file that a person applies",
    means: "The server refuses invitations by bots.",
    out: "Use the key of a person's account.",
  }),
  "invites/deactivated-account": diagnostic<{ address: Quoted }>({
    says: ({ address }) => `${bare(address)} has a deactivated account here, and cannot be invited`,
    help: "reactivate the account in the organization's settings, or delete the address",
    means: "There is a deactivated account with this address, and such an address cannot be invited.",
    out: "Reactivate the account, or remove the address.",
  }),
  "invites/differs": diagnostic<{ address: Quoted; field: Word; found: Word; wanted: Word }>({
    says: ({ address, field, found, wanted }) =>
      `${bare(address)} is already invited, with ${field} ${found} instead of ${wanted}`,
    help: "an invitation cannot be changed; to revoke it and send another e-mail, write replace: true, and send_until: with a day",
    means: "The person is already invited, with other terms, and an invitation cannot be changed.",
    out: "Keep the old terms, or write `replace: true`: the invitation is revoked and sent again, with another e-mail.",
  }),
  "invites/expires-in": diagnostic<{ duration: Quoted }>({
    says: ({ duration }) => `expires_in cannot be ${q(duration)}`,
    help: "write a number of minutes, hours, days or weeks (90m, 36h, 10d, 2w; at most ten years), or never",
    means: "This is not a duration.",
    out: "Write a number of minutes, hours, days or weeks (`90m`, `36h`, `10d`, `2w`), or `never`.",
  }),
  "invites/hidden-addresses": diagnostic<{ account: Person; hidden: number; addresses: readonly Quoted[] }>({
    says: ({ account, hidden, addresses }) =>
      `${accountThatRuns(account)} does not see the addresses of ${hidden} ${hidden === 1 ? "account" : "accounts"}, so it is not known whether ${listOf(addresses, 4)} ${addresses.length === 1 ? "has" : "have"} one`,
    help: "the server does not invite people who have an account, and says so; the invitation then stays in the plan",
    means:
      "Some accounts hide their addresses from the account that runs realmctl, so an invited address may be one of theirs. The server refuses to invite people who have an account; the others get their invitations.",
    out: "Find out who the address belongs to, or plan with an account that sees it: each person's own setting decides who does.",
  }),
  /** @property led the name that the object gets which has `name` before the plan; `is_new`: the plan makes the one that has it afterwards */
  "invites/leads-elsewhere": diagnostic<{ invitation: Quoted; name: Quoted; led?: Quoted; is_new: boolean }>({
    says: ({ invitation, name, led, is_new }) =>
      led === undefined
        ? say(
            `the invitation ${q(invitation)} is open and does not lead into ${bare(name)}, which this plan makes: it leads where it was made for`,
            `write where it leads; to lead into the new ${bare(name)}, revoke it and make another`,
          )
        : say(
            `the invitation ${q(invitation)} is open and leads into what is called ${bare(led)} after this plan; ${bare(name)} is ${is_new ? "a new object" : "another one"} then`,
            `write ${bare(led)}${is_new ? "" : ", if it was made for that one"}; to lead into the new ${bare(name)}, revoke it and make another`,
          ),
    means:
      "An invitation or a link that is open leads into the channels and groups that it was made with, whatever they are called later. The entry names one that the plan makes, or one that takes the name of another.",
    out: "Write the name that the channel or group has after the plan. To lead into the new one, revoke the invitation and make another.",
  }),
  "invites/not-allowed": diagnostic<{ account: Person; right: InviteRight }>({
    says: ({ account, right }) => notAllowed(right, accountThatRuns(account)),
    means:
      "The account that runs realmctl may not invite people, or not with this role, or not into this channel or group; or the invitation is as a role that this version of realmctl does not know, and stays as it is.",
    out: "Use another account or another role, or let the account read the channel and add members to the group.",
  }),
  /** `tomorrow`: the day after the organization was read, as the file would write it. */
  /** @property over the day until which the invitation was asked for */
  "invites/not-asked-for": diagnostic<{ address: Quoted; tomorrow?: Word; over?: Quoted }>({
    says: ({ address, over }) =>
      `${bare(address)} has neither an account nor an open invitation, and ${over === undefined ? "the file does not ask for an e-mail" : `send_until (${bare(over)}) is over: nothing is sent`}`,
    help: ({ tomorrow = "YYYY-MM-DD", over }) =>
      `to send one, write send_until: ${tomorrow}${over === undefined ? "" : " or a later day"}; otherwise delete the address`,
    means:
      "Somebody in the file has neither an account nor an open invitation: they were never invited, or the invitation was revoked or has expired; the server does not say which. The file asks for an invitation only with `send_until`, and not after that day.",
    out: "Write `send_until: 2026-11-28` (a day) to have the e-mail sent until then, or remove the address.",
  }),
  "invites/send-until": diagnostic<
    { cause: "no-day"; text: Quoted } | { cause: "later-than-invitation"; holds: Quoted }
  >({
    says: (fact) =>
      fact.cause === "no-day"
        ? noDay("send_until", fact.text, "like 2026-11-28")
        : say(
            `send_until is later than the end of the invitation (${bare(fact.holds)}): everybody who does not accept it is invited again until then`,
            "write an earlier day; to invite somebody again later, write a new day then",
          ),
    means:
      "`send_until` is not a date, or it is too late: the invitation would expire before it, and a second e-mail would be sent.",
    out: "Write a day, like `2026-11-28`; to send another e-mail later, write a new day.",
  }),
  "invites/outside-domains": diagnostic<{ address: Quoted } & RestrictionCause>({
    says: (fact) =>
      fact.cause === "plus"
        ? say(
            `${bare(fact.address)} cannot be invited: addresses with a "+" may not join where domains are restricted`,
            `write the address without the "+" and what follows it`,
          )
        : say(
            `${bare(fact.address)} cannot be invited: addresses of ${bare(fact.domain)} may not join`,
            "add the domain under domains, or delete the address",
          ),
    means: "The organization admits only addresses of its allowed domains. This address is in none of them.",
    out: "Add the domain, or remove the address.",
  }),
  "invites/made-inactive": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `this file archives or deactivates ${bare(name)}, so nobody can be invited to it`,
    help: "delete it from the invitation, or keep it",
    means: "The file invites somebody to a channel or a group that it archives or deactivates.",
    out: "Remove it from the invitation, or keep it active.",
  }),
  "invites/system-group": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `${bare(name)} is a role, and roles have no members of their own`,
    help: "invite_as says which role people get",
    means: "People get a role through `invite_as`; nobody can be added to a role as to a group.",
    out: "Remove the role from `groups`.",
  }),
  "invites/unknown-channel": diagnostic<{ name: Quoted } & UnknownChannel>({
    says: unknownChannel,
    means: "There is no channel with this name.",
    out: "Correct the name, or declare the channel under `channels`.",
  }),
  "invite_links/expires-on": diagnostic<{ text: Quoted }>({
    says: ({ text }) => noDay("expires_on", text, "like 2026-12-31, or never"),
    means: "`expires_on` is neither a day nor `never`.",
    out: "Write a day, like `2026-12-31`. The link ends at noon (UTC) of that day.",
  }),
};

/** @param form what else the field may be */
function noDay(field: string, text: Quoted, form: string): Words {
  const isForm = /^\d{4}-\d{2}-\d{2}$/.test(bare(text));
  return say(
    isForm ? `${field} cannot be ${q(text)}: the calendar has no such day` : `${field} cannot be ${q(text)}`,
    `write a day as YYYY-MM-DD, ${form}`,
  );
}

const ADMINISTRATOR = "it must be an administrator of the organization";
const IN_CHANNEL = "somebody in the channel must subscribe this account, or add it to can_add_subscribers_group";

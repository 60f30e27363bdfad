import type { RiskFact } from "../../model/facts.ts";
import { people } from "../../model/words.ts";
import { gainers, otherDeed } from "./names.ts";

/** The risks of changes to the organization's own settings, or to the defaults of new accounts. */
export type OrganizationRisk =
  | "joining"
  | "organization-right"
  | "sign-in"
  | "messages-deleted-everywhere"
  | "opened"
  | "addresses-of-new-people"
  | "digest-emails"
  | "phones-silent"
  | "picture-replaced"
  | "picture-removed";
type Fact<K extends OrganizationRisk = OrganizationRisk> = Extract<RiskFact, { readonly kind: K }>;

export function organizationRiskText(fact: Fact): string {
  switch (fact.kind) {
    case "joining":
      return joiningText(fact);
    case "organization-right": {
      if (fact.setting === "workplace_users_group") {
        const isOne = fact.people === 1 && (fact.newcomers ?? []).length === 0;
        const who = fact.shift === "gained" ? gainers(fact.people, fact.newcomers) : `${people(fact.people)} no longer`;
        return `${who} ${isOne ? "counts as a workplace user" : "count as workplace users"}: this changes who is billed`;
      }
      const deed = DEEDS[fact.setting] ?? otherDeed(fact.setting);
      return fact.shift === "gained"
        ? `${gainers(fact.people, fact.newcomers)} may ${deed}`
        : `${people(fact.people)} may no longer ${deed}`;
    }
    case "sign-in":
      return fact.shift === "gained"
        ? `people may sign in with ${fact.method}`
        : `nobody can sign in with ${fact.method}: people without another way to sign in are locked out`;
    case "messages-deleted-everywhere":
      return `messages older than ${fact.days} ${fact.days === 1 ? "day" : "days"} are deleted for good, in every channel that does not set its own time`;
    case "opened":
      return OPENED[fact.what];
    case "addresses-of-new-people":
      return `the e-mail addresses of new people are visible to ${AUDIENCES[fact.to]}`;
    case "phones-silent":
      return "apps that cannot read encrypted notifications get none any more";
    case "digest-emails":
      return `people who were away get a weekly summary by e-mail: up to ${people(fact.people)}`;
    case "picture-replaced":
      return `the ${fact.picture.replaceAll("_", " ")} of the organization is replaced: the old one cannot be restored`;
    case "picture-removed":
      return `the ${fact.picture.replaceAll("_", " ")} of the organization is removed: it cannot be restored`;
  }
}

function joiningText({ invited, domains, shift }: Fact<"joining">): string {
  if (shift === "lost") {
    if (invited && domains) return "only people who are invited at an address of an allowed domain may join";
    return invited
      ? "only people who are invited may join"
      : "only people with an address of an allowed domain may join";
  }
  if (invited) return "people with any address may be invited";
  return domains
    ? "anybody with an address of an allowed domain may now join, without an invitation"
    : "anybody may now join, without an invitation";
}

const OPENED = {
  web: "channels can be made readable by everybody on the web",
  directory: "the organization may be listed in Zulip's public directory",
  "disposable-addresses": "people may join with disposable addresses",
  "messages-in-emails": "e-mails may contain messages",
  "messages-on-phones": "messages go to phones without end-to-end encryption",
  "edit-history": "everybody sees more of what messages said before they were edited",
  "waiting-period": "new members are full members sooner",
  reports:
    "whoever reads the channel of moderation requests reads reported messages, also direct ones and those of private channels",
  previews: "the server visits the links that people post",
} as const satisfies Record<Fact<"opened">["what"], string>;

const AUDIENCES = {
  everyone: "everybody, including guests",
  members: "all members",
  moderators: "moderators and above",
  administrators: "administrators",
  nobody: "nobody",
} as const satisfies Record<Fact<"addresses-of-new-people">["to"], string>;

const DEEDS: { readonly [setting: string]: string } = {
  can_invite_users_group: "invite people by e-mail",
  create_multiuse_invite_group: "make links by which others can join",
  can_access_all_users_group: "see everybody in the organization",
  can_create_public_channel_group: "create public channels",
  can_create_private_channel_group: "create private channels",
  can_create_web_public_channel_group: "create channels that the web can read",
  can_add_subscribers_group: "add others to every channel that they read",
  can_set_topics_policy_group: "choose whether a channel's messages need a topic",
  can_set_delete_message_policy_group: "choose who deletes messages in a channel",
  can_move_messages_between_topics_group: "move messages to another topic",
  can_move_messages_between_channels_group: "move messages to another channel",
  can_resolve_topics_group: "resolve topics",
  can_delete_own_message_group: "delete their own messages",
  can_delete_any_message_group: "delete any message",
  can_mention_many_users_group: "mention everybody in a large channel",
  can_summarize_topics_group: "have topics summarized",
  direct_message_permission_group: "make direct messages possible by taking part in them",
  direct_message_initiator_group: "begin direct messages",
  can_create_groups: "create groups",
  can_manage_all_groups: "manage every group",
  can_add_custom_emoji_group: "add custom emoji",
  can_create_bots_group: "create bots of any sort",
  can_create_write_only_bots_group: "create bots that only post",
  can_manage_billing_group: "manage plans and billing",
};

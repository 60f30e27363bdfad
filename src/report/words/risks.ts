import { FULL_MEMBERS } from "../../access/full-members.ts";
import {
  groupAddress,
  isAccountAddress,
  isBotAddress,
  isChannelAddress,
  isInvitationLink,
} from "../../access/scope.ts";
import type { RiskFact } from "../../model/facts.ts";
import { own } from "../../model/own.ts";
import { permissionRow } from "../../model/permission-settings.ts";
import { listNames, people, peopleAndBots, who } from "../../model/words.ts";
import { type AccountFact, accountText } from "./accounts.ts";
import { called, gainers, otherDeed } from "./names.ts";
import { type OrganizationRisk, organizationRiskText } from "./organization-risks.ts";

/** The sentence of a risk: "#incidents becomes readable by 31 more people". */
export function riskText({ fact }: { readonly fact: RiskFact }): string {
  switch (fact.kind) {
    case "open-to-web":
      return `${called(fact.object)} ${fact.is_new ? "is" : "becomes"} readable by everybody on the web`;
    case "closed-to-web":
      return `${called(fact.object)} is no longer readable on the web`;
    case "readers": {
      const upTo = fact.at_most ? "up to " : "";
      return fact.shift === "gained"
        ? `${called(fact.object)} becomes readable by ${fact.people === 0 ? "" : upTo}${gainers(fact.people, fact.newcomers)}`
        : `${upTo}${people(fact.people)} can no longer read ${called(fact.object)}`;
    }
    case "history-opened":
      return `subscribers of ${called(fact.object)} can read what was written before they subscribed`;
    case "private-name":
      return `${called(fact.object)} is public, and takes the name of the private channel ${called(fact.before)}: whoever writes to that name may mean the private one`;
    case "right":
      return rightText(fact);
    case "archived":
      return archivedText(fact);
    case "deactivated":
      return `the group ${called(fact.object)} is deactivated`;
    case "reactivated":
      return `the group ${called(fact.object)} is reactivated`;
    case "members":
      return membersText(fact);
    case "may-join-into":
    case "may-administer":
      return mayJoinText(fact);
    case "list-is-exact":
      return `the list of subscribers of ${called(fact.object)} is exact, since the channel is private: ${peopleAndBots(fact)} ${fact.people + fact.bots === 1 ? "leaves" : "leave"} it (exact: false lets them stay, exact: true confirms the list)`;
    case "notified":
      return `${people(fact.people)} ${fact.people === 1 ? "gets" : "get"} a message about ${called(fact.object)}`;
    case "messages-deleted":
      return `messages in ${called(fact.object)} that are older than ${fact.days} days are deleted for good`;
    case "account-locked-out":
      return lockedOutText(fact);
    default:
      return otherRiskText(fact);
  }
}

/** "31 more people may add themselves to club, whose members can read #board" */
function mayJoinText(fact: Fact<"may-join-into" | "may-administer">): string {
  const { kind, object, people: count, groups, channels } = fact;
  const newcomers = "newcomers" in fact ? fact.newcomers : undefined;
  const those = `${kind === "may-administer" ? "administer" : "can read"} ${listNames(channels.map(called), 5)}`;
  const own = groups.filter(({ address }) => address !== groupAddress(FULL_MEMBERS));
  const into = `may add themselves to ${listNames(own.map(called), 5)}`;
  const account = isBotAddress(object.address) ? `whoever owns the bot ${called(object)}` : called(object);
  const subject = isAccountAddress(object.address) ? account : gainers(count, newcomers);
  if (own.length === groups.length) return `${subject} ${into}, whose members ${those}`;
  const ways = [...(own.length === 0 ? [] : [into]), count === 1 ? "is still waiting" : "are still waiting"];
  return `${subject} ${ways.join(" or ")}: full members ${those}`;
}

type Fact<K extends RiskFact["kind"]> = Extract<RiskFact, { readonly kind: K }>;

function otherRiskText(
  fact: Fact<
    | "may-join"
    | OrganizationRisk
    | "restriction-lifted"
    | "restriction-stays-lifted"
    | "invitation-revoked"
    | "invited-as"
    | "invited-into"
    | "invited-again"
    | "removed"
    | "back-to-default"
    | "cannot-be-set-again"
    | AccountFact["kind"]
    | KeptByNobody["kind"]
  >,
): string {
  switch (fact.kind) {
    case "emoji-removed":
    case "emoji-replaced":
    case "emoji-overrides":
    case "profile-field-removed":
    case "profile-options-removed":
    case "profile-service-fixed":
    case "code-language-reset":
      return keptByNobodyText(fact);
    case "role":
    case "account-deactivated":
    case "account-reactivated":
    case "account-loses-role":
    case "bot-made":
    case "bot-address":
    case "bot-given":
    case "link-made":
    case "link-revoked":
      return accountText(fact);
    case "may-join": {
      const whose = {
        domain: fact.object.name,
        "domain-and-subdomains": `${fact.object.name} and its subdomains`,
        subdomains: `a subdomain of ${fact.object.name}`,
      }[fact.who];
      return `people with an address of ${whose} ${fact.shift === "gained" ? "may" : "can no longer"} join`;
    }
    case "joining":
    case "organization-right":
    case "sign-in":
    case "messages-deleted-everywhere":
    case "opened":
    case "addresses-of-new-people":
    case "digest-emails":
    case "phones-silent":
    case "picture-replaced":
    case "picture-removed":
      return organizationRiskText(fact);
    case "restriction-lifted":
      return "no domain is left: the restriction is lifted, and people with any address may join";
    case "restriction-stays-lifted":
      return "adding a domain again does not restore the restriction: use the organization's settings for that";
    case "invitation-revoked": {
      const terms = fact.terms.map(({ role, by }) => (by === undefined ? `as ${role}` : `as ${role}, by ${who(by)}`));
      const whose = [...new Set(terms)].join(" and ");
      return `the invitation of ${fact.object.name} (${whose}) is revoked: its link no longer works`;
    }
    case "invited-as":
      return `${fact.object.name} is invited as ${fact.role}`;
    case "invited-into":
      return invitedIntoText(fact);
    case "invited-again":
      return `${fact.object.name} is invited again: the link of the first e-mail no longer works`;
    case "removed":
      return `the ${fact.noun ?? "object"} ${fact.object.name} is removed`;
    case "back-to-default":
      return `the view ${fact.object.name} gets its default values back: it is one of Zulip's own views, which nobody can remove`;
    case "cannot-be-set-again":
      return `${fact.field} of the ${fact.noun} ${fact.object.name} cannot become ${fact.before.quoted} again: realmctl does not know this value, so the file cannot bring it back`;
  }
}

function invitedIntoText(fact: Fact<"invited-into">): string {
  const channels = fact.channels.map(({ name }) => `#${name}`);
  const noun = channels.length === 1 ? "private channel" : "private channels";
  const { address, name } = fact.object;
  const by = `${fact.open_as === undefined ? "" : "open "}${isInvitationLink(address) ? "link" : "invitation of"} ${name}`;
  const administered = (fact.administers ?? []).map((channel) => `#${channel.name}`);
  const deeds = [
    ...(channels.length === 0 ? [] : [`read the ${noun} ${listNames(channels, 5)}`]),
    ...(administered.length === 0 ? [] : [`administer ${listNames(administered, 5)}`]),
  ];
  return `people who join by the ${by} can ${deeds.join(", and ")}`;
}

function rightText({ object, setting, shift, people: count, at_most }: Fact<"right">): string {
  const row = permissionRow("stream", setting) ?? permissionRow("group", setting);
  const deed = row?.words.deed ?? `${otherDeed(setting)} in`;
  const upTo = at_most ? "up to " : "";
  return shift === "gained"
    ? `${upTo}${people(count, "more ")} may ${deed} ${called(object)}`
    : `${upTo}${people(count)} may no longer ${deed} ${called(object)}`;
}

const PURPOSES: { readonly [setting: string]: string } = {
  new_stream_announcements_stream_id: "announcements of new channels",
  signup_announcements_stream_id: "announcements of new users",
  zulip_update_announcements_stream_id: "announcements of Zulip updates",
  moderation_request_channel_id: "moderation requests",
};

function archivedText({ object, cleared, ends_default }: Fact<"archived">): string {
  if (!isChannelAddress(object.address)) return `the folder ${called(object)} is archived`;
  const lost = cleared.map((setting) => own(PURPOSES, setting) ?? setting);
  const results = [
    ...(ends_default === true ? ["is no longer a default channel"] : []),
    ...(lost.length === 0 ? [] : [`${lost.join(" and ")} no longer have a channel`]),
  ];
  const [first, second] = results;
  if (first === undefined) return `${called(object)} is archived`;
  return second === undefined
    ? `${called(object)} is archived, and ${first}`
    : `${called(object)} is archived, ${first}, and ${second}`;
}

function membersText({ object, shift, people: count, channels }: Fact<"members">): string {
  const list = listNames(channels.map(called), 4);
  const reading = channels.length === 0 ? "" : `, whose members can read ${list}`;
  const verb = count === 1 ? "is" : "are";
  return shift === "gained"
    ? `${people(count, "more ")} ${verb} in ${called(object)}${reading}`
    : `${people(count)} ${verb} no longer in ${called(object)}${reading}`;
}

function lockedOutText({ object, account, from }: Fact<"account-locked-out">): string {
  const what = {
    reading: "cannot change who reads",
    administering: "no longer administers",
    managing: "no longer manages",
  }[from];
  return `${who(account)}, the account that runs this, ${what} ${called(object)} afterwards`;
}

/** What is lost for good with an emoji, a profile field or a playground. */
type KeptByNobody = Extract<
  RiskFact,
  {
    readonly kind:
      | "emoji-removed"
      | "emoji-replaced"
      | "emoji-overrides"
      | "profile-field-removed"
      | "profile-options-removed"
      | "profile-service-fixed"
      | "code-language-reset";
  }
>;

function keptByNobodyText(fact: KeptByNobody): string {
  const name = called(fact.object);
  switch (fact.kind) {
    case "emoji-removed":
      return `the emoji :${name}:${by(fact)} is removed: its picture cannot be restored`;
    case "emoji-replaced":
      return `:${name}:${by(fact)} gets another picture: the previous one cannot be restored, and messages keep it`;
    case "emoji-overrides":
      return `:${name}: replaces the built-in emoji of that name for everybody`;
    case "profile-field-removed":
      return `the profile field ${name} is removed with ${lost(fact.people)}`;
    case "profile-options-removed": {
      const one = fact.options.length === 1;
      return `the option${one ? "" : "s"} ${listNames(
        fact.options.map(({ quoted }) => quoted),
        4,
      )} of ${name} ${one ? "is" : "are"} removed with ${lost(fact.people)}`;
    }
    case "profile-service-fixed":
      return `${name} will be for ${fact.service}: the server never changes that again`;
    case "code-language-reset":
      return `code blocks lose their default language: with ${name}, the server clears default_code_block_language (${fact.language.quoted})`;
  }
}

const by = ({ author }: { readonly author?: Parameters<typeof who>[0] | undefined }): string =>
  author === undefined ? "" : ` by ${who(author)}`;

function lost(count: number | null): string {
  if (count === null) return "the values that people entered";
  return count === 0 ? "no value: nobody entered one" : `the values of ${people(count)}`;
}

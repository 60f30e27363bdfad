import { FULL_MEMBERS } from "../../access/account.ts";
import {
  groupAddress,
  isAccountAddress,
  isBotAddress,
  isChannelAddress,
  isInvitationLink,
} from "../../access/scope.ts";
import { cases } from "../../model/cases.ts";
import { own } from "../../model/defined.ts";
import type { RiskFact } from "../../model/facts.ts";
import { permissionRow } from "../../model/permission-settings.ts";
import { count, listNames, people, peopleAndBots, who } from "../../model/words.ts";
import { accountText } from "./accounts.ts";
import { called, gainers, otherDeed } from "./names.ts";

type Fact<K extends RiskFact["kind"]> = Extract<RiskFact, { readonly kind: K }>;

/** The sentence of a risk: "#incidents becomes readable by 31 more people". */
export const riskText = ({ fact }: { readonly fact: RiskFact }): string => factText(fact);

const factText = cases<RiskFact, "kind">("kind", {
  "open-to-web": ({ object, is_new }) =>
    `${called(object)} ${is_new ? "is" : "becomes"} readable by everybody on the web`,
  "closed-to-web": ({ object }) => `${called(object)} is no longer readable on the web`,
  readers: (fact) => {
    const upTo = fact.at_most ? "up to " : "";
    return fact.shift === "gained"
      ? `${called(fact.object)} becomes readable by ${fact.people === 0 ? "" : upTo}${gainers(fact.people, fact.newcomers)}`
      : `${upTo}${people(fact.people)} can no longer read ${called(fact.object)}`;
  },
  "history-opened": ({ object }) => `subscribers of ${called(object)} can read what was written before they subscribed`,
  "private-name": ({ object, before }) =>
    `${called(object)} is public, and takes the name of the private channel ${called(before)}: whoever writes to that name may mean the private one`,
  right: rightText,
  archived: archivedText,
  deactivated: ({ object }) => `the group ${called(object)} is deactivated`,
  reactivated: ({ object }) => `the group ${called(object)} is reactivated`,
  members: membersText,
  "may-join-into": mayJoinText,
  "may-administer": mayJoinText,
  "list-is-exact": (fact) =>
    `the list of subscribers of ${called(fact.object)} is exact, since the channel is private: ${peopleAndBots(fact)} ${fact.people + fact.bots === 1 ? "leaves" : "leave"} it (exact: false lets them stay, exact: true confirms the list)`,
  notified: (fact) =>
    `${people(fact.people)} ${fact.people === 1 ? "gets" : "get"} a message about ${called(fact.object)}`,
  "messages-deleted": ({ object, days }) =>
    `messages in ${called(object)} that are older than ${count(days, "day")} are deleted for good`,
  "account-locked-out": lockedOutText,
  role: accountText,
  "account-deactivated": accountText,
  "account-reactivated": accountText,
  "account-loses-role": accountText,
  "bot-made": accountText,
  "bot-address": accountText,
  "bot-given": accountText,
  "link-made": accountText,
  "link-revoked": accountText,
  "may-join": ({ object, who, shift }) => {
    const whose = {
      domain: object.name,
      "domain-and-subdomains": `${object.name} and its subdomains`,
      subdomains: `a subdomain of ${object.name}`,
    }[who];
    return `people with an address of ${whose} ${shift === "gained" ? "may" : "can no longer"} join`;
  },
  "restriction-lifted": "no domain is left: the restriction is lifted, and people with any address may join",
  "restriction-stays-lifted":
    "adding a domain again does not restore the restriction: use the organization's settings for that",
  "invitation-revoked": (fact) => {
    const terms = fact.terms.map(({ role, by }) => (by === undefined ? `as ${role}` : `as ${role}, by ${who(by)}`));
    const whose = [...new Set(terms)].join(" and ");
    return `the invitation of ${fact.object.name} (${whose}) is revoked: its link no longer works`;
  },
  "invited-as": ({ object, role }) => `${object.name} is invited as ${role}`,
  "invited-into": invitedIntoText,
  "invited-again": ({ object }) => `${object.name} is invited again: the link of the first e-mail no longer works`,
  removed: ({ noun, object }) => `the ${noun ?? "object"} ${object.name} is removed`,
  "back-to-default": ({ object }) =>
    `the view ${object.name} gets its default values back: it is one of Zulip's own views, which nobody can remove`,
  "cannot-be-set-again": ({ field, noun, object, before }) =>
    `${field} of the ${noun} ${object.name} cannot become ${before.quoted} again: realmctl does not know this value, so the file cannot bring it back`,
  joining: joiningText,
  "organization-right": (fact) => {
    if (fact.setting === "workplace_users_group") {
      const isOne = fact.people === 1 && (fact.newcomers ?? []).length === 0;
      const who = fact.shift === "gained" ? gainers(fact.people, fact.newcomers) : `${people(fact.people)} no longer`;
      return `${who} ${isOne ? "counts as a workplace user" : "count as workplace users"}: this changes who is billed`;
    }
    const deed = permissionRow("realm", fact.setting)?.words.deed ?? otherDeed(fact.setting);
    return fact.shift === "gained"
      ? `${gainers(fact.people, fact.newcomers)} may ${deed}`
      : `${people(fact.people)} may no longer ${deed}`;
  },
  "sign-in": ({ shift, method }) =>
    shift === "gained"
      ? `people may sign in with ${method}`
      : `nobody can sign in with ${method}: people without another way to sign in are locked out`,
  "messages-deleted-everywhere": ({ days }) =>
    `messages older than ${days} ${days === 1 ? "day" : "days"} are deleted for good, in every channel that does not set its own time`,
  opened: ({ what }) => OPENED[what],
  "addresses-of-new-people": ({ to }) => `the e-mail addresses of new people are visible to ${AUDIENCES[to]}`,
  "phones-silent": "apps that cannot read encrypted notifications get none any more",
  "digest-emails": (fact) => `people who were away get a weekly summary by e-mail: up to ${people(fact.people)}`,
  "picture-replaced": ({ picture }) =>
    `the ${picture.replaceAll("_", " ")} of the organization is replaced: the old one cannot be restored`,
  "picture-removed": ({ picture }) =>
    `the ${picture.replaceAll("_", " ")} of the organization is removed: it cannot be restored`,
  "emoji-removed": (fact) => `the emoji :${called(fact.object)}:${by(fact)} is removed: its picture cannot be restored`,
  "emoji-replaced": (fact) =>
    `:${called(fact.object)}:${by(fact)} gets another picture: the previous one cannot be restored, and messages keep it`,
  "emoji-overrides": ({ object }) => `:${called(object)}: replaces the built-in emoji of that name for everybody`,
  "profile-field-removed": ({ object, people }) =>
    `the profile field ${called(object)} is removed with ${lost(people)}`,
  "profile-options-removed": ({ options, object, people }) => {
    const one = options.length === 1;
    return `the option${one ? "" : "s"} ${listNames(
      options.map(({ quoted }) => quoted),
      4,
    )} of ${called(object)} ${one ? "is" : "are"} removed with ${lost(people)}`;
  },
  "profile-service-fixed": ({ object, service }) =>
    `${called(object)} will be for ${service}: the server never changes that again`,
  "code-language-reset": ({ object, language }) =>
    `code blocks lose their default language: with ${called(object)}, the server clears default_code_block_language (${language.quoted})`,
});

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

const by = ({ author }: { readonly author?: Parameters<typeof who>[0] | undefined }): string =>
  author === undefined ? "" : ` by ${who(author)}`;

function lost(count: number | null): string {
  if (count === null) return "the values that people entered";
  return count === 0 ? "no value: nobody entered one" : `the values of ${people(count)}`;
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

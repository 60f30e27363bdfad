import type { AccountFacts } from "../../../model/diagnostics/accounts.ts";
import { foundText } from "./found-value.ts";
import { noDay } from "./invites.ts";
import { accountThatRuns, bare, listOf, orList, q, say, type WordsOf } from "./words.ts";

const ofUnknownRole = (who: string, role: number): readonly [string, string] => [
  `${who} has role ${role}, which this version of realmctl does not know`,
  "change the account in Zulip, or use a newer version of realmctl",
];

export const accountWords: WordsOf<AccountFacts> = {
  "people/not-allowed": ({ account, person, needs }) =>
    typeof needs === "object"
      ? say(...ofUnknownRole(bare(person), needs.role))
      : say(
          `${accountThatRuns(account)} may not change ${bare(person)} like this`,
          needs === "owner"
            ? "only owners promote people to owner, and demote or deactivate owners"
            : "only administrators and owners of the organization change accounts",
        ),
  "people/oneself": ({ account, becomes }) =>
    say(
      `${accountThatRuns(account)} would become ${becomes === "guest" ? "a guest" : "deactivated"}, and could not make the other changes`,
      "run this with another account, or leave this one as it is",
    ),
  "people/own-role-alone": ({ account, leaves_no_owner }) =>
    leaves_no_owner === true
      ? say(
          `nobody would be an owner of the organization: ${accountThatRuns(account)} loses its role, too`,
          "keep an owner, or make somebody else an owner in the same file",
        )
      : say(
          `${accountThatRuns(account)} loses its role, which the other changes of this plan may need`,
          "apply the other changes first, and this one alone; or run it with another account",
        ),
  "people/inactive-owner": ({ person }) =>
    say(
      `${bare(person)} is a deactivated owner, and the server refuses another role while only one owner is active`,
      "make somebody else an owner in the same file; or keep role: owner until the account is active, and change the role then",
    ),
  "people/is-bot": ({ address }) => say(`${bare(address)} is the address of a bot`, "declare it under bots"),
  "people/other-address": ({ address, meant }) =>
    say(`${bare(address)} is the API's placeholder for ${bare(meant)}`, `write ${bare(meant)}`),
  "people/is-deactivated": ({ address }) =>
    say(
      `the account of ${bare(address)} is deactivated, and the file does not say whether it should stay so`,
      "add deactivated: true to confirm it, or deactivated: false to reactivate the account",
    ),
  "people/deleted": ({ person }) =>
    say(
      `the account of ${bare(person)} was deleted, and does not come back`,
      "delete deactivated: false, or invite the person again",
    ),
  "people/bot-in-use": ({ person, bot }) =>
    say(
      `this plan deactivates ${bare(person)}, and with them their bot ${q(bot)}, which the file has in use`,
      "give the bot another owner, or write deactivated: true",
    ),
  "people/invitation-in-use": ({ person, invitation }) =>
    say(
      `this plan deactivates ${bare(person)}, and with them their invitation ${q(invitation)}, which the file keeps`,
      "leave this entry out until the account is deactivated; then write it again, and the plan makes a new one",
    ),
  "bots/not-allowed": ({ account, bot, needs }) => {
    if (typeof needs === "object") return say(...ofUnknownRole(`the bot ${q(bot)}`, needs.role));
    const who = {
      "a-person": "the server accepts this only from people who are not guests: use the key of a person",
      "owner-or-administrator": "only the owner of a bot and administrators of the organization may",
      administrator: "only administrators and owners of the organization change the role of a bot",
      "owner-of-organization": "only owners of the organization give a bot the role of an owner, or take it away",
      can_create_bots_group:
        "the account must be in can_create_bots_group of the organization, now or by this plan; no role is exempt",
      can_create_write_only_bots_group:
        "the account must be in can_create_bots_group or can_create_write_only_bots_group of the organization, now or by this plan; no role is exempt",
    }[needs];
    return say(`${accountThatRuns(account)} may not do this to the bot ${q(bot)}`, who);
  },
  "bots/oneself": ({ account }) =>
    say(
      `${accountThatRuns(account)} would be deactivated, and could not make the other changes`,
      "run this with another account",
    ),
  "bots/name": (fact) => {
    if (fact.cause === "other-name")
      return say(`the bot ${q(fact.bot)} is called ${q(fact.meant)} here`, `write ${bare(fact.meant)}`);
    if (fact.cause === "several")
      return say(
        `${q(fact.bot)} can mean several bots: ${listOf(fact.bots)}`,
        `write the whole address: ${orList(fact.bots.map(bare))}`,
      );
    if (fact.cause === "taken")
      return say(
        `a bot is called ${q(fact.bot)} already, and no two accounts have one address`,
        "rename that bot, too, or choose another name",
      );
    if (fact.cause === "cannot-be-renamed")
      return say(
        `this server cannot change the address of a bot (feature level ${fact.needs}; this one has ${fact.level}): ${q(fact.bot)} is a new bot, and ${q(fact.was)} is another one`,
        `keep the name ${bare(fact.was)} in the file, or delete was`,
      );
    if (fact.cause === "no-suffix")
      return say(
        `there is no bot ${q(fact.bot)}, and none can get this name: the address ends in -bot before the @`,
        `write ${bare(fact.bot)}-bot, or correct the name`,
      );
    const [local = "", domain] = bare(fact.bot).split("@");
    if (domain !== undefined && /-bot$/.test(local))
      return say(
        `no bot has the address ${q(fact.bot)}, and a new one gets its domain from the server`,
        `write the part before the @: ${local}`,
      );
    return say(
      `${q(fact.bot)} cannot be the name of a new bot: the name becomes the first part of the bot's address`,
      "use lower-case letters, digits, hyphens, underscores and single dots, and end in -bot",
    );
  },
  "bots/full-name": (fact) => {
    switch (fact.cause) {
      case "empty":
        return say("the full name of a bot must not be empty", "write the name that people see, or delete full_name");
      case "ending":
        return say("a full name must not end in a vertical bar and digits", "write another name");
      case "too-long":
        return say(`the full name has ${fact.length} characters, and the server takes ${fact.limit}`, "shorten it");
      case "character":
        return say(`a full name must not contain ${q(fact.character)}`, "write another name");
      case "taken":
        return say(
          `an active account is already called ${q(fact.full_name)}, and no active account may have the same name as a bot`,
          fact.bot === undefined
            ? "choose another full_name"
            : `if this is the bot ${q(fact.bot)}, which the file does not mention, write that name; otherwise choose another full_name`,
        );
      case "twice":
        return say(
          `the bot ${q(fact.other)} has the full name ${q(fact.full_name)}, too: the server refuses it for a bot that is created, renamed or reactivated`,
          "choose another full_name",
        );
    }
  },
  "bots/owner-is-bot": ({ owner }) => say(`${bare(owner)} is a bot, and bots cannot own bots`, "name a person"),
  "bots/type": (fact) =>
    fact.cause === "cannot-change"
      ? say(
          `the bot ${q(fact.bot)} is of ${fact.now === undefined ? "a type that this version does not know" : `the type ${fact.now}`}, which cannot change`,
          fact.now === undefined ? "delete the line" : `write type: ${fact.now}, or delete the line`,
        )
      : say(
          `realmctl does not create bots of the type ${fact.type}: they hold a service and its token`,
          "create the bot in Zulip's settings; realmctl then manages its name, owner and role",
        ),
  "bots/is-deactivated": ({ bot }) =>
    say(
      `the bot ${q(bot)} is deactivated, and the file does not say whether it should stay so`,
      "add deactivated: true to confirm it, or deactivated: false to reactivate it",
    ),
  "invite_links/expires-on": ({ text }) => noDay("expires_on", text, "like 2026-12-31, or never"),
  "reference/leaving-person": ({ person }) =>
    say(
      `this same file deactivates ${bare(person)}`,
      "delete the address here, or keep the account: the server rejects deactivated accounts",
    ),
  "policy/min-owners": ({ found }) =>
    say(
      `min_owners must be a whole number of at least 1, not ${foundText(found)}`,
      "write how many people must remain owners",
    ),
  "config/partial-section": ({ section }) =>
    say(
      `${section} cannot be exact: realmctl creates and removes nobody because a file does not list them`,
      `delete ${section} under manage; list the people whom the file manages, and write deactivated: true for those who leave`,
    ),
};

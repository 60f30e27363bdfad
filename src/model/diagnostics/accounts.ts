import { cases } from "../cases.ts";
import { diagnostic } from "./definition.ts";
import type { FoundValue, Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, bare, foundText, listOf, orList, q, say } from "./words.ts";

/** The number of a role that this version would have to know. */
export interface UnknownRole {
  readonly role: number;
}

const ofUnknownRole = (who: string, role: number): readonly [string, string] => [
  `${who} has role ${role}, which this version of realmctl does not know`,
  "change the account in Zulip, or use a newer version of realmctl",
];

const MAY_CHANGE_BOTS = {
  "a-person": "the server accepts this only from people who are not guests: use the key of a person",
  "owner-or-administrator": "only the owner of a bot and administrators of the organization may",
  administrator: "only administrators and owners of the organization change the role of a bot",
  "owner-of-organization": "only owners of the organization give a bot the role of an owner, or take it away",
  can_create_bots_group:
    "the account must be in can_create_bots_group of the organization, now or by this plan; no role is exempt",
  can_create_write_only_bots_group:
    "the account must be in can_create_bots_group or can_create_write_only_bots_group of the organization, now or by this plan; no role is exempt",
} as const;

/** Errors about people and bots: who may change them, and what the server would refuse. */
export const accounts = {
  "people/not-allowed": diagnostic<{ account: Person; person: Quoted; needs: "administrator" | "owner" | UnknownRole }>(
    {
      says: ({ account, person, needs }) =>
        typeof needs === "object"
          ? say(...ofUnknownRole(bare(person), needs.role))
          : say(
              `${accountThatRuns(account)} may not change ${bare(person)} like this`,
              needs === "owner"
                ? "only owners promote people to owner, and demote or deactivate owners"
                : "only administrators and owners of the organization change accounts",
            ),
      means:
        "Administrators change accounts. Only owners promote people to owner, and demote or deactivate owners. Nobody changes with realmctl an account with a role that this version does not know.",
      out: "Use the account of an administrator; where owners are concerned, of an owner. Change an account with an unknown role in Zulip, or use a newer version of realmctl.",
    },
  ),
  "people/oneself": diagnostic<{ account: Person; becomes: "deactivated" | "guest" }>({
    says: ({ account, becomes }) =>
      `${accountThatRuns(account)} would become ${becomes === "guest" ? "a guest" : "deactivated"}, and could not make the other changes`,
    help: "run this with another account, or leave this one as it is",
    means: "The account that runs realmctl would be deactivated or become a guest before it can check the result.",
    out: "Use another account for that.",
  }),
  "people/own-role-alone": diagnostic<{ account: Person; leaves_no_owner?: true }>({
    says: ({ account, leaves_no_owner }) =>
      leaves_no_owner === true
        ? say(
            `nobody would be an owner of the organization: ${accountThatRuns(account)} loses its role, too`,
            "keep an owner, or make somebody else an owner in the same file",
          )
        : say(
            `${accountThatRuns(account)} loses its role, which the other changes of this plan may need`,
            "apply the other changes first, and this one alone; or run it with another account",
          ),
    means: "The account that runs realmctl loses its role, and other changes of the plan may need it.",
    out: "Apply the other changes first, and then this one alone.",
  }),
  "people/inactive-owner": diagnostic<{ person: Quoted }>({
    says: ({ person }) =>
      `${bare(person)} is a deactivated owner, and the server refuses another role while only one owner is active`,
    help: "make somebody else an owner in the same file; or keep role: owner until the account is active, and change the role then",
    means:
      "A deactivated owner gets another role, and the organization has only one active owner. The server refuses this, although no active owner would lose the role.",
    out: "Make somebody else an owner in the same file. Or keep `role: owner`, reactivate the account, and change the role with the next plan: the account is an owner in between.",
  }),
  "people/is-bot": diagnostic<{ address: Quoted }>({
    says: ({ address }) => `${bare(address)} is the address of a bot`,
    help: "declare it under bots",
    means: "The section `people` names a bot.",
    out: "Declare the bot under `bots`.",
  }),
  "people/other-address": diagnostic<{ address: Quoted; meant: Quoted }>({
    says: ({ address, meant }) => `${bare(address)} is the API's placeholder for ${bare(meant)}`,
    help: ({ meant }) => `write ${bare(meant)}`,
    means:
      "The address is a placeholder that the API made for an account. The real address of that account is visible.",
    out: "Write the real address, so that the file has one name for each account.",
  }),
  "people/is-deactivated": diagnostic<{ address: Quoted }>({
    says: ({ address }) =>
      `the account of ${bare(address)} is deactivated, and the file does not say whether it should stay so`,
    help: "add deactivated: true to confirm it, or deactivated: false to reactivate the account",
    means:
      "The account is deactivated, and the file lists the person without saying whether it should stay deactivated. realmctl never reactivates an account on its own.",
    out: "Write `deactivated: true` to confirm it, or `deactivated: false` to reactivate the account.",
  }),
  "people/deleted": diagnostic<{ person: Quoted }>({
    says: ({ person }) => `the account of ${bare(person)} was deleted, and does not come back`,
    help: "delete deactivated: false, or invite the person again",
    means:
      "The file reactivates an account that somebody had deleted. Its profile is gone, and the person has no account any more.",
    out: "Delete `deactivated: false`, or invite the person again.",
  }),
  "people/bot-in-use": diagnostic<{ person: Quoted; bot: Quoted }>({
    says: ({ person, bot }) =>
      `this plan deactivates ${bare(person)}, and with them their bot ${q(bot)}, which the file has in use`,
    help: "give the bot another owner, or write deactivated: true",
    means: "The plan deactivates a person, and with them a bot that the file has in use.",
    out: "Give the bot another owner in the same file, or let it go with `deactivated: true`.",
  }),
  /** @property invitation an address, or the name of a link */
  "people/invitation-in-use": diagnostic<{ person: Quoted; invitation: Quoted }>({
    says: ({ person, invitation }) =>
      `this plan deactivates ${bare(person)}, and with them their invitation ${q(invitation)}, which the file keeps`,
    help: "leave this entry out until the account is deactivated; then write it again, and the plan makes a new one",
    means: "The plan deactivates a person, and with them an open invitation or an invitation link that the file keeps.",
    out: "Leave the invitation out of the file until the account is deactivated. Then add it again: the next plan creates a new one.",
  }),
  "bots/not-allowed": diagnostic<{
    account: Person;
    bot: Quoted;
    needs: keyof typeof MAY_CHANGE_BOTS | UnknownRole;
  }>({
    says: ({ account, bot, needs }) => {
      if (typeof needs === "object") return say(...ofUnknownRole(`the bot ${q(bot)}`, needs.role));
      return say(`${accountThatRuns(account)} may not do this to the bot ${q(bot)}`, MAY_CHANGE_BOTS[needs]);
    },
    means:
      "The account that runs realmctl may not create or change this bot; or the bot has a role that this version of realmctl does not know, and nobody can tell what the change would take away or give.",
    out: "Read the message: it says who may. Bots and guests may not create bots, and no role is exempt from that right.",
  }),
  "bots/oneself": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} would be deactivated, and could not make the other changes`,
    help: "run this with another account",
    means: "The plan deactivates the bot that runs it.",
    out: "Run it with another account.",
  }),
  "bots/name": diagnostic({
    says: cases("cause", {
      "no-suffix": ({ bot }: { bot: Quoted }) =>
        say(
          `there is no bot ${q(bot)}, and none can get this name: the address ends in -bot before the @`,
          `write ${bare(bot)}-bot, or correct the name`,
        ),
      characters: ({ bot }: { bot: Quoted }) => {
        const [local = "", domain] = bare(bot).split("@");
        if (domain !== undefined && /-bot$/.test(local))
          return say(
            `no bot has the address ${q(bot)}, and a new one gets its domain from the server`,
            `write the part before the @: ${local}`,
          );
        return say(
          `${q(bot)} cannot be the name of a new bot: the name becomes the first part of the bot's address`,
          "use lower-case letters, digits, hyphens, underscores and single dots, and end in -bot",
        );
      },
      taken: ({ bot }: { bot: Quoted }) =>
        say(
          `a bot is called ${q(bot)} already, and no two accounts have one address`,
          "rename that bot, too, or choose another name",
        ),
      "cannot-be-renamed": ({ needs, level, bot, was }: { bot: Quoted; was: Quoted; needs: number; level: number }) =>
        say(
          `this server cannot change the address of a bot (feature level ${needs}; this one has ${level}): ${q(bot)} is a new bot, and ${q(was)} is another one`,
          `keep the name ${bare(was)} in the file, or delete was`,
        ),
      "other-name": ({ bot, meant }: { bot: Quoted; meant: Quoted }) =>
        say(`the bot ${q(bot)} is called ${q(meant)} here`, `write ${bare(meant)}`),
      several: ({ bot, bots }: { bot: Quoted; bots: readonly Quoted[] }) =>
        say(`${q(bot)} can mean several bots: ${listOf(bots)}`, `write the whole address: ${orList(bots.map(bare))}`),
    }),
    means:
      "There is no such bot, and none can get this name; another bot has it; the bot has another name here; or several bots have this name, on different domains. As a warning: the server cannot rename bots, so that the bot of the new name is a new one.",
    out: "Bots are named by the part of their address before the @; a name that the file gives ends in `-bot`. If several bots have the same part, and none of them is on the domain of new bots, write the whole address.",
  }),
  "bots/full-name": diagnostic({
    says: cases("cause", {
      empty: say("the full name of a bot must not be empty", "write the name that people see, or delete full_name"),
      ending: say("a full name must not end in a vertical bar and digits", "write another name"),
      "too-long": ({ length, limit }: { length: number; limit: number }) =>
        say(`the full name has ${length} characters, and the server takes ${limit}`, "shorten it"),
      character: ({ character }: { character: Quoted }) =>
        say(`a full name must not contain ${q(character)}`, "write another name"),
      /** @property bot the bot that has it, if the file does not mention it: perhaps it is the one that is meant */
      taken: ({ full_name, bot }: { full_name: Quoted; bot?: Quoted }) =>
        say(
          `an active account is already called ${q(full_name)}, and no active account may have the same name as a bot`,
          bot === undefined
            ? "choose another full_name"
            : `if this is the bot ${q(bot)}, which the file does not mention, write that name; otherwise choose another full_name`,
        ),
      twice: ({ other, full_name }: { full_name: Quoted; other: Quoted }) =>
        say(
          `the bot ${q(other)} has the full name ${q(full_name)}, too: the server refuses it for a bot that is created, renamed or reactivated`,
          "choose another full_name",
        ),
    }),
    means:
      "The name that people see is empty, too long, taken, or has characters that the server refuses. As a warning: two bots of the file have the same name, which is possible only for bots that already exist.",
    out: "Choose another `full_name`; no two active accounts may share the name of a bot.",
  }),
  "bots/owner-is-bot": diagnostic<{ owner: Quoted }>({
    says: ({ owner }) => `${bare(owner)} is a bot, and bots cannot own bots`,
    help: "name a person",
    means: "Bots cannot own bots.",
    out: "Name a person.",
  }),
  "bots/type": diagnostic({
    says: cases("cause", {
      /** @property now absent for a type that this version does not know */
      "cannot-change": ({ bot, now }: { bot: Quoted; now?: Word }) =>
        say(
          `the bot ${q(bot)} is of ${now === undefined ? "a type that this version does not know" : `the type ${now}`}, which cannot change`,
          now === undefined ? "delete the line" : `write type: ${now}, or delete the line`,
        ),
      "not-made": ({ type }: { type: Word }) =>
        say(
          `realmctl does not create bots of the type ${type}: they hold a service and its token`,
          "create the bot in Zulip's settings; realmctl then manages its name, owner and role",
        ),
    }),
    means: "The type of a bot never changes, and realmctl creates only generic and incoming webhook bots.",
    out: "Write the type that the bot has, or create the bot in Zulip's settings.",
  }),
  "bots/is-deactivated": diagnostic<{ bot: Quoted }>({
    says: ({ bot }) => `the bot ${q(bot)} is deactivated, and the file does not say whether it should stay so`,
    help: "add deactivated: true to confirm it, or deactivated: false to reactivate it",
    means: "The bot is deactivated, and the file names it without saying whether it should stay deactivated.",
    out: "Write `deactivated: true` to confirm it, or `deactivated: false` to reactivate the bot; its key then works again.",
  }),
  "reference/leaving-person": diagnostic<{ person: Quoted }>({
    says: ({ person }) => `this same file deactivates ${bare(person)}`,
    help: "delete the address here, or keep the account: the server rejects deactivated accounts",
    means: "The file deactivates a person and names them elsewhere.",
    out: "Take the address out of the other places, or keep the account.",
  }),
  "policy/min-owners": diagnostic<{ found: FoundValue }>({
    says: ({ found }) => `min_owners must be a whole number of at least 1, not ${foundText(found)}`,
    help: "write how many people must remain owners",
    means: "`min_owners` of the policy is not a whole number of at least 1.",
    out: "Write how many owners must remain.",
  }),
  "config/partial-section": diagnostic<{ section: Word }>({
    says: ({ section }) =>
      `${section} cannot be exact: realmctl creates and removes nobody because a file does not list them`,
    help: ({ section }) =>
      `delete ${section} under manage; list the people whom the file manages, and write deactivated: true for those who leave`,
    means: "A file lists only some people, never all: `exact` would remove everybody who is not listed.",
    out: "Delete the entry of `manage`. To deactivate somebody, list them with `deactivated: true`.",
  }),
};

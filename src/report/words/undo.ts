import { isAccountKind } from "../../access/scope.ts";
import { bare } from "../../model/diagnostics/words.ts";
import type { FinalFact, LossFact, SideEffectFact } from "../../model/kind-facts.ts";
import { releaseWords } from "../../model/releases.ts";
import type { UndoFact } from "../../model/run-facts.ts";
import { listNames, who } from "../../model/words.ts";
import { wordsOf } from "./sentences.ts";

/** The text after the name of one object, and the text after the number of several. */
type Said = readonly [one: string, many: string];

const LOST: { readonly [lost in LossFact]: Said } = {
  link: [
    "is created again as another link, without its channels, groups and welcome text, which the API does not show; the old link stays revoked",
    "are created again as other links, without their channels, groups and welcome texts, which the API does not show; the old links stay revoked",
  ],
  invitation: [
    "is sent again as another e-mail, without its channels, groups and welcome text, which the API does not show, and for 10 days if it had an expiry date",
    "are sent again as other e-mails, without their channels, groups and welcome texts, which the API does not show, and for 10 days if they had an expiry date",
  ],
  "profile-values": [
    "is created again, with another id and without the values that people had entered",
    "are created again, with other ids and without the values that people had entered",
  ],
  "chosen-options": [
    "gets its options back without the values of people who had chosen a removed option",
    "get their options back without the values of people who had chosen a removed option",
  ],
};

const FINAL: { readonly [reason in FinalFact]: Said } = {
  "picture-of-removed": ["is not restored: its picture is not known", "are not restored: their pictures are not known"],
  "picture-replaced": [
    "keeps its new picture: the previous one is not known",
    "keep their new pictures: the previous ones are not known",
  ],
  "service-fixed": [
    "keeps the service that it has now: the server does not allow changing it",
    "keep the services that they have now: the server does not allow changing them",
  ],
};

function sideEffectText(fact: SideEffectFact): Said {
  switch (fact.effect) {
    case "restriction-lifted":
      return back("but the restriction to domains stays lifted");
    case "code-language-reset":
      return back("but code blocks stay without a default language");
    case "bot-owner-replaced":
      return [
        "stays with its new owner: the previous one is deactivated",
        "stay with their new owner: the previous one is deactivated",
      ];
    case "bot-domain-gone":
      return [
        `gets its name back, but not the address ${fact.address.quoted}: bots are on another domain now`,
        `get their names back, but not their addresses: bots are on another domain now`,
      ];
    case "lost-when-archived": {
      const settings = (it: string): string =>
        `the settings of the organization that named ${it} stay without a channel`;
      if (!fact.is_default) return [`comes back, but ${settings("it")}`, `come back, but ${settings("them")}`];
      const [one, many] = ["comes back, but not as a default channel", "come back, but not as default channels"];
      return fact.settings ? [`${one}, and ${settings("it")}`, `${many}, and ${settings("them")}`] : [one, many];
    }
    case "messages-deleted":
      return both("will keep messages as long as before, but those that the server deleted meanwhile stay deleted");
    case "ended-with-account": {
      const ended = (whose: string): string => {
        const bots = fact.bots ? [`${whose} bots stay deactivated`] : [];
        const invitations = fact.invitations ? [`${whose} invitations and links stay revoked`] : [];
        return [...bots, ...invitations].join(", and ");
      };
      return [`comes back, but ${ended("its")}`, `come back, but ${ended("their")}`];
    }
  }
}

const both = (text: string): Said => [text, text];
const back = (rest: string): Said => [`comes back, ${rest}`, `come back, ${rest}`];
/** A field whose previous value is not restored. */
const stays = (field: string, why: string): Said => [`${field} stays: ${why}`, `keep their ${field}: ${why}`];

/** Why an undo leaves an object as it is: a sentence that follows the object's name, or the number of objects. */
export function undoText(fact: UndoFact, number: "one" | "many" = "one"): string {
  const [one, many] = said(fact);
  return number === "one" ? one : many;
}

function said(fact: UndoFact): Said {
  switch (fact.why) {
    case "not-found":
      return [
        "was not found under this name: somebody renamed or deleted it since",
        "were not found under these names: somebody renamed or deleted them since",
      ];
    case "deleted":
      return ["was deleted since: it cannot be restored", "were deleted since: they cannot be restored"];
    case "alike":
      return ["is not created again: another one like it exists", "are not created again: others like them exist"];
    case "order-changed":
      return both("the order stays: it was changed again since");
    case "made-inactive":
      return fact.as === undefined
        ? [
            `cannot be deleted. It is ${fact.field} instead and keeps its name`,
            `cannot be deleted. They are ${fact.field} instead and keep their names`,
          ]
        : both(
            `cannot be deleted. It is ${fact.field} instead, as ${fact.as.quoted}, because another object gets its name back`,
          );
    case "created-again":
      return fact.lost === undefined
        ? ["is created again, with another id", "are created again, with other ids"]
        : LOST[fact.lost];
    case "side-effect-stays":
      return sideEffectText(fact.effect);
    case "not-reversible":
      return FINAL[fact.reason];
    case "server-too-old": {
      const needs = `needs ${releaseWords(fact.needs)}, and this server has level ${fact.level}`;
      return [`stays ${fact.field}: reactivating it ${needs}`, `stay ${fact.field}: reactivating them ${needs}`];
    }
    case "readers-stay":
    case "right-stays":
    case "key-seen":
      return stayText(fact);
    case "needed": {
      const by = (wordsOf(fact.by).footnotes ?? []).join("; ");
      return [`stays: something that stays needs it (${by})`, `stay: something that stays needs them (${by})`];
    }
    case "refused": {
      const { message } = wordsOf(fact.by);
      return fact.field === undefined
        ? [`stays as it is: ${message}`, `stay as they are: ${message}`]
        : stays(fact.field, message);
    }
    default:
      return ofField(fact);
  }
}

/** People keep what the run gave them. */
function stayText(fact: Extract<UndoFact, { readonly why: "readers-stay" | "right-stays" | "key-seen" }>): Said {
  switch (fact.why) {
    case "readers-stay": {
      const since = `who came in since the run and would still read it: ${listNames(fact.accounts.map(who), 5)}. Unsubscribe by hand whoever must not`;
      return [`keeps subscribers ${since}`, `keep subscribers ${since}`];
    }
    case "right-stays": {
      const people = fact.accounts.map(({ person, groups }) =>
        groups.length === 0 ? who(person) : `${who(person)} (by ${groups.map(bare).join(", ")})`,
      );
      const [done, verb] = fact.right === "read" ? ["open to", "read"] : ["administered by", "administer"];
      const since = `people who could not ${verb} it before the run: ${listNames(people, 5)}. Take out of the group or the permission, by hand, whoever must not`;
      return [`is still ${done} ${since}`, `are still ${done} ${since}`];
    }
    case "key-seen": {
      const seen = (its: string, it: string): string =>
        `${who(fact.account)} has seen ${its}, and can use ${it} until there is a new one (Settings > Bots)`;
      return [
        `gets its owner back, but ${seen("its key", "it")}`,
        `get their owners back, but ${seen("their keys", "each")}`,
      ];
    }
  }
}

type OfField = Exclude<
  Extract<UndoFact, { readonly field: string }>,
  { readonly why: "made-inactive" | "server-too-old" | "refused" }
>;

function ofField(fact: OfField): Said {
  switch (fact.why) {
    case "created-and-changed":
      return [
        `stays: its ${fact.field} was changed since it was created`,
        `stay: their ${fact.field} was changed since they were created`,
      ];
    case "changed":
      return stays(fact.field, "it was changed again since");
    case "cannot-be-set":
      return stays(fact.field, "the API cannot set the previous value, or this version does not know it");
    case "account-inactive": {
      const who = `${fact.people.map(({ quoted }) => quoted).join(", ")}, deactivated by now`;
      return fact.kept
        ? [`${fact.field} comes back without ${who}`, `get their ${fact.field} back without ${who}`]
        : stays(fact.field, `it was ${who}`);
    }
    case "name-missing":
      return isAccountKind(fact.name.of ?? "")
        ? stays(fact.field, `this account sees nobody with the address ${JSON.stringify(fact.name.quoted)}`)
        : stays(fact.field, `it was ${JSON.stringify(fact.name.quoted)}, and nothing has this name now`);
  }
}

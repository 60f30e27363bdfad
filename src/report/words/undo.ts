import { isAccountKind } from "../../access/scope.ts";
import { cases } from "../../model/cases.ts";
import { bare } from "../../model/diagnostics/words.ts";
import type { FinalFact, LossFact, SideEffectFact } from "../../model/kind-facts.ts";
import { releaseWords } from "../../model/releases.ts";
import type { UndoFact } from "../../model/run-facts.ts";
import { listNames, who } from "../../model/words.ts";
import { wordsOf } from "./sentences.ts";

/** The text after the name of one object, and the text after the number of several. */
type Said = readonly [one: string, many: string];

const both = (text: string): Said => [text, text];
const back = (rest: string): Said => [`comes back, ${rest}`, `come back, ${rest}`];
/** A field whose previous value is not restored. */
const stays = (field: string, why: string): Said => [`${field} stays: ${why}`, `keep their ${field}: ${why}`];

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

const sideEffectText = cases<SideEffectFact, "effect", Said>("effect", {
  "restriction-lifted": back("but the restriction to domains stays lifted"),
  "code-language-reset": back("but code blocks stay without a default language"),
  "bot-owner-replaced": [
    "stays with its new owner: the previous one is deactivated",
    "stay with their new owner: the previous one is deactivated",
  ],
  "bot-domain-gone": ({ address }) => [
    `gets its name back, but not the address ${address.quoted}: bots are on another domain now`,
    `get their names back, but not their addresses: bots are on another domain now`,
  ],
  "lost-when-archived": (fact) => {
    const settings = (it: string): string => `the settings of the organization that named ${it} stay without a channel`;
    if (!fact.is_default) return [`comes back, but ${settings("it")}`, `come back, but ${settings("them")}`];
    const [one, many] = ["comes back, but not as a default channel", "come back, but not as default channels"];
    return fact.settings ? [`${one}, and ${settings("it")}`, `${many}, and ${settings("them")}`] : [one, many];
  },
  "messages-deleted": both(
    "will keep messages as long as before, but those that the server deleted meanwhile stay deleted",
  ),
  "ended-with-account": (fact) => {
    const ended = (whose: string): string => {
      const bots = fact.bots ? [`${whose} bots stay deactivated`] : [];
      const invitations = fact.invitations ? [`${whose} invitations and links stay revoked`] : [];
      return [...bots, ...invitations].join(", and ");
    };
    return [`comes back, but ${ended("its")}`, `come back, but ${ended("their")}`];
  },
});

/** Why an undo leaves an object as it is: a sentence that follows the object's name, or the number of objects. */
export function undoText(fact: UndoFact, number: "one" | "many" = "one"): string {
  const [one, many] = said(fact);
  return number === "one" ? one : many;
}

const said = cases<UndoFact, "why", Said>("why", {
  "not-found": [
    "was not found under this name: somebody renamed or deleted it since",
    "were not found under these names: somebody renamed or deleted them since",
  ],
  deleted: ["was deleted since: it cannot be restored", "were deleted since: they cannot be restored"],
  alike: ["is not created again: another one like it exists", "are not created again: others like them exist"],
  "order-changed": both("the order stays: it was changed again since"),
  "made-inactive": ({ as, field }) =>
    as === undefined
      ? [
          `cannot be deleted. It is ${field} instead and keeps its name`,
          `cannot be deleted. They are ${field} instead and keep their names`,
        ]
      : both(`cannot be deleted. It is ${field} instead, as ${as.quoted}, because another object gets its name back`),
  "created-again": ({ lost }) =>
    lost === undefined ? ["is created again, with another id", "are created again, with other ids"] : LOST[lost],
  "side-effect-stays": ({ effect }) => sideEffectText(effect),
  "not-reversible": ({ reason }) => FINAL[reason],
  "server-too-old": (fact) => {
    const needs = `needs ${releaseWords(fact.needs)}, and this server has level ${fact.level}`;
    return [`stays ${fact.field}: reactivating it ${needs}`, `stay ${fact.field}: reactivating them ${needs}`];
  },
  needed: (fact) => {
    const by = (wordsOf(fact.by).footnotes ?? []).join("; ");
    return [`stays: something that stays needs it (${by})`, `stay: something that stays needs them (${by})`];
  },
  refused: ({ by, field }) => {
    const { message } = wordsOf(by);
    return field === undefined ? [`stays as it is: ${message}`, `stay as they are: ${message}`] : stays(field, message);
  },
  // People keep what the run gave them.
  "readers-stay": ({ accounts }) => {
    const since = `who came in since the run and would still read it: ${listNames(accounts.map(who), 5)}. Unsubscribe by hand whoever must not`;
    return [`keeps subscribers ${since}`, `keep subscribers ${since}`];
  },
  "right-stays": ({ accounts, right }) => {
    const people = accounts.map(({ person, groups }) =>
      groups.length === 0 ? who(person) : `${who(person)} (by ${groups.map(bare).join(", ")})`,
    );
    const [done, verb] = right === "read" ? ["open to", "read"] : ["administered by", "administer"];
    const since = `people who could not ${verb} it before the run: ${listNames(people, 5)}. Take out of the group or the permission, by hand, whoever must not`;
    return [`is still ${done} ${since}`, `are still ${done} ${since}`];
  },
  "key-seen": ({ account }) => {
    const seen = (its: string, it: string): string =>
      `${who(account)} has seen ${its}, and can use ${it} until there is a new one (Settings > Bots)`;
    return [
      `gets its owner back, but ${seen("its key", "it")}`,
      `get their owners back, but ${seen("their keys", "each")}`,
    ];
  },
  "created-and-changed": ({ field }) => [
    `stays: its ${field} was changed since it was created`,
    `stay: their ${field} was changed since they were created`,
  ],
  changed: ({ field }) => stays(field, "it was changed again since"),
  "cannot-be-set": ({ field }) =>
    stays(field, "the API cannot set the previous value, or this version does not know it"),
  "account-inactive": ({ people, kept, field }) => {
    const who = `${people.map(({ quoted }) => quoted).join(", ")}, deactivated by now`;
    return kept
      ? [`${field} comes back without ${who}`, `get their ${field} back without ${who}`]
      : stays(field, `it was ${who}`);
  },
  "name-missing": ({ name, field }) =>
    isAccountKind(name.of ?? "")
      ? stays(field, `this account sees nobody with the address ${JSON.stringify(name.quoted)}`)
      : stays(field, `it was ${JSON.stringify(name.quoted)}, and nothing has this name now`),
});

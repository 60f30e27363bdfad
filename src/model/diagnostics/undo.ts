import { cases, type FactIn } from "../cases.ts";
import type { Quoted, Word } from "./values.ts";

/** The text after the name of one object, and the text after the number of several. */
export type Said = readonly [one: Word, many: Word];

export const both = (text: string): Said => [text, text];
const said = (one: string, many: string): Said => [one, many];
const back = (rest: string, many = rest): Said => [`comes back, ${rest}`, `come back, ${many}`];

/** What an undo does not restore for an object or a value that it creates again. */
export const LOST = {
  /** The values of an invitation link, which no reading shows, and the link itself. */
  link: [
    "is created again as another link, without its channels, groups and welcome text, which the API does not show; the old link stays revoked",
    "are created again as other links, without their channels, groups and welcome texts, which the API does not show; the old links stay revoked",
  ],
  /** The values of an invitation, which no reading shows; it is sent again. */
  invitation: [
    "is sent again as another e-mail, without its channels, groups and welcome text, which the API does not show, and for 10 days if it had an expiry date",
    "are sent again as other e-mails, without their channels, groups and welcome texts, which the API does not show, and for 10 days if they had an expiry date",
  ],
  /** The id of a profile field, and what people filled in. */
  "profile-values": [
    "is created again, with another id and without the values that people had entered",
    "are created again, with other ids and without the values that people had entered",
  ],
  /** What people chose from options that were removed. */
  "chosen-options": [
    "gets its options back without the values of people who had chosen a removed option",
    "get their options back without the values of people who had chosen a removed option",
  ],
} as const satisfies { readonly [lost: string]: Said };
export type LossFact = keyof typeof LOST;

/** Why a change cannot be undone at all. */
export const FINAL = {
  "picture-of-removed": ["is not restored: its picture is not known", "are not restored: their pictures are not known"],
  "picture-replaced": [
    "keeps its new picture: the previous one is not known",
    "keep their new pictures: the previous ones are not known",
  ],
  "service-fixed": [
    "keeps the service that it has now: the server does not allow changing it",
    "keep the services that they have now: the server does not allow changing them",
  ],
} as const satisfies { readonly [reason: string]: Said };
export type FinalFact = keyof typeof FINAL;

/** Side effects of a change, which an undo does not take back. */
export const sideEffectText = cases("effect", {
  "restriction-lifted": back("but the restriction to domains stays lifted"),
  "code-language-reset": back("but code blocks stay without a default language"),
  "bot-owner-replaced": said(
    "stays with its new owner: the previous one is deactivated",
    "stay with their new owner: the previous one is deactivated",
  ),
  /** The address before is on a domain on which the server makes no bots any more. */
  "bot-domain-gone": ({ address }: { address: Quoted }) =>
    said(
      `gets its name back, but not the address ${address.quoted}: bots are on another domain now`,
      "get their names back, but not their addresses: bots are on another domain now",
    ),
  /** What a channel lost when it was archived. */
  "lost-when-archived": (fact: { settings: boolean; is_default: boolean }) => {
    const settings = (it: string): string => `the settings of the organization that named ${it} stay without a channel`;
    if (!fact.is_default) return back(`but ${settings("it")}`, `but ${settings("them")}`);
    const [one, many] = ["comes back, but not as a default channel", "come back, but not as default channels"];
    return fact.settings ? said(`${one}, and ${settings("it")}`, `${many}, and ${settings("them")}`) : said(one, many);
  },
  /** A shorter retention deleted messages, if the server has applied it in the meantime. */
  "messages-deleted": both(
    "will keep messages as long as before, but those that the server deleted meanwhile stay deleted",
  ),
  /** Bots or invitations ended with an account. If it is unknown whether there were any, the value is true. */
  "ended-with-account": (fact: { bots: boolean; invitations: boolean }) => {
    const ended = (whose: string): string => {
      const bots = fact.bots ? [`${whose} bots stay deactivated`] : [];
      const invitations = fact.invitations ? [`${whose} invitations and links stay revoked`] : [];
      return [...bots, ...invitations].join(", and ");
    };
    return back(`but ${ended("its")}`, `but ${ended("their")}`);
  },
});
export type SideEffectFact = FactIn<typeof sideEffectText>;

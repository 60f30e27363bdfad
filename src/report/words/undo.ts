import type { FinalFact, LossFact, SideEffectFact } from "../../model/kind-facts.ts";
import { releaseOf } from "../../model/releases.ts";
import type { UndoFact } from "../../model/run-facts.ts";
import { wordsOf } from "./diagnostics.ts";

const LOST: { readonly [lost in LossFact]: string } = {
  link: "is created again as another link, without its channels, groups and welcome text, which the API does not show; the old link stays revoked",
  invitation:
    "is sent again as another e-mail, without its channels, groups and welcome text, which the API does not show, and for 10 days if it was to expire",
  "profile-values": "is created again, with another id and without the values that people had entered",
  "chosen-options": "gets its options back without the values of people who had chosen a removed option",
};

const FINAL: { readonly [reason in FinalFact]: string } = {
  "picture-of-removed": "is not brought back: its picture is not known",
  "picture-replaced": "keeps its new picture: the previous one is not known",
  "service-fixed": "keeps the service that it has now: the server does not allow changing it",
};

function sideEffectText(fact: SideEffectFact): string {
  switch (fact.effect) {
    case "restriction-lifted":
      return "comes back, but the restriction to domains stays lifted";
    case "code-language-reset":
      return "comes back, but code blocks stay without a default language";
    case "bot-owner-replaced":
      return "stays with its new owner: the previous one is deactivated";
    case "settings-cleared":
      return "comes back, but the settings of the organization that named it stay without a channel";
    case "ended-with-account": {
      const bots = fact.bots ? ["its bots stay deactivated"] : [];
      const invitations = fact.invitations ? ["its invitations and links stay revoked"] : [];
      return `comes back, but ${[...bots, ...invitations].join(", and ")}`;
    }
  }
}

/** Why an undo leaves an object as it is: a sentence that follows the object's name. */
export function undoText(fact: UndoFact): string {
  switch (fact.why) {
    case "not-found":
      return "was not found under this name: somebody renamed or deleted it since";
    case "deleted":
      return "was deleted since: nothing of it can be restored";
    case "alike":
      return "is not made again: another one like it is there";
    case "order-changed":
      return "the order stays: it was changed again since";
    case "created-and-changed":
      return `stays: its ${fact.field} was changed since it was created`;
    case "changed":
      return `${fact.field} stays: it was changed again since`;
    case "cannot-be-set":
      return `${fact.field} stays: the API cannot set the previous value`;
    case "made-inactive":
      return fact.as === undefined
        ? `cannot be deleted: it is ${fact.field} instead, and keeps its name`
        : `cannot be deleted: it is ${fact.field} instead, as ${fact.as.quoted}, because another object gets its name back`;
    case "created-again":
      return fact.lost === undefined ? "is created again, with another id" : LOST[fact.lost];
    case "side-effect-stays":
      return sideEffectText(fact.effect);
    case "account-inactive": {
      const who = `${fact.people.map(({ quoted }) => quoted).join(", ")}, deactivated by now`;
      return fact.kept ? `${fact.field} comes back without ${who}` : `${fact.field} stays: it was ${who}`;
    }
    case "gone-for-good":
      return FINAL[fact.reason];
    case "server-too-old":
      return `stays ${fact.field}: reactivating it needs ${releaseOf(fact.needs)}, and this server has level ${fact.level}`;
    case "name-missing":
      return `${fact.field} stays: it was ${JSON.stringify(fact.name.quoted)}, and nothing has this name any more`;
    case "needed":
      return `stays: something that stays needs it (${(wordsOf(fact.by).footnotes ?? []).join("; ")})`;
  }
}

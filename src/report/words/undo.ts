import { releaseOf } from "../../model/releases.ts";
import type { UndoFact } from "../../model/run-facts.ts";
import { wordsOf } from "./diagnostics.ts";

/** Why an undo leaves an object as it is: a sentence that follows the object's name. */
export function undoText(fact: UndoFact): string {
  switch (fact.why) {
    case "not-found":
      return "was not found under this name: somebody renamed or deleted it since";
    case "deleted":
      return "was deleted since: nothing of it can be restored";
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
      return fact.lost ?? "is created again, with another id";
    case "side-effect-stays":
      return fact.reason;
    case "account-inactive": {
      const who = `${fact.people.map(({ quoted }) => quoted).join(", ")}, deactivated by now`;
      return fact.kept ? `${fact.field} comes back without ${who}` : `${fact.field} stays: it was ${who}`;
    }
    case "gone-for-good":
      return fact.reason;
    case "server-too-old":
      return `stays ${fact.field}: reactivating it needs ${releaseOf(fact.needs)}, and this server has level ${fact.level}`;
    case "name-missing":
      return `${fact.field} stays: it was ${JSON.stringify(fact.name.quoted)}, and nothing has this name any more`;
    case "needed":
      return `stays: something that stays needs it (${(wordsOf(fact.by).footnotes ?? []).join("; ")})`;
  }
}

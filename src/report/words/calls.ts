import { noAnswerText, ownRefusalText, unclearAnswerText } from "../../model/diagnostics/no-answer.ts";
import type { MayBeRefused } from "../../model/rehearsal.ts";
import type { CallFact } from "../../model/run-facts.ts";

/** The text below the state of a call. */
export function callText(fact: CallFact): string {
  switch (fact.kind) {
    case "done-by-earlier-run":
      return "done by the run that this one continues";
    case "left-to-another-run":
      return "another run is sending the same changes now, and would send this one too: apply again after it has ended";
    case "too-late":
      return "its last day has passed: plan again";
    case "object-not-found":
      return "an object that it needs was not found after it was created";
    case "stopped-before-answer":
      return "stopped before its answer came; the next apply reads the organization and continues";
    case "already-so":
      return "the organization already had this value";
    case "changed":
      return `changed since the plan was made: ${fact.changed.map(({ object, field }) => `${object.name} ${field}`).join(", ")}`;
    case "not-sent":
      return noAnswerText(fact.reason);
    case "no-answer":
      return unclearAnswerText(fact.reason);
    case "refused-here":
      return ownRefusalText(fact.refusal);
    case "answer-lost":
      return `its answer was lost (${unclearAnswerText(fact.reason)}); the organization shows that it was carried out`;
    case "ignored":
      return `the server ignored ${fact.parameters.join(", ")}`;
    case "refused": {
      const parts = fact.parts.map(({ address, reason }) => `${address.quoted}: ${reason.quoted}`);
      return parts.length === 0 ? fact.message.quoted : `${fact.message.quoted} ${parts.join("; ")}`;
    }
    case "needs":
      return `needs call #${fact.call}, which was not done`;
  }
}

const FORETOLD = {
  "unseen-names":
    "a channel that this account does not see may have the name: choose another one, or ask an administrator",
  topics:
    "messages of this channel have topics: take topics_policy out, or move these messages to the empty topic first",
} as const satisfies Record<MayBeRefused["why"], string>;

/** The text below a refusal that the plan warned of. */
export const foretoldText = (why: MayBeRefused["why"]): string => FORETOLD[why];

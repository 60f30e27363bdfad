import { cases } from "../../model/cases.ts";
import { noAnswerText, ownRefusalText, unclearAnswerText } from "../../model/diagnostics/no-answer.ts";
import type { MayBeRefused } from "../../model/rehearsal.ts";
import type { CallFact } from "../../model/run-facts.ts";

/** The text below the state of a call. */
export const callText = cases<CallFact, "kind">("kind", {
  "done-by-earlier-run": "done by the run that this one continues",
  "left-to-another-run":
    "another run is sending the same changes now, and would send this one too: apply again after it has ended",
  "too-late": "its last day has passed: plan again",
  "object-not-found": "an object that it needs was not found after it was created",
  "stopped-before-answer": "stopped before its answer came; the next apply reads the organization and continues",
  "already-so": "the organization already had this value",
  changed: ({ changed }) =>
    `changed since the plan was made: ${changed.map(({ object, field }) => `${object.name} ${field}`).join(", ")}`,
  "not-sent": ({ reason }) => noAnswerText(reason),
  "no-answer": ({ reason }) => unclearAnswerText(reason),
  "refused-here": ({ refusal }) => ownRefusalText(refusal),
  "answer-lost": ({ reason }) =>
    `its answer was lost (${unclearAnswerText(reason)}); the organization shows that it was carried out`,
  ignored: ({ parameters }) => `the server ignored ${parameters.join(", ")}`,
  refused: (fact) => {
    const parts = fact.parts.map(({ address, reason }) => `${address.quoted}: ${reason.quoted}`);
    return parts.length === 0 ? fact.message.quoted : `${fact.message.quoted} ${parts.join("; ")}`;
  },
  needs: ({ call }) => `needs call #${call}, which was not done`,
});

const FORETOLD = {
  "unseen-names":
    "a channel that this account does not see may have the name: choose another one, or ask an administrator",
  topics:
    "messages of this channel have topics: take topics_policy out, or move these messages to the empty topic first",
} as const satisfies Record<MayBeRefused["why"], string>;

/** The text below a refusal that the plan warned of. */
export const foretoldText = (why: MayBeRefused["why"]): string => FORETOLD[why];

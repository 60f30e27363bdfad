import { cases, type FactIn } from "../cases.ts";
import {
  type NoAnswer,
  noAnswerText,
  type OwnRefusal,
  ownRefusalText,
  type UnclearAnswer,
  unclearAnswerText,
} from "./no-answer.ts";
import type { Named, Quoted, Word } from "./values.ts";

/** What is to say about a call besides its state: the text below it. */
export const callText = cases("kind", {
  "done-by-earlier-run": "done by the run that this one continues",
  "left-to-another-run":
    "another run is sending the same changes now, and would send this one too: apply again after it has ended",
  "too-late": "its last day has passed: plan again",
  "object-not-found": "an object that it needs was not found after it was created",
  "stopped-before-answer": "stopped before its answer came; the next apply reads the organization and continues",
  "already-so": "the organization already had this value",
  /** Somebody else changed values that the call relies on. */
  changed: ({ changed }: { changed: readonly { readonly object: Named; readonly field: Word }[] }) =>
    `changed since the plan was made: ${changed.map(({ object, field }) => `${object.name} ${field}`).join(", ")}`,
  "not-sent": ({ reason }: { reason: NoAnswer }) => noAnswerText(reason),
  "no-answer": ({ reason }: { reason: UnclearAnswer }) => unclearAnswerText(reason),
  "refused-here": ({ refusal }: { refusal: OwnRefusal }) => ownRefusalText(refusal),
  "answer-lost": ({ reason }: { reason: UnclearAnswer }) =>
    `its answer was lost (${unclearAnswerText(reason)}); the organization shows that it was carried out`,
  ignored: ({ parameters }: { parameters: readonly Word[] }) => `the server ignored ${parameters.join(", ")}`,
  refused: (fact: { message: Quoted; parts: readonly { readonly address: Quoted; readonly reason: Quoted }[] }) => {
    const parts = fact.parts.map(({ address, reason }) => `${address.quoted}: ${reason.quoted}`);
    return parts.length === 0 ? fact.message.quoted : `${fact.message.quoted} ${parts.join("; ")}`;
  },
  needs: ({ call }: { call: number }) => `needs call #${call}, which was not done`,
});
export type CallFact = FactIn<typeof callText>;

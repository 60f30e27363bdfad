import { cases } from "../../model/cases.ts";
import { clean } from "../../model/clean.ts";
import { count } from "../../model/words.ts";

/** The question before an apply. @param risks how many lines of the plan are marked */
export function applyQuestion(name: string, changes: number, risks: number): string {
  const what = `Apply ${changes === 1 ? "this change" : `these ${changes} changes`} to ${name}?`;
  return risks === 0
    ? `${what} Type yes to apply, anything else to cancel`
    : `${what} ${marked(risks)}. To apply, type the organization's address (${name})`;
}

const marked = (risks: number): string => `${count(risks, "line is", "lines are")} marked with !`;

/** The address that {@link applyQuestion} asks for; undefined: it asks for a yes. */
export const nameAskedFor = (question: string): string | undefined =>
  /type the organization's address \((.+)\)$/.exec(question)?.[1];

/** Why an answer does not start the apply. */
type NotApplied =
  | { readonly why: "nobody-answered" | "empty" | "not-yes" }
  | {
      readonly why: "other-name";
      readonly given: string;
      readonly name: string;
      readonly isYes: boolean;
      readonly risks: number;
    };

/** The following text says that nothing was sent. */
export const notApplied = (fact: NotApplied): string => `Not applied: ${reasonText(fact)}.\n`;

const reasonText = cases<NotApplied, "why">("why", {
  "nobody-answered": "nobody answered",
  empty: "the answer was empty",
  "not-yes": "the answer was not yes",
  "other-name": ({ isYes, risks, given, name }) => {
    const hint = isYes ? `, since ${marked(risks)}` : "";
    return `the answer was ${JSON.stringify(clean(given))}, not ${name}${hint}`;
  },
});

import { defined } from "./defined.ts";
import type { Named } from "./fact-forms.ts";

// Types alone: a plan needs none of the forms. Only saved plans are checked with them, and they take milliseconds to make.
export type { GuardAbout, GuardFact, Named, RiskFact, RoleWord } from "./fact-forms.ts";

/** The object of a change, as sentences call it. */
export function namedOf({ address, name, was }: Named): Named {
  return { address, name, ...defined({ was }) };
}

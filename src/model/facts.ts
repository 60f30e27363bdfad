import { defined } from "./defined.ts";
import type { Named } from "./fact-forms.ts";

// Only types: a plan needs none of the schemas. Only saved plans are checked with them, and creating them takes milliseconds.
export type { GuardAbout, GuardFact, Named, RiskFact } from "./fact-forms.ts";

/** The object of a change, as sentences name it. */
export function namedOf({ address, name, was }: Named): Named {
  return { address, name, ...defined({ was }) };
}

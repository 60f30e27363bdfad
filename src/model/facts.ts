import { defined } from "./defined.ts";
import type { Named } from "./fact-forms.ts";

// Only types are imported: creating the schemas takes milliseconds, and only saved plans are checked with them.
export type { GuardAbout, GuardFact, Named, RiskFact } from "./fact-forms.ts";

/** The object of a change, in the form that sentences use. */
export function namedOf({ address, name, was }: Named): Named {
  return { address, name, ...defined({ was }) };
}

import type { Person, Quoted } from "./values.ts";

export interface DomainFacts {
  readonly "domains/not-allowed": { readonly account: Person };
  readonly "domains/last-domain": { readonly domain: Quoted };
  readonly "domains/lift-restriction": Record<never, never>;
  readonly "domains/name": DomainFlaw;
}

/** Why the server does not accept a domain. */
export type DomainFlaw =
  | { readonly flaw: "empty" }
  | { readonly flaw: "wildcard"; readonly rest: Quoted }
  | { readonly flaw: "address"; readonly domain: Quoted; readonly rest: Quoted }
  | { readonly flaw: "not-ascii"; readonly domain: Quoted; readonly ascii?: Quoted }
  | { readonly flaw: "no-dot" | "outer-dot" | "two-dots"; readonly domain: Quoted }
  | { readonly flaw: "too-long"; readonly length: number; readonly limit: number }
  | { readonly flaw: "hyphen"; readonly domain: Quoted; readonly label: Quoted }
  | { readonly flaw: "character"; readonly domain: Quoted; readonly character: Quoted };

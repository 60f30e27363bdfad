import type { Person, Quoted } from "./values.ts";

export interface DomainFacts {
  readonly "domains/not-allowed": { readonly account: Person };
  readonly "domains/last-domain": { readonly domain: Quoted };
  readonly "domains/lift-restriction": Record<never, never>;
  readonly "domains/name": DomainCause;
}

/** Why the server does not accept a domain. */
export type DomainCause =
  | { readonly cause: "empty" }
  | { readonly cause: "wildcard"; readonly rest: Quoted }
  | { readonly cause: "address"; readonly domain: Quoted; readonly rest: Quoted }
  | { readonly cause: "not-ascii"; readonly domain: Quoted; readonly ascii?: Quoted }
  | { readonly cause: "no-dot" | "outer-dot" | "two-dots"; readonly domain: Quoted }
  | { readonly cause: "too-long"; readonly length: number; readonly limit: number }
  | { readonly cause: "hyphen"; readonly domain: Quoted; readonly label: Quoted }
  | { readonly cause: "character"; readonly domain: Quoted; readonly character: Quoted };

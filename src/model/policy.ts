import type { Counted } from "./counted.ts";
import type { Span } from "./diagnostic.ts";

/** How many are let through, and where that is written; default limits stand nowhere. */
export interface Limit {
  readonly most: number;
  readonly at?: Span;
}

/** Guard rails as somebody wrote them (docs/policy.md). Limits are named `removals`, `emails_percent`, `channels.removals`, … */
export interface GuardPolicy {
  readonly limits: { readonly [name: string]: Limit };
  /** `channel:security-*`: live objects with such a name are left as they are. */
  readonly protect: readonly { readonly pattern: string; readonly at?: Span }[];
  /** `allow` lets plans through that take away from people, or from this account, what they need to undo them. */
  readonly lockout?: "refuse" | "allow";
  /** Where `lockout` is written. */
  readonly lockoutAt?: Span;
  /** How many owners have to be left; {@link LEAST_OWNERS} where it is not written. */
  readonly minOwners?: { readonly least: number; readonly at?: Span };
}

/** An organization without an owner can be given one only by whoever runs the server. */
export const LEAST_OWNERS = 1;

/** What holds where a policy says nothing. */
export const DEFAULT_LIMITS: { readonly [name: string]: Limit } = {
  removals: { most: 10 },
  demotions: { most: 10 },
  people_losing_access: { most: 50 },
  emails: { most: 50 },
};

/** What somebody has to be asked about as soon as there is one of it, unless a policy writes how much of it needs no question. */
export const ASKED: ReadonlySet<string> = new Set<Counted>(["people_gaining_access", "opened", "messages_deleted"]);

/** `policy:` of a file: guard rails, or the name of a file that holds them, seen from the file that names it. */
export type PolicyEntry = { readonly file: string; readonly at?: Span } | GuardPolicy;

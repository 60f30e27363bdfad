import { COUNTING } from "./counted.ts";
import type { Span } from "./diagnostic.ts";

/** The allowed number, and where it is written; default limits have no place. */
export interface Limit {
  readonly most: number;
  readonly at?: Span;
}

/** Fields that `sync` keeps as the file has them: `channels.team-*.subscribers`. */
export interface SyncPart {
  readonly pattern: string;
  readonly section: string;
  /** Of the names of objects; `*` and `?` stand for other characters. */
  readonly name: string;
  readonly field: string;
  readonly at?: Span;
}

/** Guard rails as somebody wrote them (docs/policy.md). Limits are named `removals`, `emails_percent`, `channels.removals`, … */
export interface GuardPolicy {
  readonly limits: { readonly [name: string]: Limit };
  /** `channel:security-*`: live objects with such a name must not change. */
  readonly protect: readonly { readonly pattern: string; readonly at?: Span }[];
  /** `allow` permits plans that take away access, or rights that this account needs to undo them. */
  readonly lockout?: "refuse" | "allow";
  /** Where `lockout` is written. */
  readonly lockoutAt?: Span;
  /** The lists that `sync` keeps; a policy without it leaves that to the others. */
  readonly sync?: readonly SyncPart[];
  /** How many owners must be left; {@link LEAST_OWNERS} if it is not written. */
  readonly minOwners?: { readonly least: number; readonly at?: Span };
}

/** If an organization has no owner, only the administrator of the server can appoint one. */
export const LEAST_OWNERS = 1;

export const DEFAULT_LIMITS: { readonly [name: string]: Limit } = Object.fromEntries(
  Object.entries(COUNTING).flatMap(([name, { most }]) => (most === undefined ? [] : [[name, { most }]])),
);

/** `policy:` of a file: guard rails, or the name of a file with them, relative to the file that names it. */
export type PolicyEntry = { readonly file: string; readonly at?: Span } | GuardPolicy;

/** A pattern of `protect` that matched an object by its old name, and does not match its new one. */
export interface LostProtection {
  readonly pattern: string;
  readonly name: string;
  readonly to: string;
  /** The policy file that has the pattern; absent: the file of the organization. */
  readonly file?: string;
}

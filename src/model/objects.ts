import type { Span } from "./diagnostic.ts";
import type { Json } from "./json.ts";
import type { Address, Change } from "./plan.ts";
import type { FieldSpans } from "./span.ts";

/*
 * One object on its two sides: on the server (live) and in the file (declared). The planner pairs the two by id, `was` and key, and compares their
 * fields, which have the same form on both sides.
 */

export type Policy = "ignore" | "additive" | "exact";

/** An object the server has, its fields in canonical form (names, words, sorted sets: as the file would write them). */
export interface LiveObject {
  /** The identity of a declared and a live item: the name as the server compares it. */
  readonly key: string;
  /** As the server shows it. */
  readonly name: string;
  /** null for objects that have none (domains, navigation views, default channels). */
  readonly id: number | null;
  readonly fields: { readonly [field: string]: Json };
  /** Archived or deactivated: still has its name, and may be missing in the file. */
  readonly inactive: boolean;
}

/** An item of the file, decoded and resolved: canonical fields, each with its place. A field left out is not in `fields`. */
export interface DeclaredObject {
  readonly key: string;
  readonly name: string;
  /** `was:` the name to rename from. */
  readonly was?: string;
  /** `id:` pins the object. */
  readonly id?: number;
  /** `absent: true` (a channel: `archived: true`): to be removed under any policy. */
  readonly absent: boolean;
  /** Nothing is left to do for it, though nobody removed it (an invitation of somebody who has joined). */
  readonly settled?: boolean;
  readonly fields: { readonly [field: string]: Json };
  /** Fields that matter only at creation (subscribers of a new channel, …), never compared. */
  readonly creation?: { readonly [field: string]: Json };
  readonly at: Span;
  readonly spans: FieldSpans;
  /** Those of `fields` that the file leaves out: they get the server's default for a new object (`unset: default`). */
  readonly unset?: readonly string[];
  /** Those of `fields` that the file leaves out and the server sets to the account that creates the object. */
  readonly implied?: readonly string[];
}

/** A declared object and its live object, or one of them alone. `change` if they differ. */
export interface Pair {
  readonly kind: string;
  readonly address: Address;
  readonly declared?: DeclaredObject;
  readonly live?: LiveObject;
  readonly change?: Change;
}

/** A reference from one declared object to another, which must therefore stay. */
export interface Named {
  readonly kind: string;
  /** Its name after the plan; otherwise its id on the server. */
  readonly name?: string;
  readonly id?: number;
  /** The field that names it; empty if the whole object does (a default channel names a channel). */
  readonly field: string;
}

/** Canonical values by field. */
export type Fields = { readonly [field: string]: Json };

import type { ListPart } from "./counted.ts";
import type { Path, Span } from "./diagnostic.ts";
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
  /** The name on the server. */
  readonly name: string;
  /** null for objects that have none (domains, navigation views, default channels). */
  readonly id: number | null;
  readonly fields: { readonly [field: string]: Json };
  /** Whether the object is archived or deactivated. It still has its name, and may be missing in the file. */
  readonly inactive: boolean;
}

/** An item of the file, decoded and resolved: canonical fields, each with its place. A field left out is not in `fields`. */
export interface DeclaredObject {
  readonly key: string;
  readonly name: string;
  /** The name before a rename (`was:`). */
  readonly was?: string;
  /** The id that identifies the object (`id:`). */
  readonly id?: number;
  /** Whether the object must be removed under any policy: `absent: true` (for a channel, `archived: true`). */
  readonly absent: boolean;
  /** Whether nothing is left to do for the object, although nobody removed it (an invitation of somebody who has joined). */
  readonly settled?: boolean;
  readonly fields: { readonly [field: string]: Json };
  /** Fields that matter only at creation (subscribers of a new channel, …), never compared. */
  readonly creation?: { readonly [field: string]: Json };
  readonly at: Span;
  readonly spans: FieldSpans;
  /** The names of `fields` that the file leaves out: they get the server's default for a new object (`unset: default`). */
  readonly unset?: readonly string[];
  /** The names of `fields` that the file leaves out and that the server sets to the account that creates the object. */
  readonly implied?: readonly string[];
  readonly gaps?: readonly Gap[];
  /**
   * Of permissions that are missing in `fields` because of a gap: the names that resolve. If the field is in `fields` nevertheless, that is a value with
   * which the server's can be compared (`sure-fields.ts`).
   */
  readonly partial?: { readonly [field: string]: Json };
  /** Lists that only gain (`exact: false`): whoever else is in them on the server is no difference. */
  readonly adds?: readonly string[];
  /** It is left as the server has it, whatever the file says: see {@link Gap.isHeld}. */
  readonly isLeft?: true;
  /** By the field of a list: what of its difference is not planned now. The rest of it is. */
  readonly waits?: { readonly [field: string]: ReadonlySet<ListPart> };
}

/**
 * A name in an object that means nothing on the server. Its field is missing in `fields`, or is a list of the other names: unless `isGone`, whoever the
 * list does not have may be the one that the name meant.
 */
export interface Gap {
  /** The field; empty for the object itself. */
  readonly field: string;
  /** The place of the name below the item, as it is written. */
  readonly path: Path;
  readonly kind: string;
  readonly isGone: boolean;
  /** No name is the cause, but an error that only the server's state shows. */
  readonly isHeld?: true;
  /** It is the name of an account that the file reactivates. */
  readonly returns?: true;
  /** It is an address that the account may just not see. */
  readonly isUnseen?: true;
  /** What the file has in `creation` for a field that is left as it is. */
  readonly wish?: Json;
}

/** Whether a field is not wholly known, so that nothing may be taken out of it. */
export const hasGap = ({ gaps = [] }: Pick<DeclaredObject, "gaps">, field: string): boolean =>
  gaps.some((gap) => gap.field === field && !gap.isGone);

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
  /** The name of the object after the plan; if absent, `id` identifies it. */
  readonly name?: string;
  readonly id?: number;
  /** The field that names it; empty if the whole object does (a default channel names a channel). */
  readonly field: string;
  /** False if the named object is not in use by it on the server, which would deactivate the named object nevertheless. Default: it is in use. */
  readonly isUse?: false;
  /** The field holds the people of the named object: whatever changes these changes it. */
  readonly copies?: true;
}

/** An object, in the file or on the server, whose fields may name others. */
export type NamingObject = Pick<DeclaredObject, "name" | "absent" | "fields" | "creation">;

/** Canonical values by field. */
export type Fields = { readonly [field: string]: Json };

/** An object of the server that is not removed although the file does not mention it (`desired.keeps`). */
export const keepKey = (kind: string, { id, name }: LiveObject): string => `${kind} ${id ?? name}`;

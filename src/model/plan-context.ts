import type { Desired } from "./desired.ts";
import type { Dependency } from "./draft-call.ts";
import type { Named } from "./facts.ts";
import type { Json } from "./json.ts";
import type { DeclaredObject, Pair, Policy } from "./objects.ts";
import type { Address, Change, IdOf } from "./plan.ts";
import type { Realm } from "./realm.ts";
import type { Snapshot } from "./snapshot.ts";

/** Changes, and the organization before them, with the names after the plan. */
export type PlannedChanges = Pick<PlanContext, "realm" | "changes">;

/** How an object takes its new name. */
export interface PlannedMove {
  /** The name that it gets first if it steps aside, so that others can take the name that it frees; undefined: it takes its new name at once. */
  readonly aside: string | undefined;
  /** Its temporary name, also for an alternative of its request that only some plans need. */
  readonly temporary: string;
  /** The additional requests that the temporary name needs. */
  readonly requests: 0 | 1;
}

/** A field that names an object, before or after the plan. */
export interface Naming {
  readonly field: string;
  /** The object that has the field, with its name after the plan; undefined for a singleton. */
  readonly by: Named | undefined;
  readonly isNow: boolean;
  readonly isNext: boolean;
  /** The change of that object, if it has one. */
  readonly change: Change | undefined;
  /** Whether that object is archived or deactivated before the plan; and, after it, also whether it is deleted. */
  readonly wasInactive: boolean;
  readonly isInactive: boolean;
  /** The dependencies of a request that needs the field to name the object no longer. */
  readonly end: readonly Dependency[];
}

/** The whole plan, for kinds that check changes and turn them into calls. */
export interface PlanContext {
  /** The current realm, with one difference: objects that this plan renames have their new names, as everywhere in a plan. */
  readonly realm: Realm;
  readonly snapshot: Snapshot;
  /** As it was read, with the names that objects have on the server. */
  readonly unrenamed: Realm;
  /** The whole file, also if only a part of it is planned. */
  readonly file: Desired;
  readonly changes: readonly Change[];
  /** A setting of the organization after this plan, in the form of `realm.setting`. */
  settingAfter(name: string): Json | undefined;
  /** Declared objects of a section, in file order; empty when the section is absent. */
  declared(section: string): readonly DeclaredObject[];
  /** Every object of a section: the declared ones in file order, then those only on the server. Empty if the section is absent. */
  pairs(section: string): readonly Pair[];
  pair(address: Address): Pair | undefined;
  policy(section: string): Policy | undefined;
  /** Whether the file has this section at all. */
  manages(section: string): boolean;
  /** Whether the file names this object although the plan removes it. This was reported already, with both places. */
  isNamedInFile(address: Address): boolean;
  /** The fields of other objects of every kind, declared or not, that name an object (`file.names`) and have it in use. */
  namings(object: Pair): readonly Naming[];
  /** The dependencies of a request that needs an object with all values of the plan. The object's kind knows the states. */
  whole(address: Address): readonly Dependency[];
  /**
   * The move of an object that has one ({@link CallsFacet.moves}).
   * @param field the field with the name; default: the object's own name
   */
  move(address: Address, field?: string): PlannedMove | undefined;
  /** The id of an object, or the promise of one when this plan creates it. */
  idOf(address: Address): number | IdOf;
}

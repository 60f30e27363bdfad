import type { Json } from "./json.ts";
import type { DeclaredObject, Pair, Policy } from "./objects.ts";
import type { Address, Change, IdOf } from "./plan.ts";
import type { Realm } from "./realm.ts";
import type { Snapshot } from "./snapshot.ts";

/** Changes, and the organization that they are made to, under the names of after the plan. */
export type PlannedChanges = Pick<PlanContext, "realm" | "changes">;

/** What kinds see of the whole while they check changes and turn them into calls. */
export interface PlanContext {
  /** As it is now, but for names: objects that this plan renames have their new ones, as everywhere in a plan. */
  readonly realm: Realm;
  readonly snapshot: Snapshot;
  /** Every change of every kind. */
  readonly changes: readonly Change[];
  /** A setting of the organization, in the form of `realm.setting`, once this plan is applied. */
  settingAfter(name: string): Json | undefined;
  /** Declared objects of a section, in file order; empty when the section is absent. */
  declared(section: string): readonly DeclaredObject[];
  /** Every object of a section: the declared ones in file order, then what only the server has. Empty when the section is absent. */
  pairs(section: string): readonly Pair[];
  pair(address: Address): Pair | undefined;
  policy(section: string): Policy | undefined;
  /** Whether the file has this section at all. */
  manages(section: string): boolean;
  /** Does the file name an object that this plan removes? That was said already, with both places. */
  isNamedInFile(address: Address): boolean;
  /** The id of an object, or the promise of one when this plan creates it. */
  idOf(address: Address): number | IdOf;
}

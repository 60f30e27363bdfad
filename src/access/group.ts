import type { GroupValue } from "../model/realm.ts";
import type { People } from "./people.ts";
import type { GROUP } from "./scope.ts";

/** A user group, as far as rights hang on it. */
export interface AccessGroup {
  readonly kind: typeof GROUP;
  readonly name: string;
  /** Direct members, active or not. */
  readonly members: People;
  readonly subgroups: readonly string[];
  readonly deactivated: boolean;
  readonly settings: ReadonlyMap<string, GroupValue>;
  /** Fields that a plan's creation leaves to the server, which gives them to the account that makes the group. */
  readonly implied?: ReadonlySet<string>;
}

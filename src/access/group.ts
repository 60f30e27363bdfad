import type { GroupValue } from "../model/realm.ts";
import type { People } from "./people.ts";
import type { GROUP } from "./scope.ts";

/** The parts of a user group that matter for rights. */
export interface AccessGroup {
  readonly kind: typeof GROUP;
  readonly name: string;
  /** Direct members, active or not. */
  readonly members: People;
  readonly subgroups: readonly string[];
  readonly deactivated: boolean;
  readonly settings: ReadonlyMap<string, GroupValue>;
  /** The fields of a new group that the server sets to the account that creates it. */
  readonly implied?: ReadonlySet<string>;
}

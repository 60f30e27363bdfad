import type { GroupRefused, NameCause, NameTaken, Unseen } from "./names.ts";
import type { Named, Person, Quoted, Word } from "./values.ts";

export interface UserGroupFacts {
  /** @property groups each contains the next one; a single group contains itself */
  readonly "user_groups/cycle": { readonly groups: readonly Quoted[] };
  readonly "user_groups/group-not-allowed": { readonly field: Word } & GroupRefused;
  readonly "user_groups/unseen-uses": Unseen;
  readonly "user_groups/in-use": { readonly name: Quoted; readonly uses: readonly GroupUse[] };
  readonly "user_groups/limited-plan": Record<never, never>;
  readonly "user_groups/name": NameCause | { readonly cause: "prefix"; readonly prefix: Word; readonly rest: Quoted };
  readonly "user_groups/name-taken": NameTaken;
  readonly "user_groups/named-and-deactivated": {
    readonly name: Quoted;
    readonly named_by: Quoted;
    readonly field: Word;
  };
  readonly "user_groups/not-allowed": { readonly account: Person; readonly right: GroupRight };
  readonly "user_groups/system-group": { readonly name: Quoted };
}

/** A field or setting that names a group; without an object it is a setting of the organization. */
export interface GroupUse {
  readonly field: Word;
  readonly object?: Named;
}

/** A right that the account does not have. */
export type GroupRight =
  | { readonly to: "change-as-guest" }
  | { readonly to: "change-as-bot"; readonly needs: number; readonly level: number }
  | { readonly to: "create" }
  | { readonly to: "manage"; readonly group: Quoted }
  | {
      readonly to: "add-members" | "add-subgroups" | "remove-members";
      readonly group: Quoted;
      readonly setting: Word;
    };

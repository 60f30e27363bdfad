import type { Quoted, Word } from "./values.ts";

/** Errors in questions to `realmctl access`: rights, roles, groups, and names that several objects have. */
export interface AccessQuestionFacts {
  /** @property ways one unambiguous question for each possible meaning */
  readonly "access/ambiguous": { readonly question: Quoted; readonly ways: readonly Quoted[] };
  readonly "access/groups-of-nobody": Record<never, never>;
  readonly "access/nothing-asked": Record<never, never>;
  readonly "access/plan-of-person": Record<never, never>;
  /** @property others the rights that exist on the object */
  readonly "access/right-of-other": {
    readonly rights: readonly Word[];
    readonly object: Quoted;
    readonly others: readonly Word[];
  };
  readonly "access/two-questions": Record<never, never>;
  /** @property is_address the question looks like the address of a person */
  readonly "access/unknown": {
    readonly question: Quoted;
    readonly is_address: boolean;
    readonly is_file_alone: boolean;
    readonly meant?: Quoted;
  };
  readonly "access/unknown-group": {
    readonly group: Quoted;
    readonly meant?: Quoted;
    readonly groups: readonly Quoted[];
  };
  readonly "access/unknown-right": { readonly right: Quoted; readonly meant?: Word; readonly rights: readonly Word[] };
  readonly "access/unknown-role": { readonly role: Quoted; readonly meant?: Word };
}

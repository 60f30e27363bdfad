import type { Named, Quoted, Word } from "./values.ts";

/** Errors of planning that objects of any kind can have. */
export interface PlanFacts {
  /** Objects of which the file of an earlier commit would make the same change, or a part of it; `of` is the number of all changes. */
  readonly "plan/already-different": {
    readonly base: Word;
    readonly of: number;
    readonly objects: readonly Named[];
    readonly in_part: readonly Named[];
  };
  readonly "plan/ambiguous-swap": Swap;
  readonly "plan/swap-taken-as-done": Swap;
  /** @property state `archived`, `deactivated`: the state of the object that has the new name, if it is not active */
  readonly "plan/both-names": {
    readonly noun: Word;
    readonly name: Quoted;
    readonly was: Quoted;
    readonly state?: Word;
  };
  /** Changes that wait for each other. */
  readonly "plan/cycle": { readonly objects: readonly Named[] };
  readonly "plan/looks-renamed": {
    readonly noun: Word;
    /** The object with its name in the file. */
    readonly object: Named;
    /** The object with its name on the server. */
    readonly live: { readonly name: Quoted; readonly id: number | null };
    /** The two names differ only in what nobody means: a sign, or a character that looks the same or like nothing. */
    readonly is_slip?: true;
    /** Nothing speaks for it but that there is no other object on either side: no guard asks. */
    readonly is_bare?: true;
    /** An error about the object holds it, so there is nothing to allow. */
    readonly is_held?: true;
    /** Other objects of the server that match it as well. */
    readonly others?: readonly Quoted[];
    /** The number of other objects with the same finding. */
    readonly more: number;
  };
  /** A cycle of renames with objects that do not exist yet. */
  readonly "plan/new-swap": { readonly objects: readonly Quoted[]; readonly created: readonly Quoted[] };
  readonly "plan/not-read": { readonly section: Word };
  /**
   * @property is_described the entry also says what the object is like, so there was one
   * @property is_private it says that the object is private, so its name is hidden from other readers
   */
  readonly "plan/nothing-to-remove": {
    readonly noun: Word;
    readonly name: Quoted;
    readonly removal: "archived" | "deactivated" | "removed";
    readonly meant?: Quoted;
    readonly is_described?: true;
    readonly is_private?: true;
  };
  /** @property what the input that is for the organization at `url`; the command runs against the one at `found` */
  readonly "realm/other-realm": {
    readonly what: "file" | "plan" | "journal" | "plan-page" | "undo-file";
    readonly url: Word;
    readonly found: Word;
  };
  readonly "plan/same-object": { readonly noun: Word; readonly id: number };
  readonly "plan/unknown-id": {
    readonly noun: Word;
    readonly id: number;
    readonly name: Quoted;
    /** The id of the object that has this name. */
    readonly named?: number;
  };
  readonly "plan/same-was": { readonly was: Quoted; readonly other: Quoted };
  /**
   * What a change takes out of the file and the server keeps: objects in use or not, fields of a singleton, fields of objects, or that the section has all of
   * them.
   */
  readonly "plan/taken-out": { readonly section: Word } & (
    | { readonly is: "objects" | "inactive" | "fields"; readonly names: readonly Quoted[] }
    | {
        readonly is: "parts";
        readonly parts: readonly {
          readonly name: Quoted;
          readonly fields: readonly Word[];
          /** Lists that only gain from now on. */
          readonly adds: readonly Word[];
        }[];
      }
    | { readonly is: "policy" }
  );
  /** The file of the commit with which a plan is compared. */
  readonly "plan/no-base": {
    readonly base: Word;
    readonly cause: "no-commit" | "no-file" | "no-git" | "no-repository" | "errors";
  };
  readonly "plan/was-not-found": {
    readonly noun: Word;
    readonly was: Quoted;
    readonly name: Quoted;
    readonly meant?: Quoted;
  };
}

/** Objects that have each other's names in the file and on the server. */
interface Swap {
  readonly objects: readonly {
    readonly name: Quoted;
    /** The id of the object with the previous name; absent if it has no id. */
    readonly id?: number;
  }[];
}

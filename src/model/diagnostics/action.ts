import type { Unreadable } from "./sources.ts";
import type { Named, Word } from "./values.ts";

type Nothing = Record<never, never>;

/** Errors that stop a job of the GitHub Action. Inputs, branches and commits are in the repository, so they are not secret. */
export interface ActionFacts {
  readonly "action/apply-on-pull-request": Nothing;
  readonly "action/snapshot-on-pull-request": Nothing;
  readonly "action/base-branch": { readonly branch: Word; readonly allowed: readonly Word[] };
  readonly "action/bug": Nothing;
  readonly "action/event":
    | { readonly cause: "no-repository" | "not-json" | "no-pull-request" }
    | { readonly cause: "form"; readonly reason: Word };
  readonly "action/input": { readonly input: Word } & InputCause;
  readonly "action/no-credentials": Nothing;
  readonly "action/too-much":
    | { readonly counted: "files"; readonly file: Word; readonly most: number }
    | { readonly counted: "bytes"; readonly file: Word; readonly most_mebibytes: number }
    | { readonly counted: "directories"; readonly most: number }
    | { readonly counted: "reviews"; readonly pull: number; readonly most: number };
  readonly "adopt/hidden-snapshot": Nothing;
  readonly "adopt/no-branch": { readonly ref?: Word };
  readonly "artifact/broken":
    | { readonly cause: "no-directory" | "damaged" }
    | { readonly cause: "no-file" | "packed"; readonly file: Word }
    | { readonly cause: "too-large"; readonly file: Word; readonly most_bytes: number }
    | { readonly cause: "other"; readonly reason: Word };
  /** @property pull absent if no merged pull request belongs to the commit */
  readonly "reviewed/none": { readonly commit: Word; readonly pull?: number; readonly other_version?: true };
  readonly "reviewed/not-approved": { readonly pull: number; readonly is_planned_later: boolean };
  readonly "reviewed/other-base": { readonly reviewed: Word; readonly base: Word };
  readonly "reviewed/other-file": Nothing;
  readonly "reviewed/other-realm": { readonly reviewed: Word; readonly url: Word };
  /**
   * @property fields empty if the difference is what happens to the object as a whole
   * @property is_unlisted the file does not declare the object, and the reviewed plan does not have it at all
   */
  readonly "reviewed/moved": {
    readonly subject: "object" | "order" | "singleton";
    readonly object: Named;
    readonly fields: readonly Word[];
    readonly is_unlisted?: true;
  };
  readonly "snapshot/cannot-read": { readonly file: Word; readonly why: Unreadable };
  readonly "snapshot/digest": { readonly file: Word };
  readonly "snapshot/no-artifact": { readonly artifact: Word; readonly branch?: Word; readonly are_others: boolean };
  readonly "snapshot/too-large": { readonly artifact: Word; readonly most_mebibytes: number };
}

/** What is wrong with an input of the Action. */
export type InputCause =
  | { readonly cause: "outside" | "not-boolean" | "not-a-branch" | "not-a-value" | "not-time"; readonly text: Word }
  | { readonly cause: "not-hours" | "approval-unreviewed" }
  | { readonly cause: "choice"; readonly text: Word; readonly choices: readonly Word[] };

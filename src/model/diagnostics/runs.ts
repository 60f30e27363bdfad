import type { Named } from "../facts.ts";
import type { NotJson } from "../not-json.ts";
import type { Unreadable } from "./sources.ts";
import type { Quoted, Word } from "./values.ts";

type Nothing = Record<never, never>;

/** Errors of runs, locks, journals, saved plans, and of adopt. */
export interface RunFacts {
  readonly "adopt/by-hand": { readonly file: Word };
  /** The errors that the files would have follow this one, without places, since the text is not written anywhere. */
  readonly "adopt/would-break": Nothing;
  readonly "apply/locked": {
    readonly process: number;
    /** Absent if it is this machine. */
    readonly host?: Word;
    readonly url: Word;
    readonly since: Word;
    readonly lock: Word;
  };
  /** Requests of a run of `sync` that were not carried out. */
  readonly "apply/sync-unfinished": { readonly left: number; readonly calls: number };
  readonly "apply/lock-not-own": { readonly directory: Word; readonly why: NotOwn };
  readonly "apply/no-lock": { readonly lock: Word; readonly why: Unreadable };
  /** Nothing shows that a run of this account wrote the journal. `account`: the one that it names itself. */
  readonly "journal/foreign": {
    readonly journal: Word;
    readonly account: Word;
    readonly doubt: JournalDoubt;
  } & ForUndo;
  /** In a job: files among the journals that Git tracks, or that no run of this account wrote. */
  readonly "journal/in-checkout": Nothing;
  /** The directory of the journals, or one of them, is a symbolic link. */
  readonly "journal/link": { readonly path: Word };
  readonly "journal/no-journal": { readonly journal: Word } & ForUndo;
  /** No journal here is one of a run of this account that sent something. */
  readonly "journal/no-run": Nothing;
  readonly "journal/not-written": { readonly journal: Word; readonly why: Unreadable };
  readonly "journal/other-version": {
    readonly journal: Word;
    readonly found: number;
    readonly reads: number;
  } & ForUndo;
  readonly "journal/unreadable": { readonly journal: Word; readonly line?: number } & ForUndo &
    (
      | { readonly cause: "line" | "not-a-start" | "text" }
      | { readonly cause: "value"; readonly reason: Word }
      | { readonly cause: "too-large"; readonly bytes: number; readonly most_bytes: number }
      | { readonly cause: "file"; readonly why: Unreadable }
    );
  readonly "plan-file/edited": { readonly file: Word };
  readonly "plan-file/no-plan": { readonly file: Word };
  readonly "plan-file/not-its-own": { readonly file: Word; readonly difference: PlanDifference };
  readonly "plan-file/not-json": { readonly file: Word; readonly reason: NotJson };
  readonly "plan-file/other-tool": {
    readonly file: Word;
    readonly saved_by: Quoted;
    readonly this_version: Word;
    readonly because:
      | { readonly of: "form"; readonly part: Word }
      | { readonly of: "names"; readonly kinds: readonly Quoted[]; readonly operations: readonly Quoted[] }
      | { readonly of: "difference"; readonly difference: PlanDifference };
  };
  readonly "plan-file/other-version": { readonly file: Word; readonly found: Quoted; readonly reads: number };
  readonly "plan-file/too-large": { readonly file: Word; readonly most_bytes: number };
  readonly "plan/redacted": Record<never, never>;
  readonly "plan/changed-since": { readonly changed: readonly ChangedSince[] };
  readonly "plan/other-account": { readonly planned: Quoted; readonly found: Quoted };
  readonly "plan/other-names": {
    readonly objects: readonly {
      readonly noun: Word;
      readonly id: number;
      readonly planned: Quoted;
      readonly now: Quoted;
    }[];
  };
  readonly "plan/other-server": { readonly planned_level: number; readonly level: number };
}

/** Something that a plan would leave otherwise than the file has it today, or otherwise than it showed, because others changed the organization. */
export type ChangedSince =
  /** `in`: a list would have these, whom the file does not put there today; `out`: it would lose these, whom the file keeps there. */
  | { readonly is: "in" | "out"; readonly object: Named; readonly field: Word; readonly names: readonly Quoted[] }
  /** These can still read a channel, although the plan showed that they no longer can. */
  | { readonly is: "reads"; readonly object: Named; readonly names: readonly Quoted[] };

/** Somebody named the journal to undo its run: apply does not go on without it. */
interface ForUndo {
  readonly for_undo?: true;
}

/** Why nothing shows that a run of this account wrote a journal. `other-name`: it is a copy of such a journal. */
export type JournalDoubt =
  | { readonly is: "no-code" | "other-code" | "other-name" }
  | { readonly is: "edited"; readonly line: number };

/** Why other accounts may be able to change a directory. */
export type NotOwn =
  | { readonly is: "no-directory" | "of-another-account" | "open" }
  | { readonly is: "unreadable"; readonly why: Unreadable };

/** Where a saved plan differs from the plan that its own configuration and snapshot give. */
export type PlanDifference =
  | { readonly is: "errors" }
  | { readonly is: "extra-call" | "missing-call" | "other-call"; readonly call: number; readonly operation: Word }
  | { readonly is: "parts"; readonly parts: readonly Word[] };

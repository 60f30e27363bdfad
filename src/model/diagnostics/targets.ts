import type { Named, Pattern, Quoted, Word } from "./values.ts";

/** Errors in `--only` and `--except`, and in what the remaining objects need. */
export interface TargetFacts {
  /** @property found `unknown`: no kind has this name; `absent`: the file does not have the section */
  readonly "targets/section": {
    readonly option: TargetOption;
    readonly name: Quoted;
    readonly found: "unknown" | "absent";
    readonly meant?: Word;
    /** An object of the file with this name: `general` for `channel:general`. */
    readonly meant_object?: Pattern;
    /** The sections of the file. */
    readonly sections: readonly Word[];
  };
  readonly "targets/no-match": {
    readonly option: TargetOption;
    readonly pattern: Pattern;
    readonly section: Word;
    readonly meant?: Pattern;
  };
  /** `--except` excludes everything that `--only` names, or (without `--only`) everything in the file. */
  readonly "targets/nothing-left": { readonly of: "named" | "file" };
  /** A chosen object can only be changed together with an object that is left out. */
  readonly "targets/needs": {
    readonly object: Named;
    readonly needs: Named;
    readonly is_to: "create" | "rename" | "remove" | "change";
    /** Whether `--except` names the needed object, so that `--with-needs` does not include it. */
    readonly excepted: boolean;
  };
  /** `--with-needs` was given without `--only` or `--except`. */
  readonly "targets/nothing-named": { readonly option: "--with-needs" };
  /** A saved plan or a journal can only be carried out as a whole. */
  readonly "targets/of-plan": { readonly option: Word; readonly source: "--plan" | "--undo" };
  /** Accompanies the errors of a file if only a part of it was asked for. */
  readonly "targets/whole-file": Record<never, never>;
  readonly "targets/not-alone": { readonly left_out: number };
}

export type TargetOption = "--only" | "--except";

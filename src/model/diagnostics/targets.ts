import type { Named, Pattern, Quoted, Word } from "./values.ts";

/** `--only` and `--except`: what they name, and what the objects that are left need. */
export interface TargetFacts {
  /** @property found `unknown`: no kind is called like that; `absent`: the file does not have the section */
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
  /** `--except` takes away all that `--only` names, or without it, all of the file. */
  readonly "targets/nothing-left": { readonly of: "named" | "file" };
  /** A wanted object can only be changed together with one that is left out. */
  readonly "targets/needs": {
    readonly object: Named;
    readonly needs: Named;
    readonly is_to: "create" | "rename" | "remove" | "change";
    /** Named by `--except`, so that nothing takes it along. */
    readonly excepted: boolean;
  };
  /** `--with-needs` without anything that could need something. */
  readonly "targets/nothing-named": { readonly option: "--with-needs" };
  /** What a saved plan or a journal says is done whole. */
  readonly "targets/of-plan": { readonly option: Word; readonly source: "--plan" | "--undo" };
  /** Without what is left out, the rest cannot be planned, though all of it can; the errors follow. */
  /** Said with errors of a file of which only a part was asked for. */
  readonly "targets/whole-file": Record<never, never>;
  readonly "targets/not-alone": { readonly left_out: number };
}

export type TargetOption = "--only" | "--except";

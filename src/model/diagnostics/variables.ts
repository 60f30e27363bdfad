import type { FoundValue, Quoted, Word } from "./values.ts";

export interface VariableFacts {
  readonly "vars/declaration":
    | { readonly cause: "no-map"; readonly found: FoundValue }
    | { readonly cause: "field"; readonly field: Quoted; readonly meant?: Word }
    | { readonly cause: "about"; readonly found: FoundValue };
  readonly "vars/in-key": { readonly reference: Quoted };
  readonly "vars/inside-text": { readonly variable: Quoted; readonly found: FoundValue };
  readonly "vars/name": { readonly name: Quoted };
  readonly "vars/nested": Record<never, never>;
  readonly "vars/no-value": { readonly name: Quoted };
  readonly "vars/not-a-map": { readonly section: "vars" | "values"; readonly found: FoundValue };
  readonly "vars/not-here": Record<never, never>;
  readonly "vars/reference": { readonly cause: "open" } | { readonly cause: "form"; readonly written: Quoted };
  readonly "vars/type": {
    readonly name: Quoted;
    readonly type: Word;
    readonly found: FoundValue;
  };
  readonly "vars/type-unknown": {
    readonly name: Quoted;
    readonly found?: FoundValue;
    readonly meant?: Word;
    readonly types: readonly Word[];
  };
  readonly "vars/undeclared": {
    readonly name: Quoted;
    readonly meant?: Quoted;
    /** Absent when there are too many errors for suggestions. */
    readonly known?: readonly Quoted[];
    /** The reference in its written form, if it may be meant as text. */
    readonly written?: Quoted;
  };
  readonly "vars/unused": { readonly name: Quoted };
}

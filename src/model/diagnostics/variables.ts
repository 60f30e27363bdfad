import type { FoundValue, Quoted, Word } from "./values.ts";

export interface VariableFacts {
  readonly "vars/declaration":
    | { readonly cause: "no-map"; readonly found: FoundValue }
    | { readonly cause: "field"; readonly field: Quoted; readonly meant?: Word }
    | { readonly cause: "about"; readonly found: FoundValue }
    | { readonly cause: "from"; readonly found: FoundValue }
    /** @property found what is there instead of the name of a variable of the environment */
    | { readonly cause: "env-name"; readonly found?: FoundValue }
    | { readonly cause: "env-name-alone" };
  readonly "vars/in-key": { readonly reference: Quoted };
  readonly "vars/inside-text": { readonly variable: Quoted; readonly found: FoundValue };
  readonly "vars/name": { readonly name: Quoted };
  readonly "vars/nested": Record<never, never>;
  /** @property env the variable of the environment that has none either @property is_withheld the Action may not read it */
  readonly "vars/no-value": { readonly name: Quoted; readonly env?: Word; readonly is_withheld?: true };
  readonly "vars/not-a-map": { readonly section: "vars" | "values"; readonly found?: FoundValue };
  readonly "vars/not-here": Record<never, never>;
  readonly "vars/reference": { readonly cause: "open" } | { readonly cause: "form"; readonly written: Quoted };
  /** @property env the variable of the environment that has the secret */
  readonly "vars/secret":
    | { readonly cause: "value"; readonly name: Quoted; readonly by?: "--set"; readonly env?: Word }
    | { readonly cause: "name"; readonly name: Quoted; readonly env: Word };
  /** @property env the value is of this variable of the environment, and is not shown */
  readonly "vars/type": {
    readonly name: Quoted;
    readonly type: Word;
    readonly found?: FoundValue;
    readonly by?: "--set";
    readonly env?: Word;
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
    /** What gives it a value. */
    readonly by?: "--set" | "--values";
  };
  readonly "vars/unused": { readonly name: Quoted };
}

import type { Person, Quoted, Word } from "./values.ts";

export interface LinkifierFacts {
  readonly "linkifiers/example": { readonly example: Quoted } & OnServer;
  readonly "linkifiers/no-template": Record<never, never>;
  readonly "linkifiers/not-allowed": { readonly account: Person };
  readonly "linkifiers/overlap": { readonly pattern: Quoted; readonly example: Quoted };
  readonly "linkifiers/pattern": PatternFlaw & OnServer;
  readonly "linkifiers/pattern-taken": { readonly pattern: Quoted };
  readonly "linkifiers/reverse": (
    | ({ readonly flaw: "not-filled" } & { readonly why: ReverseFlaw })
    | { readonly flaw: "other-text"; readonly made: Quoted; readonly example: Quoted }
  ) &
    OnServer;
  readonly "linkifiers/reverse-without-example": OnServer;
  readonly "linkifiers/template": ({ readonly flaw: "empty" } | TemplateFlaw) & OnServer;
  readonly "linkifiers/unknown-variable": {
    readonly variable: Quoted;
    readonly groups: readonly Quoted[];
    readonly is_alternative: boolean;
  } & OnServer;
  readonly "linkifiers/unused-group": { readonly group: Quoted } & OnServer;
  readonly "linkifiers/was": { readonly flaw: "absent" | "same" };
}

/** The value of the field, where the file does not say it and the server does. */
export interface OnServer {
  readonly on_server?: { readonly field: Word; readonly value: Quoted };
}

/** Why a text is no pattern. */
export type PatternFlaw =
  | { readonly flaw: "empty" }
  | { readonly flaw: "too-long"; readonly length: number; readonly limit: number }
  /** @property limit in steps of a search, for all patterns of a file and their examples */
  | { readonly flaw: "too-much"; readonly limit: number }
  | { readonly flaw: "look-around" | "back-reference" | "named-back-reference" }
  /** @property reason of the library that reads patterns */
  | { readonly flaw: "syntax"; readonly reason: Quoted };

/** Why a text is no URL template. */
export type TemplateFlaw =
  | { readonly flaw: "empty-text" }
  | { readonly flaw: "stray-brace" | "open-brace"; readonly position: number }
  | { readonly flaw: "expression"; readonly expression: Quoted };

/** Why a reverse template cannot be filled in. */
export type ReverseFlaw =
  | { readonly flaw: "open-brace"; readonly position: number }
  | { readonly flaw: "no-name" }
  | { readonly flaw: "no-group"; readonly name: Quoted };

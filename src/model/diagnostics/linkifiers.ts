import type { Person, Quoted, Word } from "./values.ts";

export interface LinkifierFacts {
  readonly "linkifiers/example": { readonly example: Quoted } & OnServer;
  readonly "linkifiers/no-template": Record<never, never>;
  readonly "linkifiers/not-allowed": { readonly account: Person };
  readonly "linkifiers/overlap": { readonly pattern: Quoted; readonly example: Quoted };
  readonly "linkifiers/pattern": PatternCause & OnServer;
  readonly "linkifiers/pattern-taken": { readonly pattern: Quoted };
  readonly "linkifiers/reverse": (
    | ({ readonly cause: "not-filled" } & { readonly why: ReverseCause })
    | { readonly cause: "other-text"; readonly made: Quoted; readonly example: Quoted }
  ) &
    OnServer;
  readonly "linkifiers/reverse-without-example": OnServer;
  readonly "linkifiers/template": (
    | { readonly cause: "empty" }
    /** It begins with a host: the link would stay on the chat server. A warning. */
    | { readonly cause: "no-scheme"; readonly template: Quoted }
    /** `$1`: another program would fill it in. A warning. */
    | { readonly cause: "foreign"; readonly sign: Quoted }
    | TemplateCause
  ) &
    OnServer;
  readonly "linkifiers/unknown-variable": {
    readonly variable: Quoted;
    readonly groups: readonly Quoted[];
    readonly is_alternative: boolean;
  } & OnServer;
  readonly "linkifiers/unused-group": { readonly group: Quoted } & OnServer;
  readonly "linkifiers/was": { readonly cause: "absent" | "same" };
}

/** The server's value of the field, if the file does not set it. */
export interface OnServer {
  readonly on_server?: { readonly field: Word; readonly value: Quoted };
}

/** Why a text is not a pattern. */
export type PatternCause =
  | { readonly cause: "empty" }
  | { readonly cause: "too-long"; readonly length: number; readonly limit: number }
  /** @property limit the number of search steps for all patterns of a file and their examples */
  | { readonly cause: "too-much"; readonly limit: number }
  /** Perhaps too large for the server: only RE2 itself can tell. */
  | { readonly cause: "near-limit" }
  /** Slashes at both ends, as in other languages. A warning. @property pattern what is between them */
  | { readonly cause: "slashes"; readonly pattern: Quoted }
  | { readonly cause: "look-around" | "back-reference" | "named-back-reference" }
  /** @property reason the message of the library that reads patterns */
  | { readonly cause: "syntax"; readonly reason: Quoted };

/** Why a text is not a URL template. */
export type TemplateCause =
  | { readonly cause: "empty-text" }
  | { readonly cause: "stray-brace" | "open-brace"; readonly position: number }
  | { readonly cause: "expression"; readonly expression: Quoted };

/** Why a reverse template cannot be filled in. */
export type ReverseCause =
  | { readonly cause: "open-brace"; readonly position: number }
  | { readonly cause: "no-name" }
  | { readonly cause: "no-group"; readonly name: Quoted };

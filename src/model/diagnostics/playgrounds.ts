import type { TemplateCause } from "./linkifiers.ts";
import type { Person, Quoted, Word } from "./values.ts";

export interface PlaygroundFacts {
  readonly "playgrounds/not-allowed": { readonly account: Person };
  readonly "playgrounds/language":
    | { readonly cause: "empty" }
    | { readonly cause: "too-long"; readonly length: number; readonly limit: number }
    | { readonly cause: "character"; readonly character: Quoted }
    /** The text is only an alias; a warning. */
    | { readonly cause: "alias"; readonly language: Quoted; readonly meant: Word };
  readonly "playgrounds/name": Record<never, never>;
  readonly "playgrounds/template":
    | { readonly cause: "missing" | "empty" }
    | { readonly cause: "no-template"; readonly why: TemplateCause }
    | { readonly cause: "no-code" }
    | { readonly cause: "scheme"; readonly template: Quoted }
    | { readonly cause: "other-variables"; readonly variables: readonly Quoted[] };
}

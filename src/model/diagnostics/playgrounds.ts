import type { TemplateFlaw } from "./linkifiers.ts";
import type { Person, Quoted } from "./values.ts";

export interface PlaygroundFacts {
  readonly "playgrounds/not-allowed": { readonly account: Person };
  readonly "playgrounds/language":
    | { readonly flaw: "empty" }
    | { readonly flaw: "too-long"; readonly length: number; readonly limit: number }
    | { readonly flaw: "character"; readonly character: Quoted };
  readonly "playgrounds/name": Record<never, never>;
  readonly "playgrounds/template":
    | { readonly flaw: "missing" | "empty" }
    | { readonly flaw: "no-template"; readonly why: TemplateFlaw }
    | { readonly flaw: "no-code" }
    | { readonly flaw: "other-variables"; readonly variables: readonly Quoted[] };
}

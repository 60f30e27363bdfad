import type { Person, Quoted } from "./values.ts";

export interface EmojiFacts {
  readonly "emoji/not-allowed":
    | { readonly account: Person; readonly may_not: "add-as-bot" | "add" | "override" }
    | { readonly account: Person; readonly may_not: "remove"; readonly name: Quoted };
  readonly "emoji/name": { readonly flaw: "empty" | "characters" | "end"; readonly name: Quoted };
  readonly "emoji/no-image": { readonly name: Quoted };
  readonly "emoji/replaces":
    | { readonly flaw: "without-image" }
    /** No emoji of the organization has that id, and none had. */
    | { readonly flaw: "unknown-id"; readonly id: number }
    | { readonly flaw: "other-id"; readonly name: Quoted; readonly id: number; readonly is: number };
  readonly "emoji/overrides": { readonly name: Quoted };
}

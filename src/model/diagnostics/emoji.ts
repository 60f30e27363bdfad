import type { Person, Quoted } from "./values.ts";

export interface EmojiFacts {
  readonly "emoji/not-allowed":
    | { readonly account: Person; readonly may_not: "add-as-bot" | "add" | "override" }
    | { readonly account: Person; readonly may_not: "remove"; readonly name: Quoted };
  readonly "emoji/name": { readonly cause: "empty" | "characters" | "end"; readonly name: Quoted };
  readonly "emoji/no-image": { readonly name: Quoted };
  readonly "emoji/replaces":
    | { readonly cause: "without-image" }
    /** No emoji of the organization has, or ever had, that id. */
    | { readonly cause: "unknown-id"; readonly id: number; readonly is?: number }
    | { readonly cause: "other-id"; readonly name: Quoted; readonly id: number; readonly is: number };
  readonly "emoji/overrides": { readonly name: Quoted };
}

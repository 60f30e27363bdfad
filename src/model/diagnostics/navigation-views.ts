import type { Person, Quoted, Word } from "./values.ts";

export interface NavigationViewFacts {
  readonly "navigation_views/built-in-name": { readonly view: Quoted };
  readonly "navigation_views/fragment": FragmentCause;
  readonly "navigation_views/no-is-pinned": { readonly view: Quoted };
  readonly "navigation_views/no-name":
    | { readonly view: Quoted; readonly is_new: false }
    | { readonly view: Quoted; readonly is_new: true; readonly meant?: Word; readonly built_in: readonly Word[] };
  readonly "navigation_views/personal": { readonly account: Person };
  readonly "navigation_views/same-name": {
    readonly views: readonly [Quoted, Quoted];
    readonly name: Quoted;
  };
}

/** The reason why a text does not name a view. */
export type FragmentCause =
  | { readonly cause: "empty" }
  | { readonly cause: "hash"; readonly fragment: Quoted }
  | { readonly cause: "dots"; readonly fragment: Quoted }
  | { readonly cause: "case"; readonly fragment: Quoted; readonly built_in: Word };

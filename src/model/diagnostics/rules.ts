import type { Quoted, Word } from "./values.ts";

/** Errors in rules about access. */
export interface RuleFacts {
  readonly "rules/version": { readonly found: Quoted };
  readonly "rules/no-rules": Record<never, never>;
  readonly "rules/two-kinds": { readonly test: Quoted };
  readonly "rules/as-is-of-nothing": Record<never, never>;
  readonly "rules/no-subject": { readonly test: Quoted };
  readonly "rules/no-expectation": { readonly test: Quoted; readonly of: "who" | "objects" };
  readonly "rules/misplaced": { readonly field: Word; readonly belongs: "who" | "objects" };
  readonly "rules/empty-expectation": { readonly right: Quoted };
  readonly "rules/unknown-expectation": {
    readonly key: Quoted;
    readonly known: readonly Word[];
    readonly meant?: Quoted;
  };
  readonly "rules/same-name": { readonly test: Quoted };
  readonly "rules/unknown-right": { readonly right: Quoted; readonly meant?: Quoted };
  readonly "rules/right-of-other": { readonly right: Quoted; readonly pattern: Quoted };
  readonly "rules/unknown-field": { readonly field: Quoted; readonly meant?: Quoted };
  readonly "rules/unknown-name": {
    readonly name: Quoted;
    readonly is: "group" | "person" | "role";
    readonly meant?: Quoted;
  };
  readonly "rules/no-match": { readonly pattern: Quoted; readonly meant?: Quoted };
  /** @property done rules before this one, which were held against the organization */
  readonly "rules/too-much": { readonly test: Quoted; readonly done: number };
  readonly "rules/never-fails": {
    readonly why: "everybody" | "nobody" | "no-limit" | "all-excepted" | "too-many-to-pass";
  };
  readonly "rules/contradiction": {
    readonly between:
      | "exactly-and-others"
      | "allow-and-deny"
      | "least-and-most"
      | "other-rule"
      | "can-and-cannot"
      | "is-and-not";
    readonly name?: Quoted;
    readonly on?: Quoted;
  };
}

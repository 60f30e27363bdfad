import type { Person, Quoted, Word } from "./values.ts";

export interface ProfileFieldFacts {
  readonly "profile_fields/not-allowed": { readonly account: Person };
  readonly "profile_fields/name":
    | { readonly flaw: "empty" }
    | { readonly flaw: "too-long"; readonly length: number; readonly limit: number };
  readonly "profile_fields/hint": { readonly length: number; readonly limit: number };
  /** What the type of a field has or does not have. */
  readonly "profile_fields/type":
    | { readonly flaw: "missing"; readonly name: Quoted }
    | { readonly flaw: "fixed"; readonly name: Quoted; readonly before: Word; readonly after: Word };
  readonly "profile_fields/other-type": { readonly field: Word; readonly type: Word; readonly needs: Word };
  readonly "profile_fields/options":
    | { readonly flaw: "none" | "blank" }
    | { readonly flaw: "twice"; readonly option: Quoted }
    | { readonly flaw: "was-unknown"; readonly was: Quoted; readonly known: readonly Quoted[] }
    | { readonly flaw: "was-twice"; readonly was: Quoted };
  readonly "profile_fields/account":
    | { readonly flaw: "neither" | "both" }
    | { readonly flaw: "no-url"; readonly text: Quoted }
    | { readonly flaw: "placeholder"; readonly text: Quoted; readonly count: number }
    | {
        readonly flaw: "unknown-service";
        readonly service: Quoted;
        readonly meant?: Quoted;
        readonly known: readonly Quoted[];
      }
    | { readonly flaw: "its-name"; readonly service: Quoted; readonly field: Word; readonly is: Quoted }
    | { readonly flaw: "fixed"; readonly service: Quoted };
  readonly "profile_fields/summary":
    | { readonly flaw: "type"; readonly type: Word }
    | { readonly flaw: "too-many"; readonly limit: number; readonly fields: readonly Quoted[] };
  readonly "profile_fields/name-taken": { readonly name: Quoted };
  readonly "profile_fields/was": { readonly flaw: "absent" | "same" };
}

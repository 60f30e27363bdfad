import type { Person, Quoted, Word } from "./values.ts";

export interface ProfileFieldFacts {
  readonly "profile_fields/not-allowed": { readonly account: Person };
  readonly "profile_fields/name":
    | { readonly cause: "empty" }
    | { readonly cause: "too-long"; readonly length: number; readonly limit: number };
  readonly "profile_fields/hint": { readonly length: number; readonly limit: number };
  /** The type of a field is missing, or differs from the type on the server, which cannot be changed. */
  readonly "profile_fields/type":
    | { readonly cause: "missing"; readonly name: Quoted }
    | { readonly cause: "fixed"; readonly name: Quoted; readonly before: Word; readonly after: Word };
  readonly "profile_fields/other-type": { readonly field: Word; readonly type: Word; readonly needs: readonly Word[] };
  readonly "profile_fields/options":
    | { readonly cause: "none" | "blank" }
    | { readonly cause: "twice"; readonly option: Quoted }
    | { readonly cause: "was-unknown"; readonly was: Quoted; readonly known: readonly Quoted[] }
    | { readonly cause: "was-twice"; readonly was: Quoted }
    | {
        readonly cause: "look-renamed";
        readonly options: readonly { readonly text: Quoted; readonly was: Quoted }[];
      };
  readonly "profile_fields/account":
    | { readonly cause: "neither" | "both" }
    | { readonly cause: "no-url"; readonly text: Quoted }
    | { readonly cause: "placeholder"; readonly text: Quoted; readonly count: number }
    | {
        readonly cause: "unknown-service";
        readonly service: Quoted;
        readonly meant?: Word;
        readonly known: readonly Word[];
        /** Whether no server was asked: the list is that of this version. */
        readonly offline?: true;
      }
    | { readonly cause: "service-renamed"; readonly service: Word; readonly other: Word; readonly name: Word }
    | { readonly cause: "service-of-field"; readonly service: Word; readonly other: Word; readonly field: Quoted }
    | { readonly cause: "its-name"; readonly service: Word; readonly field: Word; readonly is: Word }
    | { readonly cause: "fixed"; readonly service: Word }
    | { readonly cause: "service-twice"; readonly service: Word; readonly other: Quoted };
  readonly "profile_fields/summary":
    | { readonly cause: "type"; readonly type: Word; readonly level?: number }
    | { readonly cause: "too-many"; readonly limit: number; readonly fields: readonly Quoted[] };
  /** @param newer_type of the other field, if this version does not know its type */
  readonly "profile_fields/name-taken": { readonly name: Quoted; readonly newer_type?: Word };
  readonly "profile_fields/was": { readonly cause: "absent" | "same" };
}

import type { FoundValue, Quoted, Word } from "./values.ts";

export interface PolicyFacts {
  readonly "policy/limit": { readonly limit: Word; readonly is_percent: boolean; readonly found: FoundValue };
  readonly "policy/lockout": { readonly found: FoundValue };
  /** @property section the file is a configuration: it has a section @property names another file, which it names as its policy */
  readonly "policy/missing": { readonly file: Word; readonly section?: Word; readonly names?: Word };
  /** @property patterns what a text names: objects with their kinds, or names alone */
  readonly "policy/not-a-list": { readonly patterns?: readonly Quoted[] };
  readonly "policy/not-a-map": { readonly what: "policy" | "limits" };
  /** @property parts every list that `sync` can keep */
  readonly "policy/nothing-to-sync": { readonly file: Word; readonly parts: readonly Word[] };
  readonly "policy/protect":
    | { readonly found: FoundValue; readonly kinds: readonly Word[] }
    | { readonly patterns: number; readonly most: number };
  /** @property meant the pattern with the kind and the field that were meant @property parts every list that can be kept */
  readonly "policy/sync":
    | { readonly found: FoundValue; readonly meant?: Quoted; readonly parts: readonly Word[] }
    /** The file has no list that this pattern names. */
    | { readonly pattern: Quoted; readonly file: Word };
  readonly "policy/unknown":
    | { readonly where: "policy"; readonly key: Quoted; readonly meant?: Word; readonly known: readonly Word[] }
    /** @property belongs it is a guard rail, and belongs below `policy` */
    | { readonly where: "file"; readonly key: Quoted; readonly belongs?: true };
  readonly "policy/unknown-limit": {
    readonly name: Quoted;
    readonly section?: Word;
    readonly meant?: Word;
    readonly known: readonly Word[];
  };
}

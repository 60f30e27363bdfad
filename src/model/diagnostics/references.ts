import type { Quoted, Word } from "./values.ts";

/** Names in a file that refer to groups, people, channels and folders. */
export interface ReferenceFacts {
  readonly "reference/renamed": { readonly noun: Word; readonly name: Quoted; readonly renamed_to: Quoted };
  readonly "reference/deactivated-group": { readonly name: Quoted };
  readonly "reference/unknown-group":
    | {
        readonly found: "no-group";
        readonly name: Quoted;
        readonly meant?: Quoted;
        /** How many members the suggested group has, when it is on the server. */
        readonly members?: number;
        /** The first of the groups that there are: thousands of unknown ones would otherwise say all of them, each. */
        readonly known: readonly Quoted[];
        /** How many there are besides. */
        readonly more: number;
      }
    | { readonly found: "no-role"; readonly name: Quoted; readonly meant?: Quoted; readonly roles: readonly Word[] };
  readonly "reference/misspelt-group": Misspelt;
  readonly "reference/misspelt-channel": Misspelt;
  readonly "reference/misspelt-folder": Misspelt;
  readonly "reference/unknown-person":
    | { readonly found: "no-id"; readonly id: number }
    | {
        readonly found: "no-address";
        readonly address: Quoted;
        readonly meant?: Quoted;
        /** Accounts whose address the reading account does not see: the address may be that of one of them. */
        readonly hidden: number;
      };
  readonly "reference/deactivated-person": { readonly full_name: Quoted; readonly name: Quoted };
  readonly "reference/ambiguous-person": {
    readonly address: Quoted;
    readonly accounts: readonly { readonly id: number; readonly full_name: Quoted }[];
  };
  readonly "reference/not-an-address": { readonly text: Quoted };
  readonly "reference/removed": {
    readonly noun: Word;
    readonly name: Quoted;
    /** What removing means for this kind. */
    readonly removal: "archives" | "deactivates" | "removes";
    readonly section: Word;
    readonly is_declared: boolean;
    /** Found in the file alone, and not by planning. */
    readonly by?: "file";
    readonly named_by?: { readonly noun: Word; readonly name: Quoted; readonly field?: Word };
  };
  readonly "plan/server-too-old": { readonly what: TooNew; readonly needs: number; readonly level: number };
}

interface Misspelt {
  readonly name: Quoted;
  readonly meant: Quoted;
}

/** What an older server does not have. */
export type TooNew =
  | { readonly kind: "word"; readonly word: Word }
  | { readonly kind: "value"; readonly field: Word; readonly value: Word }
  | { readonly kind: "field-of"; readonly field: Word; readonly noun: Word }
  | { readonly kind: "reactivation"; readonly noun: Word; readonly name: Quoted };

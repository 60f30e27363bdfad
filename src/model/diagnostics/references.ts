import type { Person, Quoted, Word } from "./values.ts";

/** Errors in names that refer to groups, people, channels and folders. */
export interface ReferenceFacts {
  readonly "reference/renamed": { readonly noun: Word; readonly name: Quoted; readonly renamed_to: Quoted };
  readonly "reference/deactivated-group": { readonly name: Quoted };
  readonly "reference/unknown-group":
    | {
        readonly found: "no-group";
        readonly name: Quoted;
        /** What it is instead. */
        readonly means?: "a-person" | "guests";
        readonly meant?: Quoted;
        readonly several?: readonly Quoted[];
        /** The name is an entry of a list. */
        readonly is_entry?: true;
        /** The number of members of the suggested group, if it is on the server. */
        readonly members?: number;
        /** The first existing groups, not all: a file can have thousands of unknown names, and each error has this list. */
        readonly known: readonly Quoted[];
        /** The number of other existing groups. */
        readonly more: number;
      }
    | {
        readonly found: "no-role";
        readonly name: Quoted;
        readonly meant?: Quoted;
        readonly roles: readonly Word[];
        readonly several?: readonly Quoted[];
        readonly is_entry?: true;
      };
  /** Without `meant`, the name is an address. */
  readonly "reference/misspelt-group": Misspelt | { readonly name: Quoted; readonly meant?: undefined };
  readonly "reference/misspelt-channel": Misspelt;
  readonly "reference/misspelt-folder": Misspelt;
  readonly "reference/unknown-person":
    | { readonly found: "no-id"; readonly id: number }
    /** The address that the server showed while the account hid its own; a warning. */
    | { readonly found: "stand-in"; readonly address: Quoted; readonly id: number }
    | {
        readonly found: "no-address";
        readonly address: Quoted;
        readonly meant?: Quoted;
        /** The number of accounts whose address the reading account cannot see: the address may belong to one of them. */
        readonly hidden: number;
        /** The only one. */
        readonly only?: Person;
        /** The entry gives the person a role, and the only hidden account has another one. */
        readonly role?: { readonly now: Word; readonly file: Word };
        /** What it is instead: the name of a group, or an address in the form of a bot's. */
        readonly means?: "a-group" | "a-bot";
        /** Addresses without a comma between them. */
        readonly several?: readonly Quoted[];
        /** The address is the key of an item. */
        readonly is_key?: true;
      };
  readonly "reference/deactivated-person": {
    readonly person: Person;
    readonly name: Quoted;
    /** The file reactivates the account. */
    readonly returns?: true;
  };
  /** Nothing is planned for the object, or for the field. */
  readonly "reference/held": {
    readonly noun: Word;
    readonly name: Quoted;
    readonly field?: Word;
    /** The object that it names and that is held; absent: a name in the object itself does not resolve. */
    readonly needs?: { readonly noun: Word; readonly name: Quoted };
    /** What it names exists, and cannot be named any more: it is archived, or deactivated. */
    readonly is_gone?: true;
    /** All that it names without such an object are accounts which the file reactivates. */
    readonly returns?: true;
    /** Its name is that of another object, which stays as it is, and so does not become `by`. */
    readonly taken?: { readonly by: Quoted; readonly is_new: boolean };
  };
  /** What is wrong with the exception of a list of people. */
  readonly "reference/except":
    | { readonly found: "in-both" | "of-nobody"; readonly name: Quoted }
    | {
        readonly found: "nobody-out" | "nobody-left";
        readonly noun: Word;
        readonly name: Quoted;
        readonly field: Word;
      }
    /** @property people the first of those who are in the list in spite of its exception, since it is not exact */
    | {
        readonly found: "still-there";
        readonly noun: Word;
        readonly name: Quoted;
        readonly field: Word;
        readonly people: readonly Person[];
        readonly more: number;
      };
  readonly "reference/ambiguous-person": {
    readonly address: Quoted;
    readonly accounts: readonly Person[];
  };
  readonly "reference/not-an-address": {
    readonly text: Quoted;
    readonly means?: "a-group";
    readonly several?: readonly Quoted[];
    /** The address in the text. */
    readonly meant?: Quoted;
    /** The text is the key of an item. */
    readonly is_key?: true;
  };
  readonly "reference/removed": {
    readonly noun: Word;
    readonly name: Quoted;
    /** The effect of a removal for this kind. */
    readonly removal: "archives" | "deactivates" | "removes";
    readonly section: Word;
    readonly is_declared: boolean;
    /** Found in the file alone, without a plan. */
    readonly by?: "file";
    readonly named_by?: { readonly noun: Word; readonly name: Quoted; readonly field?: Word };
  };
  /** @param since the level from which servers have it; default: all that realmctl knows */
  readonly "plan/setting-gone": { readonly setting: Word; readonly level: number; readonly since?: number };
  readonly "plan/server-too-old": { readonly what: TooNew; readonly needs: number; readonly level: number };
}

interface Misspelt {
  readonly name: Quoted;
  readonly meant: Quoted;
}

/** A feature that the server is too old for. */
export type TooNew =
  | { readonly kind: "word"; readonly word: Word }
  | { readonly kind: "value"; readonly field: Word; readonly value: Word }
  | { readonly kind: "field-of"; readonly field: Word; readonly noun: Word }
  | { readonly kind: "reactivation"; readonly noun: Word; readonly name: Quoted };

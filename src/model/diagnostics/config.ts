import type { OtherFile } from "./sources.ts";
import type { FoundValue, Quoted, Word } from "./values.ts";

/** What can be written for a field: the first sentence about it, and its values if it has few. */
export interface FieldForm {
  readonly about?: Word;
  readonly values?: readonly Word[];
}

/** Errors in the parts of a file that are not objects (its head, policies, profiles, defaults, variables), and in the form of fields. */
export interface ConfigFacts {
  readonly "config/contradiction": { readonly absent: boolean; readonly field: Word };
  readonly "config/declared-twice": {
    readonly noun: Word;
    readonly name: Quoted;
    readonly other: Quoted;
    /** The fields by which the server tells such objects apart, if they have no name. */
    readonly known_by?: readonly Word[];
    /** Of texts in a list of names: a warning, since it changes nothing. */
    readonly in_list?: true;
  };
  readonly "config/exact-without-section": { readonly section: Word; readonly is_one: boolean };
  /** @property line `manage:` as it was probably meant */
  readonly "config/policy": {
    readonly found: FoundValue;
    readonly where: "manage" | "section";
    readonly meant?: Word;
    readonly line?: Quoted;
  };
  readonly "config/realm":
    | { readonly cause: "no-url"; readonly host?: Quoted }
    | { readonly cause: "credentials" }
    | { readonly cause: "path"; readonly origin: Word };
  readonly "config/renamed-twice": { readonly noun: Word; readonly was: Quoted };
  readonly "config/same-id": { readonly noun: Word; readonly id: number };
  /** @property is_right nothing behind its colon gives the right to nobody */
  readonly "config/comment-as-value": {
    readonly field: Quoted;
    readonly comment?: Quoted;
    readonly is_right?: true;
  };
  /** @property variable the name in the template */
  /** @property in_name in the name of an entry, which cannot contain variables */
  /** @property is_refused it is all of a value or name that cannot be like this: an error */
  readonly "config/placeholder": {
    readonly text: Quoted;
    readonly is_template: boolean;
    readonly variable?: Quoted;
    readonly in_name?: true;
    readonly is_refused?: true;
  };
  readonly "config/invisible-in-name": { readonly noun: Word; readonly name: Quoted };
  /** Another name looks the same, and is another name to the server. */
  readonly "config/same-letters": {
    readonly noun: Word;
    readonly name: Quoted;
    readonly other: Quoted;
    readonly where: "file" | "organization";
    /** They differ only in capital letters. */
    readonly by_case?: true;
  };
  readonly "config/section": {
    readonly section: Word;
    readonly many: Word;
    readonly shape: Word;
    readonly found: FoundValue;
    /** The first entry of a map as an entry of the list, or the other way round. */
    readonly entry?: Quoted;
    readonly besides?: Word;
  };
  readonly "config/unknown-section": {
    readonly name: Quoted;
    readonly meant?: Word;
    /** The empty section directly above. */
    readonly above?: Word;
    /** What the key holds: anchors for the rest of the file, a field of a section, or rules about access. */
    readonly holds?:
      | "anchors"
      | "renames"
      | "everything"
      | { readonly line: Quoted }
      | { readonly belongs_under: readonly Word[] }
      /** `channels.general`: a path, as other programs write it. */
      | { readonly path: readonly Quoted[] }
      /** In the file of an organization, or in one of rules, which was named in its place. */
      | { readonly rules: "besides" }
      | { readonly rules: "alone"; readonly file: Word }
      | { readonly file_of: OtherFile }
      /** No key of the file is known. */
      | { readonly unknown_keys: readonly Quoted[] };
    readonly sections: readonly Word[];
  };
  readonly "config/unset":
    | { readonly cause: "key"; readonly key: Quoted; readonly meant?: Word }
    | { readonly cause: "value"; readonly found: FoundValue }
    | { readonly cause: "except"; readonly section: Word; readonly most: number }
    | { readonly cause: "except-of-nothing"; readonly section: Word; readonly pattern: Quoted; readonly meant?: Quoted }
    | { readonly cause: "no-defaults" | "ignored" | "except-of-none"; readonly section: Word };
  readonly "config/version":
    | { readonly cause: "missing" }
    | { readonly cause: "other"; readonly found: FoundValue; readonly version: number };
  readonly "profiles/cycle": { readonly name: Quoted };
  readonly "profiles/not-a-map": { readonly name?: Quoted };
  readonly "profiles/not-a-name": Record<never, never>;
  readonly "profiles/own-field": { readonly field: Word };
  /** @property listed the number of profiles that one channel or profile names */
  readonly "profiles/too-deep": { readonly most: number; readonly listed?: number };
  readonly "profiles/unknown": { readonly name: Quoted; readonly meant?: Quoted; readonly known: readonly Quoted[] };
  readonly "profiles/unused": { readonly name: Quoted };
  readonly "defaults/not-a-map": { readonly found: FoundValue; readonly many?: Word };
  readonly "defaults/own-field": { readonly field: Word; readonly noun: Word };
  readonly "defaults/section": {
    readonly section: Quoted;
    /** The plural noun of a section whose objects have no fields that could have defaults; absent if the section does not exist. */
    readonly many?: Word;
    /** The only section whose objects have a field of this name. */
    readonly holder?: Word;
    /** It exists once, so its values are written in it. */
    readonly is_one?: true;
    readonly meant?: Word;
    readonly sections: readonly Word[];
  };
  readonly "field/missing": {
    readonly label: Label;
    readonly field?: Word;
    readonly form?: FieldForm;
  } & WrittenComment & {
      readonly instead?: NotAnItem;
    };
  readonly "field/type": {
    readonly label: Label;
    readonly types: readonly Word[];
    readonly found: FoundValue;
    /** What the field is, in a few words. */
    readonly about?: Word;
    /** The fields of the map that is expected here. */
    readonly fields: readonly Word[];
    readonly instead?: NotAnItem;
  } & WrittenComment;
  /** @property may_be_right a permission setting that only some server may know: none was asked */
  readonly "field/unknown": {
    readonly label: Label;
    readonly field: Quoted;
    readonly way?: FieldWay;
    readonly may_be_right?: true;
  };
  readonly "field/value": ValueCause & WrittenComment & { readonly instead?: NotAnItem };
}

/** The name of a field: the noun of its object, and the path from the object to the field. */
export interface Label {
  readonly noun: Word;
  /** The noun is a plural, as for singletons (settings). */
  readonly isPlural?: true;
  readonly path: readonly (Word | number)[];
}

/** A comment in the place of a value: `- #general`. */
interface WrittenComment {
  readonly comment?: Quoted;
}

/** The probable meaning of an item that is not a map. */
export type NotAnItem =
  | { readonly meant: "field-of-above"; readonly entry: Quoted; readonly noun: Word }
  | { readonly meant: "description" }
  /** `general.description`: a path, as other programs write it. */
  | { readonly meant: "dotted"; readonly path: readonly Quoted[] }
  /** Each of its fields is an entry of a list. */
  | { readonly meant: "no-dashes" }
  /** The fields of an entry whose others are in the one above: a dash too many. */
  | { readonly meant: "entry-above" }
  /** The beginning of a field. */
  | { readonly meant: "field-name"; readonly field: Word }
  /** @property sign the sign of another notation that is there instead of a colon */
  | { readonly meant: "colon-space"; readonly lines: readonly Quoted[]; readonly sign?: Word }
  /** A colon of another script in the key, which starts no value. */
  | { readonly meant: "full-width" }
  | { readonly meant: "list-of-people"; readonly field: Word; readonly people: readonly Quoted[] }
  | { readonly meant: "fields"; readonly fields: readonly Word[] }
  /** The meaning is unknown; `form` shows how an item is written. */
  | { readonly meant: "form"; readonly form: Word };

/** Where an unknown field belongs. */
export type FieldWay =
  /** @property value what is wrong with the value, too, if it is the field's */
  | {
      readonly kind: "meant";
      readonly field: Word;
      readonly under?: readonly Word[];
      readonly value?: ConfigFacts["field/type"];
      /** The words that the field can have, if its value is another one. */
      readonly values?: readonly Word[];
    }
  /** `{role: admin}` in the place of `role:administrators`. */
  | { readonly kind: "alone"; readonly field: Word; readonly name: Quoted }
  /** `permissions.can_mention_group`: a path, as other programs write it. */
  | { readonly kind: "dotted"; readonly path: readonly Word[] }
  /** It holds fields of the map that it is in. */
  | { readonly kind: "needless-level" }
  /** An entry of a list of people that is neither an address nor `{id: 17}`. */
  | { readonly kind: "person" }
  /** The key is a section, or another key of the file. */
  | { readonly kind: "section"; readonly line?: Quoted }
  /** `{email: ada@example.org}` in a list of addresses. */
  | { readonly kind: "address"; readonly address: Quoted }
  /** Three dots, which stand for what an example leaves out. */
  | { readonly kind: "left-out" }
  /** What is written in a file exists: `state: present` adds nothing. */
  | { readonly kind: "needless" }
  | { readonly kind: "under"; readonly path: readonly Word[] }
  | { readonly kind: "above"; readonly noun: Word }
  /** The value has fields of the item: it is another item that is indented too much. */
  | { readonly kind: "entry"; readonly noun: Word; readonly elsewhere?: Word }
  /** Another part of the file says it. @property line how it is written there */
  | { readonly kind: "elsewhere"; readonly line: Word }
  /** The name of an object is its key. */
  | { readonly kind: "key"; readonly noun: Word }
  /** `privacy:public` is one word. @property line with the space */
  | { readonly kind: "colon-space"; readonly line: Quoted }
  /** The name of an object is the key of its entry. @property entry as it is written in a list */
  | { readonly kind: "as-entry"; readonly entry: Quoted; readonly besides?: Word }
  | { readonly kind: "fields"; readonly fields: readonly Word[] };

export type ValueCause =
  | {
      readonly cause: "choice";
      readonly label: Label;
      readonly types: readonly Word[];
      readonly values: readonly Word[];
      readonly found: FoundValue;
      readonly meant?: Word;
    }
  | { readonly cause: "empty"; readonly label: Label }
  | {
      readonly cause: "length";
      readonly label: Label;
      readonly bound: "least" | "most";
      readonly limit: number;
      readonly unit: "characters" | "entries";
      readonly length?: number;
    }
  | { readonly cause: "not-positive"; readonly label: Label; readonly found: FoundValue }
  | {
      readonly cause: "number";
      readonly label: Label;
      readonly bound: "least" | "most";
      readonly limit: number;
      readonly found: FoundValue;
    }
  | { readonly cause: "multiple"; readonly label: Label; readonly of: number }
  | { readonly cause: "format"; readonly label: Label; readonly format: Word }
  | { readonly cause: "form"; readonly label: Label; readonly found: FoundValue; readonly form: ValueForm };

/** The form that a schema requires of a value, if zod has no check for it. */
export type ValueForm =
  | { readonly form: "text"; readonly most_characters: number }
  | { readonly form: "days"; readonly most_days: number; readonly words: readonly Word[] }
  /** The requests that a fault of the sandbox affects. */
  | { readonly form: "calls" }
  /** Requests are either counted (`at`) or chosen by chance. */
  | { readonly form: "at-or-chance" }
  /** A fault of the real answer: the request must have been carried out. */
  | { readonly form: "fault-after"; readonly fault: Word }
  | { readonly form: "server-url"; readonly most_characters: number }
  /** @property meant the code that was probably meant */
  | { readonly form: "language-code"; readonly meant?: Word }
  | {
      readonly form: "time-span";
      readonly because: "no-unit" | "not-a-time" | "not-whole" | "too-long" | "zero";
      readonly unit: "seconds" | "days";
      readonly most: Word;
      readonly example: Word;
      /** The word that may be written instead of a number. */
      readonly word?: Word;
    };

import type { Named, Person, Quoted, Word } from "./values.ts";

/** Errors in rules about access. */
export interface RuleFacts {
  readonly "rules/broken": BrokenRule;
  readonly "rules/version": { readonly found: Quoted };
  /** @property missing the file that the command would read, and that does not exist */
  readonly "rules/no-rules":
    | { readonly missing?: Word }
    /** The file is a configuration: it has a section. */
    | { readonly file: Word; readonly section: Word };
  readonly "rules/two-kinds": { readonly test: Quoted };
  readonly "rules/as-is-of-nothing": Record<never, never>;
  readonly "rules/no-subject": { readonly test: Quoted };
  readonly "rules/no-expectation": { readonly test: Quoted; readonly of: "who" | "objects" };
  readonly "rules/misplaced": { readonly field: Word; readonly belongs: "who" | "objects" };
  readonly "rules/empty-part": { readonly part: "can" | "cannot" | "rights" | "fields" };
  readonly "rules/empty-expectation": { readonly right: Quoted };
  readonly "rules/unknown-expectation": {
    readonly key: Quoted;
    readonly known: readonly Word[];
    readonly meant?: Word;
  };
  readonly "rules/same-name": { readonly test: Quoted };
  /** @property expects the word says what is expected of a right, or of a field, whose name is missing */
  readonly "rules/unknown-right": {
    readonly right: Quoted;
    readonly meant?: Word;
    readonly expects?: "right" | "field";
  };
  /** @property of what has the right: kinds, or the organization */
  readonly "rules/right-of-other": { readonly right: Quoted; readonly pattern: Quoted; readonly of: readonly Word[] };
  /** @property expects as for rights */
  readonly "rules/unknown-field": {
    readonly field: Quoted;
    readonly meant?: Word;
    readonly expects?: "right" | "field";
  };
  /** @property of kinds that have the field */
  readonly "rules/field-of-other": {
    readonly field: Quoted;
    readonly of: readonly Word[];
    readonly patterns: readonly Quoted[];
  };
  readonly "rules/no-fields-here": Record<never, never>;
  readonly "rules/unfit-field": { readonly field: Quoted; readonly why: "in-use" | "list" | "has" };
  /** @property undecided the number of rights on objects, fields and people whose state is unknown */
  readonly "rules/undecided": {
    readonly test: Quoted;
    readonly undecided: number;
    readonly reasons?: readonly RuleUnknown[];
  };
  readonly "rules/unknown-name": {
    readonly name: Quoted;
    readonly is: "group" | "address" | "role" | "folder";
    readonly meant?: Quoted;
    /** The plan gives it the name `meant`. */
    readonly wasRenamed?: true;
  };
  /** @property isUnseen a private channel that the account does not see may have the name */
  readonly "rules/no-match": {
    readonly pattern: Quoted;
    readonly meant?: Quoted;
    readonly wasRenamed?: true;
    readonly isUnseen?: true;
  };
  /** @property done the number of rules that were checked before this one */
  readonly "rules/too-much": { readonly test: Quoted; readonly done: number };
  readonly "rules/never-fails": {
    readonly why:
      | "everybody"
      | "nobody"
      | "no-limit"
      | "all-excepted"
      | "all-archived"
      | "too-many-allowed"
      | "any-value"
      | "no-value"
      | "no-privacy"
      | "nobody-yet"
      | "bot-ignored"
      | "deactivated"
      | "deactivated-must"
      | "guests-never"
      | "guests-must"
      | "all-who-can"
      | "fewer-people"
      | "too-few-people";
    /** The person or group that the rule names. */
    readonly name?: Quoted;
    /** The number of people in the organization. */
    readonly there?: number;
  };
  readonly "rules/contradiction": {
    readonly between:
      | "exactly-and-others"
      | "allow-and-deny"
      | "least-and-most"
      | "other-rule"
      | "rules-here"
      | "numbers-here"
      | "can-and-cannot"
      | "is-and-not"
      | "only-and-allow"
      | "only-and-least";
    readonly name?: Quoted;
    readonly on?: Quoted;
    /** The other rule, if it is not the same one. */
    readonly rule?: Quoted;
    /** The person about whom the two rules contradict each other. */
    readonly who?: RuleSubject;
    /** The minimum (`least`) and the maximum (`most`) number of people with the right. */
    readonly least?: number;
    readonly most?: number;
  };
}

/** Why the result of a rule is unknown. */
export type RuleUnknown =
  /** @property pattern may match private channels that the account does not see */
  | { readonly is: "unseen"; readonly pattern: Quoted }
  /** The file does not have the members of the group. */
  | { readonly is: "members"; readonly group: Quoted }
  /** The file declares the bot without its owner. */
  | { readonly is: "owner"; readonly bot: Quoted }
  /** The file leaves out how open the channel is. */
  | { readonly is: "privacy"; readonly channel: Quoted }
  /** The file reactivates an account, and no reading shows where it is back. */
  | { readonly is: "returning" }
  /** Only a server knows whether somebody whom the file invites by mail has joined. */
  | { readonly is: "invited" };

/** A rule that does not hold, with one violation. */
export interface BrokenRule {
  readonly rule: Quoted;
  readonly violation: RuleViolation;
}

export type RuleViolation =
  | {
      readonly kind: "can" | "cannot";
      readonly who: RuleSubject;
      /** The API's name of the right. */
      readonly right: Word;
      readonly on: RuleTarget;
      /** The paths that give the right; empty for `cannot`. */
      readonly paths: readonly RulePath[];
    }
  | {
      readonly kind: "too-few" | "too-many";
      readonly right: Word;
      readonly on: RuleTarget;
      readonly found: number;
      readonly wanted: number;
      /** Everybody on the web has the right, too. */
      readonly on_web?: true;
    }
  | { readonly kind: "field"; readonly field: Word; readonly on: RuleTarget; readonly found: RuleFieldValue };

/** An object, with its name before the plan if that was another one. */
export type RuleTarget = Named | "organization";

/** A person with an account, or a persona. */
export type RuleSubject =
  /** @property hasNamesake another account has the same name, so the address is needed to distinguish them */
  | (Person & { readonly isBot?: true; readonly hasNamesake?: true })
  | {
      readonly role: Word;
      readonly groups: readonly Quoted[];
      /** Somebody who joins by what the file has. */
      readonly joinsBy?: "invitation" | "link";
    };

export type RulePath =
  | { readonly via: "subscriber" | "administrators" | "owner" }
  /** They can put themselves into one of these groups, which has the right. */
  | { readonly via: "joining"; readonly groups: readonly Quoted[] }
  /** A bot of theirs that has the right. */
  | { readonly via: "key"; readonly bot: RuleSubject }
  | {
      readonly via: "privacy";
      readonly privacy:
        | "web_public"
        | "web_public_off"
        | "public"
        | "private_shared_history"
        | "private_protected_history";
    }
  | {
      readonly via: "setting";
      /** Whether a setting of the organization gives the right on the object. */
      readonly isOfOrganization: boolean;
      readonly setting: Word;
      /** The groups from the one that the setting names to the one with the person in it; empty if the setting names the person. */
      readonly groups: readonly Quoted[];
    };

export type RuleFieldValue =
  | { readonly is: "value"; readonly value: number | boolean | null }
  | { readonly is: "text"; readonly text: Quoted }
  | { readonly is: "groups-and-people"; readonly groups: readonly Quoted[]; readonly users: readonly Quoted[] }
  | { readonly is: "other" };

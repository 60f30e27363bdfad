import type { Named, Person, Quoted, Word } from "./values.ts";

/** Why the result of a rule is unknown: private channels that the account does not see, or what a file alone does not say. */
export type RuleUnknown<Text = Quoted> =
  /** @property pattern may match private channels that the account does not see */
  | { readonly is: "unseen"; readonly pattern: Text }
  /** The file does not have the members of the group. */
  | { readonly is: "members"; readonly group: Text }
  /** The file declares the bot without its owner. */
  | { readonly is: "owner"; readonly bot: Text }
  /** A group brings bots into the list of the object, perhaps of somebody whom the list excepts. */
  | { readonly is: "excepted"; readonly list: Text; readonly kind: Word }
  /** The file leaves out how open the channel is. */
  | { readonly is: "privacy"; readonly channel: Text }
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
  | { readonly kind: "on-web"; readonly right: Word; readonly on: RuleTarget }
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

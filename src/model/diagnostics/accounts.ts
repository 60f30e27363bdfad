import type { FoundValue, Person, Quoted, Word } from "./values.ts";

/** The number of a role that this version would have to know. */
export interface UnknownRole {
  readonly role: number;
}

/** Errors about people and bots: who may change them, and what the server would refuse. */
export interface AccountFacts {
  readonly "people/not-allowed": {
    readonly account: Person;
    readonly person: Quoted;
    readonly needs: "administrator" | "owner" | UnknownRole;
  };
  readonly "people/oneself": { readonly account: Person; readonly becomes: "deactivated" | "guest" };
  readonly "people/own-role-alone": { readonly account: Person; readonly leaves_no_owner?: true };
  readonly "people/inactive-owner": { readonly person: Quoted };
  readonly "people/is-bot": { readonly address: Quoted };
  readonly "people/other-address": { readonly address: Quoted; readonly meant: Quoted };
  readonly "people/is-deactivated": { readonly address: Quoted };
  readonly "people/deleted": { readonly person: Quoted };
  readonly "people/bot-in-use": { readonly person: Quoted; readonly bot: Quoted };
  /** @property invitation an address, or the name of a link */
  readonly "people/invitation-in-use": { readonly person: Quoted; readonly invitation: Quoted };
  readonly "bots/not-allowed": {
    readonly account: Person;
    readonly bot: Quoted;
    readonly needs:
      | "a-person"
      | "owner-or-administrator"
      | "administrator"
      | "owner-of-organization"
      | "can_create_bots_group"
      | "can_create_write_only_bots_group"
      | UnknownRole;
  };
  readonly "bots/oneself": { readonly account: Person };
  readonly "bots/name":
    | { readonly cause: "no-suffix" | "characters"; readonly bot: Quoted }
    | { readonly cause: "taken"; readonly bot: Quoted }
    | {
        readonly cause: "cannot-be-renamed";
        readonly bot: Quoted;
        readonly was: Quoted;
        readonly needs: number;
        readonly level: number;
      }
    | { readonly cause: "other-name"; readonly bot: Quoted; readonly meant: Quoted }
    | { readonly cause: "several"; readonly bot: Quoted; readonly bots: readonly Quoted[] };
  readonly "bots/full-name":
    | { readonly cause: "empty" | "ending" }
    | { readonly cause: "too-long"; readonly length: number; readonly limit: number }
    | { readonly cause: "character"; readonly character: Quoted }
    /** @property bot the bot that has it, if the file does not mention it: perhaps it is the one that is meant */
    | { readonly cause: "taken"; readonly full_name: Quoted; readonly bot?: Quoted }
    | { readonly cause: "twice"; readonly full_name: Quoted; readonly other: Quoted };
  readonly "bots/owner-is-bot": { readonly owner: Quoted };
  readonly "bots/type": /** @property now absent for a type that this version does not know */
    | { readonly cause: "cannot-change"; readonly bot: Quoted; readonly now?: Word }
    | { readonly cause: "not-made"; readonly type: Word };
  readonly "bots/is-deactivated": { readonly bot: Quoted };
  readonly "invite_links/expires-on": { readonly text: Quoted };
  readonly "reference/leaving-person": { readonly person: Quoted };
  readonly "policy/min-owners": { readonly found: FoundValue };
  readonly "config/partial-section": { readonly section: Word };
}

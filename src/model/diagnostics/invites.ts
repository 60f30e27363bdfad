import type { UnknownRole } from "./accounts.ts";
import type { UnknownChannel } from "./channels.ts";
import type { Person, Quoted, Word } from "./values.ts";

export interface InviteFacts {
  readonly "invites/address": { readonly address: Quoted; readonly has_name: boolean };
  readonly "invites/archived-channel": { readonly name: Quoted };
  readonly "invites/bot": { readonly account: Person };
  readonly "invites/deactivated-account": { readonly address: Quoted };
  readonly "invites/differs": {
    readonly address: Quoted;
    readonly field: Word;
    readonly found: Word;
    readonly wanted: Word;
  };
  readonly "invites/expires-in": { readonly duration: Quoted };
  readonly "invites/hidden-addresses": {
    readonly account: Person;
    readonly hidden: number;
    readonly addresses: readonly Quoted[];
  };
  /** @property led the name that the object gets which has `name` before the plan; `is_new`: the plan makes the one that has it afterwards */
  readonly "invites/leads-elsewhere": {
    readonly invitation: Quoted;
    readonly name: Quoted;
    readonly led?: Quoted;
    readonly is_new: boolean;
  };
  readonly "invites/not-allowed": { readonly account: Person; readonly right: InviteRight };
  /** `tomorrow`: the day after the organization was read, as the file would write it. */
  /** @property over the day until which the invitation was asked for */
  readonly "invites/not-asked-for": { readonly address: Quoted; readonly tomorrow?: Word; readonly over?: Quoted };
  readonly "invites/send-until":
    | { readonly cause: "no-day"; readonly text: Quoted }
    | { readonly cause: "later-than-invitation"; readonly holds: Quoted };
  readonly "invites/outside-domains": { readonly address: Quoted } & RestrictionCause;
  readonly "invites/made-inactive": { readonly name: Quoted };
  readonly "invites/system-group": { readonly name: Quoted };
  readonly "invites/unknown-channel": { readonly name: Quoted } & UnknownChannel;
}

/** A right that the account does not have. */
export type InviteRight =
  | { readonly to: "invite-anybody"; readonly setting: Word }
  | { readonly to: "invite-owner" }
  | { readonly to: "invite-as"; readonly role: Word }
  | { readonly to: "welcome-message" }
  | { readonly to: "add-to-group"; readonly group: Quoted }
  /** @property is_known false: the snapshot does not say whether the account is in the channel */
  | { readonly to: "read-channel"; readonly channel: Quoted; readonly is_known: boolean }
  | { readonly to: "read-created-channel"; readonly channel: Quoted }
  | { readonly to: "add-subscribers"; readonly channel: Quoted }
  | { readonly to: "revoke"; readonly address: Quoted; readonly needs: "owner" | "administrator" | UnknownRole };

/** Why an address cannot join an organization that is restricted to some domains. */
export type RestrictionCause = { readonly cause: "plus" } | { readonly cause: "unlisted"; readonly domain: Quoted };
